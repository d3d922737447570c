/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/sweep_guide.h"
#include "base/memory.h"
#include "base/sort.h"
#include "decision/map.h"
#include "measure/sweep/guide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Later launches repeat the methods of a cell that were at most this much slower than the best. */
static const double again = 1.25;

/* One collective, on the plane of its sizes. */
struct plan {
    const struct ct_run_description *description;
    struct ct_sweep_grid *grid;
    enum ct_collective collective;
    size_t *comm_sizes; /* rows, rising */
    size_t *msg_sizes;  /* columns */
    size_t *methods;    /* index in the description of each method of the plane */
    size_t *places;     /* and the reverse */
    struct ct_guide_plane plane;
};

static bool is_of(const struct plan *plan, const struct ct_sweep_cell *cell, bool of_first_launch)
{
    return cell->collective == plan->collective && (cell->launch == 0) == of_first_launch;
}

/* --- sizes and methods --- */

static size_t place_of(const size_t *sizes, size_t count, size_t size)
{
    const size_t *at = bsearch(&size, sizes, count, sizeof *sizes, ct_compare_sizes);
    return (size_t)(at - sizes);
}

static size_t point_of(const struct plan *plan, const struct ct_sweep_cell *cell)
{
    return place_of(plan->comm_sizes, plan->plane.rows, cell->key.comm_size) * plan->plane.columns +
           place_of(plan->msg_sizes, plan->plane.columns, cell->key.msg_bytes);
}

static int find_sides(struct plan *plan)
{
    const struct ct_sweep_grid *grid = plan->grid;
    const struct ct_run_description *description = plan->description;
    size_t cells = 0, methods = 0;
    plan->comm_sizes = ct_allocate(grid->cell_count, sizeof *plan->comm_sizes);
    plan->msg_sizes = ct_allocate(grid->cell_count, sizeof *plan->msg_sizes);
    plan->methods = ct_allocate(description->method_count, sizeof *plan->methods);
    plan->places = ct_allocate(description->method_count, sizeof *plan->places);
    if (!plan->comm_sizes || !plan->msg_sizes || !plan->methods || !plan->places)
        return CT_E_MEMORY;
    for (size_t i = 0; i < grid->cell_count; i++) {
        if (!is_of(plan, &grid->cells[i], true))
            continue;
        plan->comm_sizes[cells] = grid->cells[i].key.comm_size;
        plan->msg_sizes[cells++] = grid->cells[i].key.msg_bytes;
    }
    for (size_t m = 0; m < description->method_count; m++) {
        if (description->methods[m].algorithm->collective != plan->collective)
            continue;
        plan->places[m] = methods;
        plan->methods[methods++] = m;
    }
    size_t rows = ct_sort_unique(plan->comm_sizes, cells), columns = ct_sort_unique(plan->msg_sizes, cells);
    if (cells == 0) /* no message size suits the collective */
        return CT_OK;
    return ct_guide_plane_make(rows, columns, methods, &plan->plane);
}

/* --- what is known --- */

/* Copies the medians of a cell of a map to the times of the plane's methods. */
static void take_medians(const struct plan *plan, const struct ct_map *map, const struct ct_cell *cell,
                         double *seconds)
{
    const struct ct_run_description *description = plan->description;
    for (size_t m = 0; m < plan->plane.methods; m++) {
        size_t method = ct_map_find_method(map, &description->methods[plan->methods[m]]);
        if (method != SIZE_MAX && cell->methods[method].count > 0)
            seconds[m] = cell->methods[method].median;
    }
}

static double doublings(size_t size)
{
    return size > 1 ? log2((double)size) : 0;
}

