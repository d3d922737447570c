/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_MAP_PARTS_H
#define CT_LEARNERS_MAP_PARTS_H

#include "decision/map.h"

/* Some of the cells of a map. */

/* Splits the cells of a map: `*ret_kept` gets those that `keep` (by cell) names, `*ret_others` the rest
 * (NULL: not wanted). Both keep the order of the cells and borrow everything from the map but `cells`. CT_OK,
 * CT_E_MEMORY. Caller frees ret_kept->cells, which holds the cells of both. */
int ct_learn_split(const struct ct_map *map, const bool *keep, struct ct_map *ret_kept,
                   struct ct_map *ret_others);

/* Cells by group: those of group g are order[first[g]] up to order[first[g + 1]], in the map's order. */
struct ct_cell_groups {
    size_t *first;
    size_t *order;
};

/* `group` is by cell, below `group_count`. CT_OK, CT_E_MEMORY. Caller frees with ct_cell_groups_free(). */
int ct_cell_groups_make(const size_t *group, size_t cell_count, size_t group_count,
                        struct ct_cell_groups *ret_groups);
void ct_cell_groups_free(struct ct_cell_groups *groups);

#endif
