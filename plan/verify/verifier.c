/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/verify/verifier.h"
#include "algorithms/routing.h"
#include "base/memory.h"
#include "plan/verify/verifier_check.h"
#include "plan/verify/verifier_engine.h"
#include "plan/verify/verifier_flight.h"
#include "plan/verify/verifier_message.h"
#include "plan/verify/verifier_report.h"
#include "plan/verify/verifier_state.h"
#include "plan/verify/verifier_task_make.h"

#include <stdlib.h>
#include <string.h>

struct ct_verifier *ct_verifier_new(void)
{
    return ct_allocate(1, sizeof(struct ct_verifier));
}

void ct_verifier_free(struct ct_verifier *verifier)
{
    if (!verifier)
        return;
    for (size_t i = 0; i < verifier->cell_capacity; i++)
        free(verifier->cells[i].array.runs);
    for (size_t i = 0; i < verifier->plan_count; i++)
        ct_plan_free(&verifier->plans[i]);
    free(verifier->ranks);
    free(verifier->cells);
    free(verifier->traffic);
    free(verifier->flights);
    free(verifier->channels);
    ct_hash_free(&verifier->channel_table);
    free(verifier->ready);
    free(verifier->knowledge.ranks);
    free(verifier->knowledge.carried);
    free(verifier->knowledge.idle);
    free(verifier->patch.runs);
    free(verifier->plans);
    ct_task_memory_free(&verifier->memory);
    ct_known_free(&verifier->known);
    ct_router_free(&verifier->router);
    free(verifier);
}

/* Rounds must rise and end where the steps do. */
static int check_plan(struct ct_verifier *verifier, int rank)
{
    const struct ct_plan *plan = verifier->ranks[rank].plan;
    if (plan->status == CT_E_MEMORY)
        return CT_E_MEMORY;
    if (plan->status != CT_OK)
        return ct_verifier_fail(verifier, CT_FLAW_PLAN, rank, NULL, "it could not be built: status %d",
                                plan->status);
    if (plan->buffer_count < CT_BUFFER_TEMPORARY || plan->buffer_count > CT_BUFFERS_MAX)
        return ct_verifier_fail(verifier, CT_FLAW_PLAN, rank, NULL, "it has %u buffers", plan->buffer_count);
    size_t end = 0;
    for (size_t i = 0; i < plan->round_count; i++) {
        verifier->ranks[rank].round = i;
        if (plan->rounds[i].end < end)
            return ct_verifier_fail(verifier, CT_FLAW_PLAN, rank, NULL, "the round ends before it begins");
        end = plan->rounds[i].end;
    }
    verifier->ranks[rank].round = 0;
    if (end != plan->step_count)
        return ct_verifier_fail(verifier, CT_FLAW_PLAN, rank, NULL, "its rounds hold %zu of %zu steps", end,
                                plan->step_count);
    return CT_OK;
}

/* Cells keep the memory of their runs, so fresh ones must be zero. */
static int grow_cells(struct ct_verifier *verifier, size_t need)
{
    size_t before = verifier->cell_capacity;
    int status = ct_grow(&verifier->cells, &verifier->cell_capacity, need, sizeof *verifier->cells);
    if (status == CT_OK && verifier->cell_capacity > before)
        memset(verifier->cells + before, 0, (verifier->cell_capacity - before) * sizeof *verifier->cells);
    return status;
}

static int set_up_rank(struct ct_verifier *verifier, int rank)
{
    const struct ct_share *share = &verifier->task->shares[rank];
    const struct ct_plan *plan = verifier->ranks[rank].plan;
    size_t first = verifier->cell_count;
    int status = grow_cells(verifier, first + plan->buffer_count);
    if (status != CT_OK)
        return status;
    verifier->ranks[rank].cells = first;
    verifier->cell_count += plan->buffer_count;
    for (unsigned i = 0; status == CT_OK && i < plan->buffer_count; i++)
        status = ct_cells_reset(&verifier->cells[first + i],
                                i < CT_BUFFER_TEMPORARY ? share->buffers[i].length : plan->temporary[i]);
    for (size_t i = 0; status == CT_OK && i < share->input_count; i++)
        status = ct_cells_input(&verifier->cells[first + share->input_buffer], share->inputs[i].offset,
                                share->inputs[i].n, rank, share->inputs[i].unit, verifier->ordered,
                                &verifier->patch);
    return status;
}

static int set_up(struct ct_verifier *verifier, const struct ct_plan *plans)
{
    size_t size = (size_t)verifier->task->size;
    int status = ct_grow(&verifier->ranks, &verifier->rank_capacity, size, sizeof *verifier->ranks);
    if (status == CT_OK)
        status = ct_grow(&verifier->traffic, &verifier->traffic_capacity, size, sizeof *verifier->traffic);
    if (status == CT_OK)
        status = ct_grow(&verifier->ready, &verifier->ready_capacity, size, sizeof *verifier->ready);
    if (status == CT_OK)
        status = ct_flights_reset(verifier);
    if (status == CT_OK)
        status = ct_channels_reset(verifier);
    if (status == CT_OK && verifier->task->synchronizes)
        status = ct_knowledge_reset(&verifier->knowledge, verifier->task->size);
    if (status != CT_OK)
        return status;
    memset(verifier->traffic, 0, size * sizeof *verifier->traffic);
    verifier->cell_count = 0;
    for (int rank = 0; rank < verifier->task->size; rank++) {
        verifier->ranks[rank] = (struct ct_rank_state){.plan = &plans[rank]};
        status = check_plan(verifier, rank);
        if (status == CT_OK)
            status = set_up_rank(verifier, rank);
        if (status != CT_OK)
            return status;
    }
    return CT_OK;
}

