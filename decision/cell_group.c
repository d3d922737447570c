/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/cell_group.h"

#include <math.h>

size_t ct_group_best(const struct ct_map *map, const size_t *cells, size_t count, const bool *allowed)
{
    size_t best = SIZE_MAX, best_measured = 0;
    double best_mean = INFINITY;
    for (size_t method = 0; method < map->method_count; method++) {
        if (allowed && !allowed[method])
            continue;
        size_t measured = 0;
        double sum = 0;
        for (size_t i = 0; i < count; i++) {
            const struct ct_cell *cell = &map->cells[cells ? cells[i] : i];
            if (cell->best == SIZE_MAX || cell->methods[method].count == 0)
                continue;
            /* against the best of the cell: which cells are missing then matters least */
            sum += log(cell->methods[method].median / cell->methods[cell->best].median);
            measured++;
        }
        if (measured == 0 || measured < best_measured)
            continue;
        double mean = sum / (double)measured;
        if (measured > best_measured || mean < best_mean) {
            best = method;
            best_measured = measured;
            best_mean = mean;
        }
    }
    return best;
}
