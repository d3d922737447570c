/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate/evaluate_internal.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* The evaluator's memory. */

void ct_notes_free(struct ct_notes *notes)
{
    if (!notes)
        return;
    free(notes->way_in.intervals);
    free(notes->cpu.intervals);
    free(notes->sent);
    free(notes);
}

struct ct_evaluator *ct_evaluator_new(void)
{
    return ct_allocate(1, sizeof(struct ct_evaluator));
}

void ct_evaluator_end(struct ct_evaluator *evaluator)
{
    for (int rank = 0; rank < evaluator->size; rank++)
        ct_notes_free(evaluator->clocks[rank].notes);
    ct_action_store_clear(&evaluator->store);
    evaluator->size = 0;
}

void ct_evaluator_free(struct ct_evaluator *evaluator)
{
    if (!evaluator)
        return;
    ct_evaluator_end(evaluator);
    free(evaluator->clocks);
    free(evaluator->leaves);
    free(evaluator->ready);
    free(evaluator->batch.begins);
    ct_mail_free(&evaluator->mail);
    ct_script_free(&evaluator->script);
    ct_action_store_free(&evaluator->store);
    ct_plan_free(&evaluator->plan);
    free(evaluator);
}

static int make_clocks(struct ct_evaluator *evaluator, size_t count)
{
    if (count <= evaluator->clock_capacity)
        return CT_OK;
    free(evaluator->clocks);
    evaluator->clocks = ct_allocate_lines(count, sizeof *evaluator->clocks);
    evaluator->clock_capacity = evaluator->clocks ? count : 0;
    return evaluator->clocks ? CT_OK : CT_E_MEMORY;
}

int ct_evaluator_begin(struct ct_evaluator *evaluator, int size)
{
    size_t n = (size_t)size;
    int status = make_clocks(evaluator, n);
    if (status == CT_OK)
        status = ct_grow(&evaluator->leaves, &evaluator->leaves_capacity, n, sizeof *evaluator->leaves);
    if (status == CT_OK)
        status = ct_grow(&evaluator->ready, &evaluator->ready_capacity, n, sizeof *evaluator->ready);
    if (status != CT_OK)
        return status;
    for (int rank = 0; rank < size; rank++)
        evaluator->clocks[rank] =
            (struct ct_clock){.way_in = -INFINITY, .left = CT_NOT_ENTERED, .chunk = CT_NOT_KEPT};
    evaluator->size = size;
    evaluator->ready_count = 0;
    return ct_mail_begin(&evaluator->mail, n);
}
