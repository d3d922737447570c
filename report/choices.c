/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/choices.h"

#include "base/memory.h"
#include "decision/score.h"

#include <math.h>
#include <stdlib.h>

int ct_choices_make(const struct ct_map *map, const struct ct_decision_tree *tree, size_t method,
                    struct ct_choices *ret_choices)
{
    struct ct_choices choices = {.methods = ct_allocate(map->cell_count + 1, sizeof *choices.methods),
                                 .seconds = ct_allocate(map->cell_count + 1, sizeof *choices.seconds),
                                 .penalties = ct_allocate(map->cell_count + 1, sizeof *choices.penalties),
                                 .count = map->cell_count};
    if (!choices.methods || !choices.seconds || !choices.penalties) {
        ct_choices_free(&choices);
        return CT_E_MEMORY;
    }
    for (size_t i = 0; i < map->cell_count; i++) {
        const struct ct_cell *cell = &map->cells[i];
        size_t chosen = tree ? ct_score_choice(tree, map, cell) : method != SIZE_MAX ? method : cell->best;
        bool known = chosen != SIZE_MAX && cell->methods[chosen].count > 0;
        choices.methods[i] = chosen;
        choices.seconds[i] = known ? cell->methods[chosen].median : NAN;
        choices.penalties[i] = known ? ct_cell_penalty(cell, chosen) : NAN;
    }
    *ret_choices = choices;
    return CT_OK;
}

void ct_choices_free(struct ct_choices *choices)
{
    free(choices->methods);
    free(choices->seconds);
    free(choices->penalties);
    *choices = (struct ct_choices){0};
}

double ct_choices_speed_up(const struct ct_choices *choices, const struct ct_choices *native)
{
    double logarithms = 0;
    size_t compared = 0;
    for (size_t i = 0; i < choices->count && native->count == choices->count; i++) {
        if (!isfinite(native->seconds[i]) || !isfinite(choices->seconds[i]))
            continue;
        logarithms += log(native->seconds[i] / choices->seconds[i]);
        compared++;
    }
    return compared ? exp(logarithms / (double)compared) : NAN;
}
