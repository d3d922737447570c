/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/guide_gains.h"
#include "base/memory.h"
#include "learners/expected_gain.h"
#include "learners/place.h"

#include <math.h>
#include <stdlib.h>

/* Cells where all methods together are expected to gain no more are not offered. */
static const double enough = 0.005;

/* Of the largest expected gain of a method in a cell, the part that others must have to be measured, too. */
static const double part = 0.05;

/* Points that are taken together differ by more than so many layers, rows or columns. */
enum { APART = 2 };

void ct_guide_offers_free(struct ct_guide_offers *offers)
{
    free(offers->slots);
    free(offers->value);
    free(offers->points);
    *offers = (struct ct_guide_offers){0};
}

/* --- what measurements are worth --- */

/* The call at a point, whose ranks lie on each node as those of the cell with the nearest number of ranks. */
static struct ct_cell_key call_at(const struct ct_map *map, const struct ct_cell_key *key)
{
    struct ct_cell_key call = *key;
    double least = INFINITY;
    for (size_t c = 0; c < map->cell_count && key->nodes == 0; c++) {
        const struct ct_cell_key *known = &map->cells[c].key;
        double far = fabs(log((double)known->comm_size / (double)key->comm_size));
        if (far >= least || known->ppn == 0)
            continue;
        least = far;
        call.ppn = known->ppn < call.comm_size ? known->ppn : call.comm_size;
        call.nodes = far > 0 ? (call.comm_size + call.ppn - 1) / call.ppn : known->nodes;
        call.yield = known->yield;
    }
    return call;
}

static bool is_wanted(const struct ct_guide_space *space, size_t point)
{
    for (size_t m = 0; m < space->methods && !space->measured[point]; m++)
        if (space->applies[point * space->methods + m])
            return true;
    return false;
}

static bool has_only_failed(const struct ct_map *map, size_t method)
{
    bool failed = false;
    for (size_t c = 0; c < map->cell_count; c++) {
        if (map->cells[c].methods[method].count > 0)
            return false;
        failed |= map->cells[c].methods[method].failed;
    }
    return failed;
}

/* By slot, what it is worth to measure it, INFINITY if nothing is known of the method; and by point, what it
 * is worth to measure all methods. */
static int find_gains(const struct ct_map *map, const struct ct_guide_space *space,
                      const struct ct_cell_key *keys, const size_t *places, const volatile sig_atomic_t *stop,
                      struct ct_error *error, double *gains, double *worth)
{
    size_t points = space->points, count = 0, taken = 0;
    struct ct_measurement *candidates = ct_allocate(points * (space->methods + 1), sizeof *candidates);
    double *found = ct_allocate(points * (space->methods + 1), sizeof *found);
    int status = candidates && found ? CT_OK : CT_E_MEMORY;
    for (size_t p = 0; status == CT_OK && p < points; p++) {
        if (!is_wanted(space, p))
            continue;
        const struct ct_cell_key call = call_at(map, &keys[p]);
        for (size_t m = 0; m < space->methods; m++)
            if (places[m] != SIZE_MAX)
                candidates[count++] = (struct ct_measurement){call, places[m]};
        candidates[count++] = (struct ct_measurement){call, CT_EVERY_METHOD};
    }
    if (status == CT_OK)
        status = ct_expected_gains(map, candidates, count, stop, error, found);
    for (size_t p = 0; status == CT_OK && p < points; p++) {
        if (!is_wanted(space, p))
            continue;
        for (size_t m = 0; m < space->methods; m++)
            gains[p * space->methods + m] = places[m] == SIZE_MAX ? INFINITY : found[taken++];
        worth[p] = found[taken++];
    }
    for (size_t m = 0; status == CT_OK && m < space->methods; m++)
        for (size_t p = 0; p < points && places[m] != SIZE_MAX && has_only_failed(map, places[m]); p++)
            gains[p * space->methods + m] = 0;
    free(candidates);
    free(found);
    return status;
}

/* --- what is offered --- */

/* The best methods of the nearest cells that were measured: one of them would be chosen today. Without it, a
 * cell would not tell whether another one is better. */
static void add_best_around(struct ct_guide_offers *offers, const struct ct_map *map,
                            const struct ct_cell_key *key, const size_t *places, size_t point)
{
    const struct ct_guide_space *space = offers->space;
    const size_t axes = space->layers > 1 ? CT_PLACE_AXES : CT_PLACE_PPN;
    struct ct_quarters around = {{NULL}};
    double here[CT_PLACE_AXES], there[CT_PLACE_AXES], way[CT_PLACE_AXES];
    ct_place_of(key, here);
    for (size_t c = 0; c < map->cell_count; c++) {
        ct_place_of(&map->cells[c].key, there);
        const double square = ct_place_way(here, there, axes, way);
        ct_quarters_take(&around, &map->cells[c], way, square);
    }
    for (int q = 0; q < CT_QUARTERS; q++) {
        const size_t best = around.nearest[q] ? around.nearest[q]->best : SIZE_MAX;
        for (size_t s = point * space->methods, m = 0; best != SIZE_MAX && m < space->methods; s++, m++)
            offers->slots[s] |= space->applies[s] && places[m] == best;
    }
}

