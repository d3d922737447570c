/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_CHOICE_MAP_H
#define CT_CLI_CHOICE_MAP_H

#include "decision/map.h"
#include "decision/tree/tree.h"

/* What a tree chooses in the cells of a map, as a map that holds nothing else: its methods are those that are
 * chosen, `best` of a cell is the choice, and nothing is measured. CT_OK or CT_E_MEMORY. Caller frees with
 * ct_choice_map_free(). */
int ct_choice_map_make(const struct ct_decision_tree *tree, const struct ct_map *map,
                       struct ct_map *ret_choices);
void ct_choice_map_free(struct ct_map *choices);

#endif