int ct_verify_plans(struct ct_verifier *verifier, const struct ct_task *task, const struct ct_plan *plans,
                    struct ct_error *error, struct ct_verdict *ret_verdict)
{
    verifier->task = task;
    verifier->ordered = task->reduces && !task->commutative;
    verifier->error = error;
    verifier->result = (struct ct_verdict){.peer = -1};
    int status = set_up(verifier, plans);
    if (status == CT_OK)
        status = ct_verifier_run(verifier);
    if (status == CT_OK)
        status = ct_check_results(verifier);
    if (status != CT_OK && status != CT_E_ANSWER)
        return status;
    for (int rank = 0; rank < task->size; rank++) {
        verifier->result.steps += plans[rank].step_count;
        verifier->result.messages += verifier->traffic[rank].messages;
        verifier->result.units += verifier->traffic[rank].units;
    }
    verifier->result.traffic = verifier->traffic;
    verifier->task = NULL;
    *ret_verdict = verifier->result;
    return status;
}

/* What keeps the order of operands is right without it, too. */
int ct_verify_plans_once(struct ct_verifier *verifier, const struct ct_task *task,
                         const struct ct_plan *plans, int root, struct ct_error *error,
                         struct ct_verdict *ret_verdict)
{
    struct ct_normal_form form = ct_normal_form_of(task, plans, root);
    struct ct_fingerprint print = ct_fingerprint_of(task, plans, &form);
    if (ct_known_find(&verifier->known, print, &form, ret_verdict))
        return CT_OK;
    int status = ct_verify_plans(verifier, task, plans, error, ret_verdict);
    if (status == CT_OK)
        status = ct_known_add(&verifier->known, print, &form, ret_verdict);
    if (status == CT_OK && form.ordered) {
        struct ct_task in_any_order = *task;
        in_any_order.commutative = true;
        form = ct_normal_form_of(&in_any_order, plans, root);
        print = ct_fingerprint_of(&in_any_order, plans, &form);
        status = ct_known_add(&verifier->known, print, &form, ret_verdict);
    }
    return status;
}

/* Builds all ranks' plans. */
static int build(struct ct_verifier *verifier, const struct ct_method *method, const struct ct_call *call)
{
    size_t size = (size_t)call->size;
    int status = ct_grow(&verifier->plans, &verifier->plan_capacity, size, sizeof *verifier->plans);
    if (status != CT_OK)
        return status;
    for (; verifier->plan_count < size; verifier->plan_count++)
        verifier->plans[verifier->plan_count] = (struct ct_plan){0};
    for (int rank = 0; rank < call->size; rank++) {
        struct ct_call own = ct_call_of_rank(method->algorithm->collective, call, rank);
        ct_plan_reset(&verifier->plans[rank]);
        ct_method_build(method, &verifier->plans[rank], &own); /* a failure is in the plan's status */
    }
    return CT_OK;
}

static int verify(struct ct_verifier *verifier, const struct ct_method *method, const struct ct_call *call,
                  bool once, struct ct_error *error, struct ct_verdict *ret_verdict)
{
    enum ct_collective collective = method->algorithm->collective;
    if (!ct_has_plan(method->algorithm))
        return ct_fail(error, CT_E_INPUT, "%s/%s has no plan: the MPI library carries it out",
                       ct_collectives[collective].name, method->algorithm->name);
    struct ct_task task;
    struct ct_call routed = *call;
    int status = CT_OK;
    if (ct_needs_routes(method)) {
        status = ct_router_run(&verifier->router, method, call, error);
        routed.routes = verifier->router.routes;
    }
    if (status == CT_OK)
        status = build(verifier, method, &routed);
    if (status == CT_OK)
        status = ct_task_make(collective, call, &verifier->memory, &task);
    if (status == CT_OK)
        status = once ? ct_verify_plans_once(verifier, &task, verifier->plans, call->root, error, ret_verdict)
                      : ct_verify_plans(verifier, &task, verifier->plans, error, ret_verdict);
    return status;
}

int ct_verify(struct ct_verifier *verifier, const struct ct_method *method, const struct ct_call *call,
              struct ct_error *error, struct ct_verdict *ret_verdict)
{
    return verify(verifier, method, call, false, error, ret_verdict);
}

int ct_verify_once(struct ct_verifier *verifier, const struct ct_method *method, const struct ct_call *call,
                   struct ct_error *error, struct ct_verdict *ret_verdict)
{
    return verify(verifier, method, call, true, error, ret_verdict);
}
