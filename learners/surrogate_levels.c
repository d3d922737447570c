/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/surrogate_levels.h"
#include "base/memory.h"
#include "learners/surrogate_values.h"

#include <math.h>
#include <stdlib.h>

/* Where all cells have the same methods, the first round is exact. */
enum { ROUNDS = 100 };
static const double enough = 1e-6;

static bool is_taken(const struct ct_map *map, const bool *allowed, size_t cell, size_t method)
{
    return allowed[method] && ct_surrogate_measured(map, cell, method);
}

/* The mean over a cell's methods of what their effects do not explain. */
static double level_of(const struct ct_map *map, const bool *allowed, const double *effects, size_t cell)
{
    double sum = 0, count = 0;
    for (size_t m = 0; m < map->method_count; m++)
        if (is_taken(map, allowed, cell, m)) {
            sum += log(map->cells[cell].methods[m].median) - effects[m];
            count++;
        }
    return count > 1 ? sum / count : NAN;
}

/* The mean over a method's cells of what their levels do not explain. */
static double effect_of(const struct ct_map *map, const bool *allowed, const double *levels, size_t method)
{
    double sum = 0, count = 0;
    for (size_t c = 0; c < map->cell_count; c++)
        if (is_taken(map, allowed, c, method) && !isnan(levels[c])) {
            sum += log(map->cells[c].methods[method].median) - levels[c];
            count++;
        }
    return count > 0 ? sum / count : 0;
}

int ct_surrogate_find_levels(const struct ct_map *map, const bool *allowed, double *ret_levels)
{
    double *effects = ct_allocate(map->method_count, sizeof *effects), change = INFINITY;
    if (!effects)
        return CT_E_MEMORY;
    for (int round = 0; round < ROUNDS && change > enough; round++) {
        change = 0;
        for (size_t c = 0; c < map->cell_count; c++)
            ret_levels[c] = level_of(map, allowed, effects, c);
        for (size_t m = 0; m < map->method_count; m++) {
            double effect = effect_of(map, allowed, ret_levels, m);
            change = fmax(change, fabs(effect - effects[m]));
            effects[m] = effect;
        }
    }
    free(effects);
    return CT_OK;
}