/* The cell of a map that is nearest in sizes; NULL if none has a time. */
static const struct ct_cell *nearest(const struct ct_map *map, size_t comm_size, size_t msg_bytes)
{
    const struct ct_cell *found = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < map->cell_count; i++) {
        const struct ct_cell *cell = &map->cells[i];
        double distance = hypot(doublings(cell->key.comm_size) - doublings(comm_size),
                                doublings(cell->key.msg_bytes) - doublings(msg_bytes));
        if (cell->best == SIZE_MAX || distance >= least)
            continue;
        found = cell;
        least = distance;
    }
    return found;
}

/* Reads a run's times of the collective into the plane: those of the sweep's run, or of the prior, whose
 * sizes may differ. */
static int take_run(struct plan *plan, const struct ct_run *run, bool is_prior, struct ct_error *error)
{
    const struct ct_sweep_grid *grid = plan->grid;
    struct ct_map map;
    if (!ct_run_measures(run, plan->collective))
        return CT_OK;
    int status = ct_map_make(run, plan->collective, error, &map);
    if (status != CT_OK)
        return status;
    for (size_t i = 0; i < grid->cell_count; i++) {
        const struct ct_sweep_cell *cell = &grid->cells[i];
        if (!is_of(plan, cell, true))
            continue;
        const struct ct_cell *from = is_prior
                                         ? nearest(&map, cell->key.comm_size, cell->key.msg_bytes)
                                         : ct_map_find_cell(&map, cell->key.comm_size, cell->key.msg_bytes);
        double *seconds = is_prior ? plan->plane.prior : plan->plane.seconds;
        if (from)
            take_medians(plan, &map, from, seconds + point_of(plan, cell) * plan->plane.methods);
    }
    ct_map_free(&map);
    return CT_OK;
}

static void take_grid(struct plan *plan)
{
    const struct ct_sweep_grid *grid = plan->grid;
    const struct ct_run_description *description = plan->description;
    struct ct_guide_plane *plane = &plan->plane;
    for (size_t i = 0; i < grid->cell_count; i++) {
        const struct ct_sweep_cell *cell = &grid->cells[i];
        if (!is_of(plan, cell, true))
            continue;
        size_t point = point_of(plan, cell);
        plane->measured[point] = cell->done;
        for (size_t m = 0; m < cell->method_count; m++) {
            size_t method = grid->slots[cell->first + m].method;
            plane->applies[point * plane->methods + plan->places[method]] = true;
        }
    }
    for (size_t m = 0; m < plane->methods; m++)
        plane->kept[m] = ct_is_native(description->methods[plan->methods[m]].algorithm);
}

/* --- what is wanted --- */

/* Marks a cell as wanted, with the methods of the plane that `slots` names. */
static void want(const struct plan *plan, struct ct_sweep_cell *cell, const bool *slots)
{
    for (size_t m = 0; m < cell->method_count; m++) {
        struct ct_sweep_slot *slot = &plan->grid->slots[cell->first + m];
        slot->wanted = slots[plan->places[slot->method]];
        cell->wanted |= slot->wanted;
    }
}

static int want_round(const struct plan *plan, bool *ret_any)
{
    const struct ct_sweep_grid *grid = plan->grid;
    struct ct_guide_round round;
    int status = ct_guide_next(&plan->plane, &ct_guide_standard, &round);
    if (status != CT_OK)
        return status;
    for (size_t i = 0; round.left > 0 && i < grid->cell_count; i++) {
        if (!is_of(plan, &grid->cells[i], true))
            continue;
        size_t point = point_of(plan, &grid->cells[i]);
        if (round.points[point])
            want(plan, &grid->cells[i], round.slots + point * plan->plane.methods);
    }
    *ret_any |= round.left > 0;
    ct_guide_round_free(&round);
    return CT_OK;
}

