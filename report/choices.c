/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/choices.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* The method's index in the list, which it joins if it is new; SIZE_MAX: out of memory. */
static size_t index_of(const struct ct_method *method, struct ct_method_list *methods)
{
    const size_t i = ct_method_index(method, methods->items, methods->count);
    if (i < methods->count)
        return i;
    struct ct_method *grown = reallocarray(methods->items, i + 1, sizeof *grown);
    if (!grown)
        return SIZE_MAX;
    methods->items = grown;
    methods->items[methods->count++] = *method;
    return i;
}

int ct_choices_make(const struct ct_map *map, const struct ct_places *places,
                    const struct ct_decision_tree *tree, size_t method, struct ct_method_list *methods,
                    struct ct_choices *ret_choices)
{
    struct ct_choices choices = {.methods = ct_allocate(places->count + 1, sizeof *choices.methods),
                                 .seconds = ct_allocate(places->count + 1, sizeof *choices.seconds),
                                 .bounds = {ct_allocate(places->count + 1, sizeof **choices.bounds),
                                            ct_allocate(places->count + 1, sizeof **choices.bounds)},
                                 .penalties = ct_allocate(places->count + 1, sizeof *choices.penalties),
                                 .count = places->count};
    bool whole =
        choices.methods && choices.seconds && choices.bounds[0] && choices.bounds[1] && choices.penalties;
    for (size_t i = 0; whole && i < places->count; i++) {
        const struct ct_cell *cell = i < places->measured ? &map->cells[i] : NULL;
        size_t chosen = tree                 ? index_of(ct_score_method(tree, &places->keys[i]), methods)
                        : !cell              ? SIZE_MAX
                        : method != SIZE_MAX ? method
                                             : cell->best;
        bool known = cell && chosen < map->method_count && cell->methods[chosen].count > 0;
        choices.methods[i] = chosen;
        choices.seconds[i] = known ? cell->methods[chosen].median : NAN;
        choices.bounds[0][i] = known ? cell->methods[chosen].low : NAN;
        choices.bounds[1][i] = known ? cell->methods[chosen].high : NAN;
        choices.penalties[i] = known ? ct_cell_penalty(cell, chosen) : NAN;
        whole = !tree || chosen != SIZE_MAX;
    }
    if (!whole) {
        ct_choices_free(&choices);
        return CT_E_MEMORY;
    }
    *ret_choices = choices;
    return CT_OK;
}

void ct_choices_free(struct ct_choices *choices)
{
    free(choices->methods);
    free(choices->seconds);
    free(choices->bounds[0]);
    free(choices->bounds[1]);
    free(choices->penalties);
    *choices = (struct ct_choices){0};
}

int ct_choices_penalty(const struct ct_choices *choices, size_t cells, struct ct_penalty *ret_penalty)
{
    double *penalties = ct_allocate(cells + 1, sizeof *penalties);
    if (!penalties)
        return CT_E_MEMORY;
    for (size_t i = 0; i < cells; i++)
        penalties[i] = choices->penalties[i];
    *ret_penalty = ct_penalty_summarize(penalties, cells);
    free(penalties);
    return CT_OK;
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