/* The methods that are worth most, and what is kept. */
static void choose_methods(struct ct_guide_offers *offers, const double *gains, size_t point)
{
    const struct ct_guide_space *space = offers->space;
    const size_t first = point * space->methods;
    double most = 0;
    for (size_t m = 0; m < space->methods; m++)
        if (isfinite(gains[first + m]))
            most = fmax(most, gains[first + m]);
    for (size_t m = 0; m < space->methods; m++) {
        double gain = gains[first + m];
        offers->slots[first + m] = space->applies[first + m] &&
                                   (space->kept[m] || (isfinite(gain) && gain > 0 && gain >= part * most));
    }
}

/* The best point to try a method at of which nothing is known; SIZE_MAX if there is none. */
static size_t find_trial(const struct ct_guide_space *space, const struct ct_guide_rules *rules,
                         const double *gains, const double *worth, size_t method)
{
    size_t found = SIZE_MAX;
    for (size_t p = 0; p < space->points; p++) {
        size_t slot = p * space->methods + method;
        if (!space->measured[p] && space->applies[slot] && isinf(gains[slot]) &&
            ct_guide_is_hopeful(space, rules, p, method) && (found == SIZE_MAX || worth[p] > worth[found]))
            found = p;
    }
    return found;
}

static void offer(struct ct_guide_offers *offers, const struct ct_map *map,
                  const struct ct_guide_rules *rules, const struct ct_cell_key *keys, const size_t *places,
                  const double *costs, const double *gains, const double *worth)
{
    const struct ct_guide_space *space = offers->space;
    for (size_t p = 0; p < space->points; p++) {
        double cost = 0;
        if (!is_wanted(space, p))
            continue;
        choose_methods(offers, gains, p);
        add_best_around(offers, map, &keys[p], places, p);
        ct_guide_add_others(space, rules, p, offers->slots);
        for (size_t s = p * space->methods; s < (p + 1) * space->methods; s++)
            cost += offers->slots[s] ? costs[s] : 0;
        offers->value[p] = worth[p] > enough ? worth[p] / cost : 0;
    }
    for (size_t m = 0; m < space->methods; m++) {
        size_t trial = find_trial(space, rules, gains, worth, m);
        if (trial == SIZE_MAX)
            continue;
        offers->slots[trial * space->methods + m] = true;
        offers->value[trial] = INFINITY;
    }
}

int ct_guide_offers_make(const struct ct_map *map, const struct ct_guide_space *space,
                         const struct ct_guide_rules *rules, const struct ct_cell_key *keys,
                         const size_t *places, const double *costs, const volatile sig_atomic_t *stop,
                         struct ct_error *error, struct ct_guide_offers *ret_offers)
{
    size_t points = space->points, slots = points * space->methods;
    struct ct_guide_offers offers = {.space = space,
                                     .slots = ct_allocate(slots, sizeof *offers.slots),
                                     .value = ct_allocate(points, sizeof *offers.value),
                                     .points = ct_allocate(points, sizeof *offers.points)};
    double *gains = ct_allocate(slots, sizeof *gains), *worth = ct_allocate(points, sizeof *worth);
    int status = offers.slots && offers.value && offers.points && gains && worth ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK)
        status = find_gains(map, space, keys, places, stop, error, gains, worth);
    if (status == CT_OK) {
        offer(&offers, map, rules, keys, places, costs, gains, worth);
        *ret_offers = offers;
    } else {
        ct_guide_offers_free(&offers);
    }
    free(gains);
    free(worth);
    return status;
}

/* --- what is taken --- */

static bool is_near(size_t a, size_t b)
{
    return a > b ? a - b <= APART : b - a <= APART;
}

/* Will a point that is taken tell about this one, too? */
static bool is_told(const struct ct_guide_offers *offers, size_t point)
{
    const struct ct_guide_space *space = offers->space;
    const size_t columns = space->columns, area = space->rows * columns;
    for (size_t p = 0; p < space->points; p++)
        if (offers->points[p] && is_near(p / area, point / area) &&
            is_near(p % area / columns, point % area / columns) && is_near(p % columns, point % columns))
            return true;
    return false;
}

size_t ct_guide_take(struct ct_guide_offers *offers, size_t count, size_t slots)
{
    size_t taken = 0, used = 0;
    while (used < slots) {
        struct ct_guide_offers *from = NULL;
        size_t point = 0;
        for (size_t i = 0; i < count; i++)
            for (size_t p = 0; offers[i].space && p < offers[i].space->points; p++)
                if (offers[i].value[p] > (from ? from->value[point] : 0)) {
                    from = &offers[i];
                    point = p;
                }
        if (!from)
            break;
        from->value[point] = 0;
        if (is_told(from, point))
            continue;
        from->points[point] = true;
        taken++;
        for (size_t m = 0; m < from->space->methods; m++)
            used += from->slots[point * from->space->methods + m];
    }
    return taken;
}
