/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/contradiction.h"
#include "base/memory.h"
#include "base/statistics.h"
#include "decision/map_divided.h"

#include <math.h>
#include <stdlib.h>

/* By far more than the steps of methods that prefer powers of two, or that find another node. */
static const double apart = 3;
enum { METHODS_LEAST = 2, METHODS_PART = 4 };

/* A communicator size between its neighbours. */
struct between {
    const struct ct_map *map;
    size_t low, here, high;
    double *logs; /* scratch, by cell of the map */
};

static bool alike(const struct ct_cell_key *a, const struct ct_cell_key *b, const struct ct_cell_key *c)
{
    return ct_keys_share_part(a, b) && ct_keys_share_part(b, c) &&
           ((a->ppn == b->ppn && b->ppn == c->ppn) || (a->nodes == b->nodes && b->nodes == c->nodes));
}

/* The logarithm of the time here over that of the nearer neighbour in one cell: 0 if it lies between those of
 * the neighbours; NAN if the method was not measured in all three. */
static double deviation_in(const struct between *between, const struct ct_cell *cell, size_t method)
{
    const struct ct_cell *low = ct_map_find_cell(between->map, between->low, cell->key.msg_bytes);
    const struct ct_cell *high = ct_map_find_cell(between->map, between->high, cell->key.msg_bytes);
    if (!low || !high || !alike(&low->key, &cell->key, &high->key) || low->methods[method].count == 0 ||
        high->methods[method].count == 0 || cell->methods[method].count == 0)
        return NAN;
    double below = log(cell->methods[method].median / low->methods[method].median);
    double above = log(cell->methods[method].median / high->methods[method].median);
    if (below * above <= 0)
        return 0;
    return fabs(below) < fabs(above) ? below : above;
}

/* The median over message sizes; NAN if there is none. */
static double deviation_of(const struct between *between, size_t method)
{
    size_t count = 0;
    for (size_t c = 0; c < between->map->cell_count; c++) {
        const struct ct_cell *cell = &between->map->cells[c];
        double deviation = cell->key.comm_size == between->here ? deviation_in(between, cell, method) : NAN;
        if (!isnan(deviation))
            between->logs[count++] = deviation;
    }
    return ct_median(between->logs, count);
}

static bool is_native(const struct ct_map *map, size_t method)
{
    return ct_is_native(map->methods[method].algorithm);
}

/* Looks at one size in one direction: sign -1 is faster, 1 slower. */
static struct ct_contradiction look(const struct between *between, const double *deviations, int sign)
{
    const struct ct_map *map = between->map;
    struct ct_contradiction found = {.comm_size = between->here, .method = SIZE_MAX};
    for (size_t m = 0; m < map->method_count; m++) {
        if (isnan(deviations[m]))
            continue;
        found.compared++;
        if (sign * deviations[m] < log(apart))
            continue;
        found.methods++;
        if (found.method == SIZE_MAX || is_native(map, m) ||
            (!is_native(map, found.method) && fabs(deviations[m]) > fabs(deviations[found.method])))
            found.method = m;
    }
    if (found.method != SIZE_MAX)
        found.factor = exp(deviations[found.method]);
    return found;
}

static int find(const struct ct_map *map, const size_t *sizes, size_t size_count,
                struct ct_contradiction *found, size_t *ret_count)
{
    double *deviations = ct_allocate(map->method_count, sizeof *deviations);
    struct between between = {.map = map, .logs = ct_allocate(map->cell_count, sizeof *between.logs)};
    int status = deviations && between.logs ? CT_OK : CT_E_MEMORY;
    size_t count = 0;
    for (size_t i = 1; status == CT_OK && i + 1 < size_count; i++) {
        between.low = sizes[i - 1];
        between.here = sizes[i];
        between.high = sizes[i + 1];
        for (size_t m = 0; m < map->method_count; m++)
            deviations[m] = deviation_of(&between, m);
        for (int sign = -1; sign <= 1; sign += 2) {
            const struct ct_contradiction one = look(&between, deviations, sign);
            if (one.methods >= METHODS_LEAST && one.methods * METHODS_PART >= one.compared)
                found[count++] = one;
        }
    }
    free(deviations);
    free(between.logs);
    *ret_count = count;
    return status;
}

int ct_contradictions_find(const struct ct_map *map, struct ct_contradiction **ret_found, size_t *ret_count)
{
    size_t *sizes, size_count, count = 0;
    if (ct_collectives[map->collective]
            .is_sparse) { /* patterns differ from one number of ranks to the next */
        *ret_found = NULL;
        *ret_count = 0;
        return CT_OK;
    }
    int status = ct_map_comm_sizes(map, &sizes, &size_count);
    if (status != CT_OK)
        return status;
    struct ct_contradiction *found = ct_allocate(2 * size_count + 1, sizeof *found); /* two directions */
    status = found ? find(map, sizes, size_count, found, &count) : CT_E_MEMORY;
    free(sizes);
    if (status == CT_OK) {
        *ret_found = found;
        *ret_count = count;
    } else {
        free(found);
    }
    return status;
}
