/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/sweep_alone.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/sort.h"
#include "base/statistics.h"
#include "measure/sweep/conditions_where.h"
#include "samples/run_folder.h"

#include <assert.h>
#include <stdlib.h>

enum { ONE_OF = 20, LEAST = 3 };

/* --- choosing --- */

/* Both grids have the same cells of the first launch, and in each its methods, in one order. */
static void want(const struct ct_sweep_grid *measured, struct ct_sweep_grid *grid, size_t i)
{
    const struct ct_sweep_cell *before = &measured->cells[i];
    struct ct_sweep_cell *cell = &grid->cells[i];
    assert(before->collective == cell->collective && before->key.comm_size == cell->key.comm_size &&
           before->key.msg_bytes == cell->key.msg_bytes);
    cell->wanted = true;
    for (size_t m = 0; m < cell->method_count; m++) {
        const struct ct_sweep_slot *slot = &measured->slots[before->first + m];
        grid->slots[cell->first + m].wanted = slot->wanted && slot->status == CT_SAMPLE_OK;
    }
}

size_t ct_sweep_alone_choose(const struct ct_sweep_conditions *conditions,
                             const struct ct_sweep_grid *measured, uint32_t launch,
                             struct ct_sweep_grid *grid)
{
    uint64_t random = conditions->description.seed;
    size_t *candidates = ct_allocate(grid->cell_count, sizeof *candidates), count = 0;
    if (!candidates)
        return 0;
    for (size_t i = 0; i < grid->cell_count; i++) {
        struct ct_sweep_cell *cell = &grid->cells[i];
        cell->launch = launch;
        cell->wanted = false;
        if (ct_sweep_conditions_nodes(conditions, cell->key.comm_size) < conditions->nodes.count &&
            measured->cells[i].done)
            candidates[count++] = i;
    }
    if (count > 0)
        ct_shuffle(candidates, count, sizeof *candidates, &random);
    size_t chosen = (count + ONE_OF - 1) / ONE_OF;
    chosen = chosen < LEAST ? LEAST : chosen;
    chosen = chosen < count ? chosen : count;
    for (size_t i = 0; i < chosen; i++)
        want(measured, grid, candidates[i]);
    free(candidates);
    return chosen;
}

/* --- comparing --- */

/* The median of a method's samples in a cell, of this launch or of all before it; 0 if there are none. */
static double median_of(const struct ct_run *run, const struct ct_sample *like, uint32_t launch,
                        bool is_alone, double *seconds)
{
    size_t count = 0;
    for (size_t i = 0; i < run->sample_count; i++) {
        const struct ct_sample *sample = &run->samples[i];
        if (sample->method == like->method && ct_cell_key_compare(&sample->key, &like->key) == 0 &&
            sample->status == CT_SAMPLE_OK && (is_alone ? sample->launch == launch : sample->launch < launch))
            seconds[count++] = sample->seconds;
    }
    return count > 0 ? ct_median(seconds, count) : 0;
}

/* Is this the first sample of its method in its cell and launch? */
static bool is_first(const struct ct_run *run, size_t i)
{
    if (i == 0)
        return true;
    const struct ct_sample *before = &run->samples[i - 1], *sample = &run->samples[i];
    return before->method != sample->method || before->launch != sample->launch ||
           ct_cell_key_compare(&before->key, &sample->key) != 0;
}

static size_t compare(const struct ct_run *run, uint32_t launch, double *seconds, double *ratios)
{
    size_t count = 0;
    for (size_t i = 0; i < run->sample_count; i++) {
        const struct ct_sample *sample = &run->samples[i];
        if (sample->launch != launch || sample->status != CT_SAMPLE_OK || !is_first(run, i))
            continue;
        const double alone = median_of(run, sample, launch, true, seconds);
        const double beside = median_of(run, sample, launch, false, seconds);
        if (alone > 0 && beside > 0)
            ratios[count++] = beside / alone;
    }
    ct_sort(ratios, count);
    return count;
}

int ct_sweep_alone_compare(const char *folder, uint32_t launch, struct ct_error *error,
                           struct ct_sweep_interference *ret_found)
{
    const double outer = 0.1;
    struct ct_run run;
    int status = ct_run_read(folder, true, error, &run);
    if (status != CT_OK)
        return status;
    double *seconds = ct_allocate(run.sample_count, sizeof *seconds);
    double *ratios = ct_allocate(run.sample_count, sizeof *ratios);
    if (!seconds || !ratios)
        status = CT_E_MEMORY;
    size_t count = status == CT_OK ? compare(&run, launch, seconds, ratios) : 0;
    *ret_found = (struct ct_sweep_interference){count, 1, 1, 1};
    if (count > 0)
        *ret_found = (struct ct_sweep_interference){count, ct_quantile(ratios, count, 0.5),
                                                    ct_quantile(ratios, count, outer),
                                                    ct_quantile(ratios, count, 1 - outer)};
    free(seconds);
    free(ratios);
    ct_run_free(&run);
    return status;
}
