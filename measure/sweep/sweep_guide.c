/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/sweep_guide.h"
#include "base/memory.h"
#include "decision/map.h"
#include "learners/place.h"
#include "measure/sweep/guide_axes.h"
#include "measure/sweep/guide_gains.h"
#include "samples/run_folder.h"

#include <math.h>
#include <stdlib.h>

/* Later launches repeat the methods of a cell that were at most this much slower than the best. */
static const double again = 1.25;

/* A round has so many slots for each one that is known: estimates are made again before a few of them have
 * changed much, and making them takes little of the time. */
static const double growth = 0.25;

/* One collective, of a sparse one with one pattern, in the space of its sizes. */
struct plan {
    const struct ct_run_description *description;
    struct ct_sweep_grid *grid;
    enum ct_collective collective;
    size_t pattern; /* ct_pattern_id(); 0: none */
    struct ct_guide_axes axes;
    size_t *methods; /* index in the description of each method of the space */
    size_t *places;  /* and the reverse */
    struct ct_guide_space space;
    struct ct_cell_key *keys; /* by point */
    struct ct_map map;        /* of what is known; empty if that is nothing */
};

/* All collectives and patterns. */
struct plans {
    struct plan *data; /* of those that have cells */
    struct ct_guide_offers *offers;
    size_t count;
};

static bool is_of(const struct plan *plan, const struct ct_sweep_cell *cell, bool of_first_launch)
{
    return cell->collective == plan->collective && cell->key.pattern == plan->pattern &&
           (cell->launch == 0) == of_first_launch;
}

/* --- sizes and methods --- */

static size_t point_at(const struct plan *plan, const struct ct_cell_key *key)
{
    return ct_guide_axes_point(&plan->axes, key);
}

/* The sides of the space, from the cells of the first launch. */
static int find_axes(struct plan *plan)
{
    const struct ct_sweep_grid *grid = plan->grid;
    struct ct_cell_key *keys = ct_allocate(grid->cell_count, sizeof *keys);
    size_t cells = 0;
    if (!keys)
        return CT_E_MEMORY;
    for (size_t i = 0; i < grid->cell_count; i++)
        if (is_of(plan, &grid->cells[i], true))
            keys[cells++] = grid->cells[i].key;
    int status = ct_guide_axes_make(keys, cells, &plan->axes);
    free(keys);
    return status;
}

static int make_space(struct plan *plan)
{
    const struct ct_run_description *description = plan->description;
    size_t methods = 0;
    plan->methods = ct_allocate(description->method_count, sizeof *plan->methods);
    plan->places = ct_allocate(description->method_count, sizeof *plan->places);
    if (!plan->methods || !plan->places)
        return CT_E_MEMORY;
    for (size_t m = 0; m < description->method_count; m++) {
        if (description->methods[m].algorithm->collective != plan->collective)
            continue;
        plan->places[m] = methods;
        plan->methods[methods++] = m;
    }
    const struct ct_guide_axes *axes = &plan->axes;
    int status = ct_guide_space_make(axes->layers, axes->rows, axes->columns, methods, &plan->space);
    if (status != CT_OK)
        return status;
    plan->keys = ct_allocate(plan->space.points, sizeof *plan->keys);
    return plan->keys ? CT_OK : CT_E_MEMORY;
}

static void plan_free(struct plan *plan)
{
    ct_guide_axes_free(&plan->axes);
    free(plan->methods);
    free(plan->places);
    free(plan->keys);
    ct_map_free(&plan->map);
    ct_guide_space_free(&plan->space);
}

/* --- what is known --- */

/* Copies the medians of a cell of a map to the times of the space's methods. */
static void take_medians(const struct plan *plan, const struct ct_map *map, const struct ct_cell *cell,
                         double *seconds)
{
    const struct ct_run_description *description = plan->description;
    for (size_t m = 0; m < plan->space.methods; m++) {
        size_t method = ct_map_find_method(map, &description->methods[plan->methods[m]]);
        if (method != SIZE_MAX && cell->methods[method].count > 0)
            seconds[m] = cell->methods[method].median;
    }
}

/* The cell of a map that has the same pattern, and is nearest; NULL if none has a time. */
static const struct ct_cell *nearest(const struct plan *plan, const struct ct_map *map,
                                     const struct ct_cell_key *key)
{
    const size_t axes = plan->axes.layers > 1 ? CT_PLACE_AXES : CT_PLACE_PPN;
    const struct ct_cell *found = NULL;
    double least = INFINITY, here[CT_PLACE_AXES], there[CT_PLACE_AXES], way[CT_PLACE_AXES];
    ct_place_of(key, here);
    for (size_t i = 0; i < map->cell_count; i++) {
        ct_place_of(&map->cells[i].key, there);
        const double square = ct_place_way(here, there, axes, way);
        if (map->cells[i].best == SIZE_MAX || map->cells[i].key.pattern != key->pattern || square >= least)
            continue;
        found = &map->cells[i];
        least = square;
    }
    return found;
}

