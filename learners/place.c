/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/place.h"

#include <math.h>

static double doublings(size_t size)
{
    return size > 1 ? log2((double)size) : 0;
}

void ct_place_of(const struct ct_cell_key *key, double *ret_place)
{
    ret_place[CT_PLACE_COMM] = doublings(key->comm_size);
    ret_place[CT_PLACE_MSG] = doublings(key->msg_bytes);
    ret_place[CT_PLACE_PPN] = doublings(key->ppn);
}

bool ct_map_has_layouts(const struct ct_map *map)
{
    for (size_t a = 0; a < map->cell_count; a++)
        for (size_t b = a + 1; b < map->cell_count; b++)
            if (map->cells[a].key.comm_size == map->cells[b].key.comm_size &&
                map->cells[a].key.ppn != map->cells[b].key.ppn)
                return true;
    return false;
}

size_t ct_place_axes(const struct ct_map *map)
{
    return ct_map_has_layouts(map) ? CT_PLACE_AXES : CT_PLACE_PPN;
}

void ct_place_ranks(const struct ct_map *map, struct ct_cell_key *key)
{
    const struct ct_cell_key *nearest = NULL;
    for (size_t c = 0; c < map->cell_count; c++) {
        const struct ct_cell_key *other = &map->cells[c].key;
        bool is_better =
            !nearest || (other->comm_size <= key->comm_size
                             ? nearest->comm_size > key->comm_size || other->comm_size > nearest->comm_size
                             : other->comm_size < nearest->comm_size);
        if (is_better)
            nearest = other;
    }
    key->nodes = nearest->nodes;
    key->ppn = nearest->ppn;
}
