/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/validation_points.h"
#include "base/memory.h"
#include "base/sort.h"
#include "samples/element.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* A point and its order among those from which some are taken. */
struct candidate {
    struct ct_validation_cell cell;
    bool oversubscribed;
    double turn;
};

static int compare_turns(const void *a, const void *b)
{
    const struct candidate *left = a, *right = b;
    return CT_COMPARE(left->turn, right->turn);
}

/* Oversubscribed points come last, in turn: if time runs out, those that were taken still cover all sizes. */
static int compare_places(const void *a, const void *b)
{
    const struct candidate *left = a, *right = b;
    int order = CT_COMPARE(left->oversubscribed, right->oversubscribed);
    if (order == 0 && left->oversubscribed)
        return compare_turns(a, b);
    if (order == 0)
        order = CT_COMPARE(left->cell.key.comm_size, right->cell.key.comm_size);
    if (order == 0)
        order = CT_COMPARE(left->cell.key.msg_bytes, right->cell.key.msg_bytes);
    return order != 0 ? order : CT_COMPARE(left->cell.collective, right->cell.collective);
}

/* The point (p, m, c) of the grid in a lattice that fills the unit interval evenly along each of the three:
 * powers of the root of x^4 = x + 1, by which Roberts (2018) generalises the golden ratio to three
 * dimensions. */
static double turn_of(size_t p, size_t m, size_t c)
{
    double sum =
        0.8191725133961645 * (double)p + 0.6710436067037893 * (double)m + 0.5497004779019703 * (double)c;
    return sum - floor(sum);
}

static bool is_first(const struct ct_validation_grid *grid, enum ct_collective collective, size_t ranks,
                     size_t bytes)
{
    for (size_t i = 0; i < grid->first_count; i++)
        if (grid->first[i].collective == collective && grid->first[i].key.comm_size == ranks &&
            grid->first[i].key.msg_bytes == bytes)
            return true;
    return false;
}

int ct_validation_points(const struct ct_validation_grid *grid, struct ct_error *error,
                         struct ct_validation_cell **ret_points, size_t *ret_count)
{
    assert(grid->modes > 0);
    const size_t modes = (size_t)__builtin_popcount(grid->modes), most = grid->most / modes;
    size_t room, rooms, count = 0, placed = 0;
    if (!ct_multiply(grid->collective_count, grid->comm_size_count, &room) ||
        !ct_multiply(room, grid->msg_size_count, &room) || !ct_multiply(room, modes, &rooms))
        return CT_E_MEMORY;
    struct candidate *candidates = ct_allocate(room, sizeof *candidates);
    struct ct_validation_cell *points = ct_allocate(rooms, sizeof *points);
    int status = candidates && points ? CT_OK : CT_E_MEMORY;
    if (status != CT_OK)
        goto done;
    for (size_t p = 0; p < grid->comm_size_count; p++)
        for (size_t c = 0; c < grid->collective_count; c++) {
            const enum ct_collective collective = grid->collectives[c];
            const bool has_size = ct_collectives[collective].has_size;
            if (ct_collectives[collective].is_sparse) /* the grid has no patterns */
                continue;
            for (size_t m = 0; m < (has_size ? grid->msg_size_count : 1); m++) {
                const size_t bytes = has_size ? grid->msg_sizes[m] : 0, ranks = grid->comm_sizes[p];
                if (has_size && !ct_has_elements(collective, bytes))
                    continue;
                candidates[count++] = (struct candidate){
                    .cell = {.collective = collective,
                             .key = {.comm_size = (uint32_t)ranks, .msg_bytes = bytes}},
                    .oversubscribed = ranks > grid->cpus,
                    .turn = turn_of(p, m, c) - (is_first(grid, collective, ranks, bytes) ? 1 : 0)};
            }
        }
    if (count == 0) {
        status = ct_fail(error, CT_E_INPUT, "no point to validate: %s", ct_uneven_text);
        goto done;
    }
    qsort(candidates, count, sizeof *candidates, compare_turns);
    count = count < most ? count : most > 0 ? most : 1;
    qsort(candidates, count, sizeof *candidates, compare_places);
    for (uint32_t mode = 0; mode < CT_MODES; mode++)
        for (size_t i = 0; grid->modes & 1U << mode && i < count; i++) {
            points[placed] = candidates[i].cell;
            points[placed++].key.mode = mode;
        }
    *ret_points = points;
    *ret_count = placed;
    points = NULL;
done:
    free(candidates);
    free(points);
    return status;
}