/* Reads the prior's times of the collective into the space. */
static int take_prior(struct plan *plan, const struct ct_run *prior, struct ct_error *error)
{
    struct ct_map map;
    if (prior->sample_count == 0 || !ct_run_measures(prior, plan->collective))
        return CT_OK;
    int status = ct_map_make(prior, plan->collective, error, &map);
    if (status != CT_OK)
        return status;
    for (size_t p = 0; p < plan->space.points; p++) {
        const struct ct_cell *from = nearest(plan, &map, &plan->keys[p]);
        if (from)
            take_medians(plan, &map, from, plan->space.prior + p * plan->space.methods);
    }
    ct_map_free(&map);
    return CT_OK;
}

static void take_grid(struct plan *plan)
{
    const struct ct_sweep_grid *grid = plan->grid;
    const struct ct_run_description *description = plan->description;
    struct ct_guide_space *space = &plan->space;
    for (size_t i = 0; i < grid->cell_count; i++) {
        const struct ct_sweep_cell *cell = &grid->cells[i];
        if (!is_of(plan, cell, true))
            continue;
        size_t point = point_at(plan, &cell->key);
        plan->keys[point] = cell->key;
        for (size_t m = 0; m < cell->method_count; m++) {
            size_t method = grid->slots[cell->first + m].method;
            space->applies[point * space->methods + plan->places[method]] = true;
        }
    }
    for (size_t m = 0; m < space->methods; m++)
        space->kept[m] = ct_is_native(description->methods[plan->methods[m]].algorithm);
}

static void take_known(struct plan *plan)
{
    const struct ct_sweep_grid *grid = plan->grid;
    for (size_t i = 0; i < grid->cell_count; i++)
        if (is_of(plan, &grid->cells[i], true))
            plan->space.measured[point_at(plan, &grid->cells[i].key)] = grid->cells[i].known;
}

/* Reads what is known of the collective, in a run without other patterns, into the space. */
static int take_run(struct plan *plan, const struct ct_run *run, struct ct_error *error)
{
    ct_map_free(&plan->map);
    if (!ct_run_measures(run, plan->collective))
        return CT_OK;
    int status = ct_map_make(run, plan->collective, error, &plan->map);
    for (size_t c = 0; status == CT_OK && c < plan->map.cell_count; c++) {
        const struct ct_cell *cell = &plan->map.cells[c];
        take_medians(plan, &plan->map, cell,
                     plan->space.seconds + point_at(plan, &cell->key) * plan->space.methods);
    }
    return status;
}

/* --- what is wanted --- */

/* Marks a cell as wanted, with the methods of the space that `slots` names. */
static void want(const struct plan *plan, struct ct_sweep_cell *cell, const bool *slots)
{
    for (size_t m = 0; m < cell->method_count; m++) {
        struct ct_sweep_slot *slot = &plan->grid->slots[cell->first + m];
        slot->wanted = slots[plan->places[slot->method]];
        cell->wanted |= slot->wanted;
    }
}

/* Marks these points of the space. */
static void want_points(const struct plan *plan, const bool *points, const bool *slots)
{
    const struct ct_sweep_grid *grid = plan->grid;
    for (size_t i = 0; i < grid->cell_count; i++) {
        size_t point = is_of(plan, &grid->cells[i], true) ? point_at(plan, &grid->cells[i].key) : SIZE_MAX;
        if (point != SIZE_MAX && points[point])
            want(plan, &grid->cells[i], slots + point * plan->space.methods);
    }
}

/* The next round of boxes; how many points it has is added to *ret_chosen. */
static int want_round(const struct plan *plan, size_t *ret_chosen)
{
    struct ct_guide_round round;
    int status = ct_guide_next(&plan->space, &ct_guide_standard, &round);
    if (status != CT_OK)
        return status;
    if (round.left > 0)
        want_points(plan, round.points, round.slots);
    *ret_chosen += round.left;
    ct_guide_round_free(&round);
    return CT_OK;
}

/* What measuring takes, by slot: what a method is given in a cell, or more if its fewest repetitions take
 * longer in the nearest cell. A simulated repetition counts as any other. */
static void find_costs(const struct plan *plan, double *costs)
{
    const struct ct_run_description *description = plan->description;
    const struct ct_guide_space *space = &plan->space;
    double fewest = (double)(description->warmup + description->least_repetitions);
    for (size_t p = 0; p < space->points; p++) {
        const struct ct_cell *from = nearest(plan, &plan->map, &plan->keys[p]);
        double *here = costs + p * space->methods;
        if (from && !plan->grid->exact)
            take_medians(plan, &plan->map, from, here);
        for (size_t m = 0; m < space->methods; m++)
            here[m] = plan->grid->exact ? 1 : fmax(description->most_seconds, fewest * here[m]);
    }
}