static int want_again(const struct plan *plan, bool *ret_any)
{
    const struct ct_sweep_grid *grid = plan->grid;
    const struct ct_guide_plane *plane = &plan->plane;
    bool *slots = ct_allocate(plane->methods, sizeof *slots);
    if (!slots)
        return CT_E_MEMORY;
    for (size_t i = 0; i < grid->cell_count; i++) {
        if (!is_of(plan, &grid->cells[i], false))
            continue;
        size_t point = point_of(plan, &grid->cells[i]);
        const double *seconds = plane->seconds + point * plane->methods;
        double best = INFINITY;
        for (size_t m = 0; m < plane->methods; m++)
            best = seconds[m] > 0 && seconds[m] < best ? seconds[m] : best;
        for (size_t m = 0; m < plane->methods; m++)
            slots[m] = seconds[m] > 0 && (plane->kept[m] || seconds[m] <= again * best);
        want(plan, &grid->cells[i], slots);
        *ret_any |= grid->cells[i].wanted && !grid->cells[i].done;
    }
    free(slots);
    return CT_OK;
}

/* Marks what one collective wants, chosen by `want_cells`. */
static int plan_collective(struct plan *plan, const struct ct_run *run, const struct ct_run *prior,
                           int (*want_cells)(const struct plan *, bool *), struct ct_error *error,
                           bool *ret_any)
{
    int status = find_sides(plan);
    if (status != CT_OK || plan->plane.rows == 0)
        return status;
    take_grid(plan);
    if ((status = take_run(plan, run, false, error)) != CT_OK ||
        (prior->sample_count > 0 && (status = take_run(plan, prior, true, error)) != CT_OK))
        return status;
    return want_cells(plan, ret_any);
}

/* --- rounds --- */

/* Reads the run so far, with the samples of the first launch alone. */
static int read_first_launch(const char *folder, struct ct_error *error, struct ct_run *ret_run)
{
    int status = ct_run_read(folder, true, error, ret_run);
    if (status != CT_OK)
        return status;
    size_t kept = 0;
    for (size_t i = 0; i < ret_run->sample_count; i++)
        if (ret_run->samples[i].launch == 0)
            ret_run->samples[kept++] = ret_run->samples[i];
    ret_run->sample_count = kept;
    return CT_OK;
}

/* Slots that later rounds and launches will want, for the budget: in total the first launch takes about an
 * eighth of the grid's slots, and each later launch half as many as the first. */
static size_t foresee(const struct ct_run_description *description, const struct ct_sweep_grid *grid,
                      const struct ct_run *run)
{
    size_t launches = description->launches, measured = 0;
    size_t now = ct_sweep_grid_slots_left(grid, 0, grid->cell_count);
    size_t first = grid->slot_count / launches / 8, all = first + first / 2 * (launches - 1);
    for (size_t i = 0; i < run->sample_count; i++)
        measured += run->samples[i].rep == 0;
    return all > measured + 2 * now ? all - measured - now : now;
}

int ct_sweep_guide(const struct ct_run_description *description, const char *folder,
                   const struct ct_run *prior, struct ct_sweep_grid *grid, struct ct_error *error,
                   bool *ret_any, size_t *ret_to_come)
{
    static int (*const ways[])(const struct plan *, bool *) = {want_round, want_again};
    struct ct_run run = {0};
    bool any = false;
    size_t to_come = 0;
    for (size_t i = 0; i < grid->cell_count; i++)
        grid->cells[i].wanted = false;
    int status = folder ? read_first_launch(folder, error, &run) : CT_OK;
    for (size_t w = 0; status == CT_OK && !any && w < sizeof ways / sizeof ways[0]; w++) {
        for (size_t c = 0; status == CT_OK && c < description->collective_count; c++) {
            struct plan plan = {
                .description = description, .grid = grid, .collective = description->collectives[c]};
            status = plan_collective(&plan, &run, prior, ways[w], error, &any);
            free(plan.comm_sizes);
            free(plan.msg_sizes);
            free(plan.methods);
            free(plan.places);
            ct_guide_plane_free(&plan.plane);
        }
        to_come = w == 0 ? foresee(description, grid, &run) : 0;
    }
    ct_run_free(&run);
    if (status == CT_OK) {
        *ret_any = any;
        *ret_to_come = to_come;
    }
    return status;
}
