/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/map_mappings.h"
#include "base/memory.h"

size_t ct_map_mappings(const struct ct_map *map, bool ret_occurs[CT_MAPPED_WAYS])
{
    size_t count = 0;
    for (size_t i = 0; i < CT_MAPPED_WAYS; i++)
        ret_occurs[i] = false;
    for (size_t c = 0; c < map->cell_count; c++)
        ret_occurs[map->cells[c].key.by] = true;
    for (size_t i = 0; i < CT_MAPPED_WAYS; i++)
        count += ret_occurs[i];
    return count;
}

int ct_map_of_mapping(const struct ct_map *map, enum ct_mapped_by mapping, struct ct_map *ret_part)
{
    struct ct_map part = *map;
    part.cells = ct_allocate(map->cell_count + 1, sizeof *part.cells);
    if (!part.cells)
        return CT_E_MEMORY;
    part.cell_count = 0;
    for (size_t c = 0; c < map->cell_count; c++)
        if (map->cells[c].key.by == mapping)
            part.cells[part.cell_count++] = map->cells[c];
    *ret_part = part;
    return CT_OK;
}
