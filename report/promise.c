/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/promise.h"
#include "base/memory.h"
#include "base/sort.h"
#include "decision/score.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Times in files are rounded, so intervals this much apart touch. */
static const double rounding = 1e-6;

/* The cell of these sizes and this mode (the first of several that differ in nodes or ppn); NULL where there
 * is none. */
static const struct ct_cell *cell_of(const struct ct_map *map, const struct ct_cell_key *key)
{
    for (size_t c = 0; c < map->cell_count; c++) {
        const struct ct_cell_key *is = &map->cells[c].key;
        if (is->comm_size == key->comm_size && is->msg_bytes == key->msg_bytes && is->mode == key->mode)
            return &map->cells[c];
    }
    return NULL;
}

/* Two methods as a cell of the run has them. False if one of them was not measured there. */
static bool find_cell(const struct ct_map *maps, size_t map_count, const struct ct_validation_point *point,
                      const struct ct_statistics **ret_native, const struct ct_statistics **ret_chosen)
{
    for (size_t i = 0; i < map_count; i++) {
        const struct ct_map *map = &maps[i];
        if (map->collective != point->collective)
            continue;
        const struct ct_cell *cell = cell_of(map, &point->key);
        size_t native = ct_score_native(map), chosen = ct_map_find_method(map, &point->method);
        if (!cell || native == SIZE_MAX || chosen == SIZE_MAX || cell->methods[native].count == 0 ||
            cell->methods[chosen].count == 0)
            return false;
        *ret_native = &cell->methods[native];
        *ret_chosen = &cell->methods[chosen];
        return true;
    }
    return false;
}

/* Adds the point to the means, which hold sums of logarithms as yet. */
static void add(const struct ct_map *maps, size_t map_count, const struct ct_validation_point *point,
                struct ct_promise *promise)
{
    const struct ct_statistics *native, *chosen;
    if (ct_is_native(point->method.algorithm) || point->key.comm_size != promise->comm_size ||
        !find_cell(maps, map_count, point, &native, &chosen))
        return;
    promise->points++;
    promise->promised += log(native->median / chosen->median);
    promise->validated += log(ct_validation_speed_up(point));
    promise->agree += native->low / chosen->high <= point->high * (1 + rounding) &&
                      point->low <= native->high / chosen->low * (1 + rounding);
}

/* The promises of one mode, whose points `part` has, to `promises`; returns how many there are. */
static size_t find_of_mode(const struct ct_map *maps, size_t map_count, const struct ct_validation *part,
                           enum ct_call_mode mode, size_t *sizes, struct ct_promise *promises)
{
    size_t found = 0;
    for (size_t i = 0; i < part->count; i++)
        sizes[i] = part->points[i].key.comm_size;
    const size_t size_count = ct_sort_unique(sizes, part->count);
    for (size_t s = 0; s < size_count; s++) {
        struct ct_promise promise = {.mode = mode, .comm_size = sizes[s]};
        for (size_t i = 0; i < part->count; i++)
            add(maps, map_count, &part->points[i], &promise);
        if (promise.points == 0)
            continue;
        promise.promised = exp(promise.promised / (double)promise.points);
        promise.validated = exp(promise.validated / (double)promise.points);
        promises[found++] = promise;
    }
    return found;
}

int ct_promises_find(const struct ct_map *maps, size_t map_count, const struct ct_validation *validation,
                     struct ct_promise **ret_promises, size_t *ret_count)
{
    size_t *sizes = ct_allocate(validation->count + 1, sizeof *sizes);
    struct ct_promise *promises = ct_allocate(validation->count + 1, sizeof *promises);
    size_t found = 0;
    if (!sizes || !promises) {
        free(sizes);
        free(promises);
        return CT_E_MEMORY;
    }
    for (int mode = 0; mode < CT_MODES; mode++) {
        const struct ct_validation part = ct_validation_of_mode(validation, (enum ct_call_mode)mode);
        found += find_of_mode(maps, map_count, &part, (enum ct_call_mode)mode, sizes, promises + found);
    }
    free(sizes);
    *ret_promises = promises;
    *ret_count = found;
    return CT_OK;
}
