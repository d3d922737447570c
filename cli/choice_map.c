/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/choice_map.h"
#include "base/memory.h"
#include "decision/score.h"

#include <stdlib.h>

/* Index of the method, which is added where it is new; there is room. */
static size_t add_method(struct ct_map *choices, const struct ct_method *method)
{
    const size_t found = ct_map_find_method(choices, method);
    if (found != SIZE_MAX)
        return found;
    choices->methods[choices->method_count] = *method;
    return choices->method_count++;
}

int ct_choice_map_make(const struct ct_decision_tree *tree, const struct ct_map *map,
                       struct ct_map *ret_choices)
{
    struct ct_map choices = {.collective = map->collective, .predicted = true, .patterns = map->patterns};
    choices.methods = ct_allocate(map->cell_count + 1, sizeof *choices.methods);
    choices.cells = ct_allocate(map->cell_count + 1, sizeof *choices.cells);
    int status = choices.methods && choices.cells ? CT_OK : CT_E_MEMORY;
    for (; status == CT_OK && choices.cell_count < map->cell_count; choices.cell_count++) {
        struct ct_cell *cell = &choices.cells[choices.cell_count];
        cell->key = map->cells[choices.cell_count].key;
        cell->best = add_method(&choices, ct_score_method(tree, &cell->key));
    }
    for (size_t c = 0; status == CT_OK && c < choices.cell_count; c++) {
        struct ct_cell *cell = &choices.cells[c];
        cell->methods = ct_allocate(choices.method_count, sizeof *cell->methods);
        cell->standings = ct_allocate(choices.method_count, sizeof *cell->standings);
        if (!cell->methods || !cell->standings) {
            status = CT_E_MEMORY;
            break;
        }
        for (size_t m = 0; m < choices.method_count; m++)
            cell->standings[m] = m == cell->best ? CT_STANDING_BEST : CT_STANDING_UNMEASURED;
    }
    if (status == CT_OK)
        *ret_choices = choices;
    else
        ct_choice_map_free(&choices);
    return status;
}

void ct_choice_map_free(struct ct_map *choices)
{
    for (size_t c = 0; c < choices->cell_count; c++) {
        free(choices->cells[c].methods);
        free(choices->cells[c].standings);
    }
    free(choices->cells);
    free(choices->methods);
    *choices = (struct ct_map){0};
}