static int make_offers(const struct plan *plan, const volatile sig_atomic_t *stop, struct ct_error *error,
                       struct ct_guide_offers *ret_offers)
{
    const struct ct_guide_space *space = &plan->space;
    bool any = false;
    for (size_t c = 0; c < plan->map.cell_count; c++)
        any |= plan->map.cells[c].best != SIZE_MAX;
    if (!any)
        return CT_OK;
    double *costs = ct_allocate(space->points * space->methods, sizeof *costs);
    size_t *places = ct_allocate(space->methods, sizeof *places);
    int status = CT_E_MEMORY;
    if (costs && places) {
        find_costs(plan, costs);
        for (size_t m = 0; m < space->methods; m++)
            places[m] = ct_map_find_method(&plan->map, &plan->description->methods[plan->methods[m]]);
        status = ct_guide_offers_make(&plan->map, space, &ct_guide_standard, plan->keys, places, costs, stop,
                                      error, ret_offers);
    }
    free(costs);
    free(places);
    return status;
}

/* Once no box is halved: the cells of all collectives that are worth most. */
static int want_by_gain(struct plans *plans, const volatile sig_atomic_t *stop, struct ct_error *error,
                        size_t *ret_chosen)
{
    size_t slots = 0;
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < plans->count; i++) {
        const struct plan *plan = &plans->data[i];
        for (size_t s = 0; s < plan->space.points * plan->space.methods; s++)
            slots += plan->space.seconds[s] > 0;
        status = make_offers(plan, stop, error, &plans->offers[i]);
    }
    if (status == CT_OK)
        *ret_chosen = ct_guide_take(plans->offers, plans->count, (size_t)((double)slots * growth) + 1);
    for (size_t i = 0; i < plans->count; i++) {
        if (status == CT_OK && plans->offers[i].space)
            want_points(&plans->data[i], plans->offers[i].points, plans->offers[i].slots);
        ct_guide_offers_free(&plans->offers[i]);
    }
    return status;
}

static int want_again(const struct plan *plan, bool *ret_any)
{
    const struct ct_sweep_grid *grid = plan->grid;
    const struct ct_guide_space *space = &plan->space;
    bool *slots = ct_allocate(space->methods, sizeof *slots);
    if (!slots)
        return CT_E_MEMORY;
    for (size_t i = 0; i < grid->cell_count; i++) {
        if (!is_of(plan, &grid->cells[i], false))
            continue;
        const double *seconds = space->seconds + point_at(plan, &grid->cells[i].key) * space->methods;
        double best = INFINITY;
        for (size_t m = 0; m < space->methods; m++)
            best = seconds[m] > 0 && seconds[m] < best ? seconds[m] : best;
        for (size_t m = 0; m < space->methods; m++)
            slots[m] = seconds[m] > 0 && (space->kept[m] || seconds[m] <= again * best);
        want(plan, &grid->cells[i], slots);
        *ret_any |= grid->cells[i].wanted && !grid->cells[i].done;
    }
    free(slots);
    return CT_OK;
}

/* --- plans --- */

static void plans_free(struct plans *plans)
{
    for (size_t i = 0; i < plans->count; i++)
        plan_free(&plans->data[i]);
    free(plans->data);
    free(plans->offers);
}

/* Adds the plan of a collective, of a sparse one with that pattern, unless no message size suits it. */
static int add_plan(const struct plan *blank, const struct ct_run *prior, struct ct_error *error,
                    struct plans *plans)
{
    struct plan *plan = &plans->data[plans->count];
    bool any = false;
    for (size_t i = 0; i < blank->grid->cell_count && !any; i++)
        any = is_of(blank, &blank->grid->cells[i], true);
    if (!any)
        return CT_OK;
    *plan = *blank;
    plans->count++;
    int status = find_axes(plan);
    if (status == CT_OK)
        status = make_space(plan);
    if (status != CT_OK)
        return status;
    take_grid(plan);
    return take_prior(plan, prior, error);
}

