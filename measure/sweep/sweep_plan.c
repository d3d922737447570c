/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/sweep_plan.h"
#include "base/memory.h"
#include "measure/sweep/sweep_conditions.h"
#include "samples/run_folder.h"

#include <stdlib.h>

/* Cells of a batch that are to be measured and are not counted yet, in another launch. */
static size_t count_cells(const struct ct_sweep_batch *batch, const struct ct_sweep_grid *grid,
                          bool *is_counted)
{
    size_t cells = 0;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        bool *counted = &is_counted[grid->cells[i].number];
        const bool is_new = !*counted && ct_sweep_grid_slots_left(grid, i, 1) > 0;
        *counted |= is_new;
        cells += is_new;
    }
    return cells;
}

/* Counts a batch among those with as many ranks on each node. */
static void count_part(const struct ct_sweep_batch *batch, size_t cells, size_t slots,
                       struct ct_sweep_plan *plan)
{
    const struct ct_placement whole = {batch->size, batch->ppn};
    size_t i = 0;
    while (i < plan->part_count && plan->parts[i].ppn != batch->ppn)
        i++;
    if (i == plan->part_count && i == CT_SWEEP_PLAN_PARTS)
        i--;
    else if (i == plan->part_count)
        plan->parts[plan->part_count++] = (struct ct_sweep_plan_part){.ppn = batch->ppn};
    struct ct_sweep_plan_part *part = &plan->parts[i];
    const size_t nodes = ct_placement_nodes(&whole);
    part->most_nodes = nodes > part->most_nodes ? nodes : part->most_nodes;
    part->slots += slots;
    part->cells += cells;
}

static int count(const struct ct_sweep_conditions *conditions, const struct ct_sweep_grid *grid,
                 struct ct_sweep_plan *plan)
{
    const struct ct_run_description *description = &conditions->description;
    bool *is_counted = ct_allocate(grid->distinct_count, sizeof *is_counted);
    if (!is_counted)
        return CT_E_MEMORY;
    for (size_t i = 0; i < grid->batch_count; i++) {
        const struct ct_sweep_batch *batch = &grid->batches[i];
        const size_t slots = ct_sweep_grid_slots_left(grid, batch->first, batch->count);
        const size_t cells = count_cells(batch, grid, is_counted);
        plan->cells += cells;
        plan->slots += slots;
        plan->jobs += slots > 0;
        if (slots > 0 && batch->size > plan->ranks)
            plan->ranks = batch->size;
        if (slots > 0 && batch->ppn > 0)
            count_part(batch, cells, slots, plan);
    }
    plan->nodes = conditions->nodes.count;
    plan->at_a_time = ct_sweep_conditions_at_a_time(conditions, grid);
    plan->is_guided = description->sweep.guided;
    plan->seconds = (double)plan->slots * description->most_seconds / plan->at_a_time;
    if (conditions->place.backend->exact)
        plan->seconds = 0;
    else if (description->sweep.budget > 0 && description->sweep.budget < plan->seconds)
        plan->seconds = description->sweep.budget;
    plan->launches = conditions->place.backend->exact ? 1 : description->launches;
    free(is_counted);
    return CT_OK;
}

int ct_sweep_plan_make(const struct ct_sweep_request *request, struct ct_error *error,
                       struct ct_sweep_plan *ret_plan)
{
    struct ct_run run = {0};
    struct ct_sweep_conditions conditions = {0};
    struct ct_sweep_grid grid = {0};
    struct ct_sweep_plan plan = {0};
    int status = request->resume ? ct_run_read(request->folder, true, error, &run) : CT_OK;
    if (status == CT_OK)
        status =
            ct_sweep_conditions_make(request, request->resume ? &run.description : NULL, error, &conditions);
    if (status == CT_OK) {
        const struct ct_sweep_division division = ct_sweep_conditions_division(&conditions);
        status = ct_sweep_grid_make(&conditions.description, &division, error, &grid);
    }
    if (status == CT_OK && request->resume)
        status = ct_sweep_grid_mark_done(&grid, &run);
    if (status == CT_OK)
        status = count(&conditions, &grid, &plan);
    if (status == CT_OK)
        *ret_plan = plan;
    ct_sweep_grid_free(&grid);
    ct_sweep_conditions_free(&conditions);
    ct_run_free(&run);
    return status;
}
