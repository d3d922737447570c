/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/map_parts.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

int ct_learn_split(const struct ct_map *map, const bool *keep, struct ct_map *ret_kept,
                   struct ct_map *ret_others)
{
    struct ct_cell *cells = ct_allocate(map->cell_count, sizeof *cells);
    size_t kept = 0, placed = 0;
    if (!cells)
        return CT_E_MEMORY;
    for (size_t i = 0; i < map->cell_count; i++)
        if (keep[i])
            cells[kept++] = map->cells[i];
    placed = kept;
    for (size_t i = 0; i < map->cell_count; i++)
        if (!keep[i])
            cells[placed++] = map->cells[i];
    *ret_kept = *map;
    ret_kept->cells = cells;
    ret_kept->cell_count = kept;
    if (ret_others) {
        *ret_others = *map;
        ret_others->cells = cells + kept;
        ret_others->cell_count = map->cell_count - kept;
    }
    return CT_OK;
}

int ct_cell_groups_make(const size_t *group, size_t cell_count, size_t group_count,
                        struct ct_cell_groups *ret_groups)
{
    struct ct_cell_groups groups = {ct_allocate(group_count + 1, sizeof *groups.first),
                                    ct_allocate(cell_count, sizeof *groups.order)};
    if (!groups.first || !groups.order) {
        ct_cell_groups_free(&groups);
        return CT_E_MEMORY;
    }
    for (size_t i = 0; i < cell_count; i++) {
        assert(group[i] < group_count);
        groups.first[group[i]]++;
    }
    for (size_t g = 0; g < group_count; g++)
        groups.first[g + 1] += groups.first[g];
    for (size_t i = cell_count; i-- > 0;)
        groups.order[--groups.first[group[i]]] = i;
    *ret_groups = groups;
    return CT_OK;
}

void ct_cell_groups_free(struct ct_cell_groups *groups)
{
    free(groups->first);
    free(groups->order);
    *groups = (struct ct_cell_groups){0};
}
