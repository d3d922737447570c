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

/* Two methods as a cell of the run has them. False if one of them was not measured there. */
static bool find_cell(const struct ct_map *maps, size_t map_count, const struct ct_validation_point *point,
                      const struct ct_statistics **ret_native, const struct ct_statistics **ret_chosen)
{
    for (size_t i = 0; i < map_count; i++) {
        const struct ct_map *map = &maps[i];
        if (map->collective != point->collective)
            continue;
        const struct ct_cell *cell = ct_map_find_cell(map, point->key.comm_size, point->key.msg_bytes);
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
    for (size_t i = 0; i < validation->count; i++)
        sizes[i] = validation->points[i].key.comm_size;
    const size_t size_count = ct_sort_unique(sizes, validation->count);
    for (size_t s = 0; s < size_count; s++) {
        struct ct_promise promise = {.comm_size = sizes[s]};
        for (size_t i = 0; i < validation->count; i++)
            add(maps, map_count, &validation->points[i], &promise);
        if (promise.points == 0)
            continue;
        promise.promised = exp(promise.promised / (double)promise.points);
        promise.validated = exp(promise.validated / (double)promise.points);
        promises[found++] = promise;
    }
    free(sizes);
    *ret_promises = promises;
    *ret_count = found;
    return CT_OK;
}
