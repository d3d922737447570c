/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/run.h"
#include "base/sort.h"

#include <stdlib.h>

const char *const ct_sample_status_names[CT_SAMPLE_STATUSES] = {
    [CT_SAMPLE_OK] = "ok",       [CT_SAMPLE_CRASHED] = "crashed",     [CT_SAMPLE_HUNG] = "hung",
    [CT_SAMPLE_WRONG] = "wrong", [CT_SAMPLE_PREDICTED] = "predicted", [CT_SAMPLE_COMMIT] = "commit",
};

void ct_run_free(struct ct_run *run)
{
    free(run->folder);
    if (run->methods != run->description.methods)
        free(run->methods);
    ct_run_description_free(&run->description);
    for (size_t i = 0; i < run->word_count; i++)
        free(run->words[i]);
    free(run->words);
    free(run->samples);
    free(run->cells);
    *run = (struct ct_run){0};
}

bool ct_run_measures(const struct ct_run *run, enum ct_collective collective)
{
    for (size_t i = 0; i < run->sample_count; i++)
        if (run->methods[run->samples[i].method].algorithm->collective == collective)
            return true;
    return false;
}

bool ct_run_has_cell(const struct ct_run *run, const struct ct_run_cell *cell)
{
    return run->cell_count > 0 &&
           bsearch(cell, run->cells, run->cell_count, sizeof *run->cells, ct_run_cell_compare) != NULL;
}

struct ct_run_cell ct_sample_cell(const struct ct_sample *sample, enum ct_collective collective)
{
    return (struct ct_run_cell){.launch = sample->launch, .collective = collective, .key = sample->key};
}

int ct_run_cell_compare(const void *a, const void *b)
{
    const struct ct_run_cell *left = a, *right = b;
    if (left->launch != right->launch)
        return CT_COMPARE(left->launch, right->launch);
    if (left->collective != right->collective)
        return CT_COMPARE(left->collective, right->collective);
    return ct_cell_key_compare(&left->key, &right->key);
}