static int plans_make(const struct ct_run_description *description, const struct ct_run *prior,
                      struct ct_sweep_grid *grid, struct ct_error *error, struct plans *plans)
{
    const size_t most =
        description->collective_count * (description->pattern_count > 0 ? description->pattern_count : 1);
    int status = CT_OK;
    *plans = (struct plans){.data = ct_allocate(most, sizeof *plans->data),
                            .offers = ct_allocate(most, sizeof *plans->offers)};
    if (!plans->data || !plans->offers)
        return CT_E_MEMORY;
    for (size_t c = 0; status == CT_OK && c < description->collective_count; c++) {
        struct plan blank = {
            .description = description, .grid = grid, .collective = description->collectives[c]};
        const size_t patterns = ct_collectives[blank.collective].is_sparse ? description->pattern_count : 0;
        if (patterns == 0)
            status = add_plan(&blank, prior, error, plans);
        for (size_t i = 0; status == CT_OK && i < patterns; i++) {
            blank.pattern = ct_pattern_id(description->patterns[i]);
            status = add_plan(&blank, prior, error, plans);
        }
    }
    return status;
}

/* --- rounds --- */

/* The run with the samples of the plan's known cells alone. The samples are the caller's. */
static struct ct_run known_part(const struct ct_run *run, const struct plan *plan, struct ct_sample *samples)
{
    struct ct_run part = *run;
    part.samples = samples;
    part.sample_count = 0;
    for (size_t i = 0; i < run->sample_count; i++) {
        const struct ct_sample *sample = &run->samples[i];
        if (sample->launch == 0 && sample->key.pattern == plan->pattern &&
            run->methods[sample->method].algorithm->collective == plan->collective &&
            plan->space.measured[point_at(plan, &sample->key)])
            part.samples[part.sample_count++] = *sample;
    }
    return part;
}

/* Marks the next round, which follows from what is known; how many points it has. */
static int choose_round(const struct ct_run *run, const volatile sig_atomic_t *stop, struct plans *plans,
                        struct ct_error *error, size_t *ret_chosen)
{
    size_t chosen = 0;
    int status = CT_OK;
    struct ct_sample *samples = ct_allocate(run->sample_count ? run->sample_count : 1, sizeof *samples);
    if (!samples)
        return CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < plans->count; i++) {
        take_known(&plans->data[i]);
        const struct ct_run part = known_part(run, &plans->data[i], samples);
        status = take_run(&plans->data[i], &part, error);
        if (status == CT_OK)
            status = want_round(&plans->data[i], &chosen);
    }
    if (status == CT_OK && chosen == 0)
        status = want_by_gain(plans, stop, error, &chosen);
    free(samples);
    if (status == CT_OK)
        *ret_chosen = chosen;
    return status;
}

/* Slots that later rounds and launches will want, for the budget: in total the first launch takes about a
 * quarter of the grid's slots, and each later launch half as many as the first. */
static size_t foresee(const struct ct_run_description *description, const struct ct_sweep_grid *grid,
                      const struct ct_run *run)
{
    size_t launches = description->launches, measured = 0;
    size_t now = ct_sweep_grid_slots_left(grid, 0, grid->cell_count);
    size_t first = grid->slot_count / launches / 4, all = first + first / 2 * (launches - 1);
    for (size_t i = 0; i < run->sample_count; i++)
        measured += run->samples[i].rep == 0;
    return all > measured + 2 * now ? all - measured - now : now;
}

/* Marks the first round that is not completely measured; none in the end. Those before it become known. */
static int guide(const struct ct_run *run, const volatile sig_atomic_t *stop, struct plans *plans,
                 struct ct_sweep_grid *grid, struct ct_error *error, bool *ret_any)
{
    for (;;) {
        size_t chosen;
        for (size_t i = 0; i < grid->cell_count; i++)
            grid->cells[i].wanted = false;
        int status = choose_round(run, stop, plans, error, &chosen);
        if (status != CT_OK)
            return status;
        for (size_t i = 0; i < grid->cell_count; i++)
            *ret_any |= grid->cells[i].wanted && !grid->cells[i].done;
        if (chosen == 0 || *ret_any)
            return CT_OK;
        for (size_t i = 0; i < grid->cell_count; i++)
            grid->cells[i].known |= grid->cells[i].wanted;
    }
}

int ct_sweep_guide(const struct ct_run_description *description, const char *folder,
                   const struct ct_run *prior, const volatile sig_atomic_t *stop, struct ct_sweep_grid *grid,
                   struct ct_error *error, bool *ret_any, size_t *ret_to_come)
{
    struct ct_run run = {0};
    struct plans plans = {0};
    bool any = false;
    size_t to_come = 0;
    int status = folder ? ct_run_read(folder, true, error, &run) : CT_OK;
    if (status == CT_OK)
        status = plans_make(description, prior, grid, error, &plans);
    if (status == CT_OK)
        status = guide(&run, stop, &plans, grid, error, &any);
    if (any)
        to_come = foresee(description, grid, &run);
    for (size_t i = 0; status == CT_OK && !any && i < plans.count; i++)
        status = want_again(&plans.data[i], &any);
    plans_free(&plans);
    ct_run_free(&run);
    if (status == CT_OK) {
        *ret_any = any;
        *ret_to_come = to_come;
    }
    return status;
}
