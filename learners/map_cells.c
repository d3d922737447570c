/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/map_cells.h"
#include "base/memory.h"

#include <stdlib.h>

int ct_map_cells(const struct ct_map *map, const bool *keep, struct ct_map *ret_part)
{
    struct ct_map part = *map;
    part.cells = ct_allocate(map->cell_count, sizeof *part.cells);
    part.cell_count = 0;
    if (!part.cells)
        return CT_E_MEMORY;
    for (size_t i = 0; i < map->cell_count; i++)
        if (keep[i])
            part.cells[part.cell_count++] = map->cells[i];
    *ret_part = part;
    return CT_OK;
}

void ct_map_cells_free(struct ct_map *part)
{
    free(part->cells);
    *part = (struct ct_map){0};
}
