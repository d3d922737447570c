/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/place.h"

#include <math.h>

static double doublings(size_t size)
{
    return size > 1 ? log2((double)size) : 0;
}

void ct_place_of(const struct ct_cell_key *key, double ret_place[CT_PLACE_AXES])
{
    ret_place[CT_PLACE_COMM] = doublings(key->comm_size);
    ret_place[CT_PLACE_MSG] = doublings(key->msg_bytes);
    ret_place[CT_PLACE_PPN] = doublings(key->ppn);
}

double ct_place_way(const double *from, const double *to, size_t axes, double ret_way[CT_PLACE_AXES])
{
    double square = 0;
    for (size_t a = 0; a < axes; a++) {
        ret_way[a] = to[a] - from[a];
        square += ret_way[a] * ret_way[a];
    }
    return square;
}

void ct_quarters_take(struct ct_quarters *quarters, const struct ct_cell *cell, const double *way,
                      double square)
{
    for (int q = 0; q < CT_QUARTERS; q++) {
        bool is_in = (q & 1 ? way[CT_PLACE_COMM] >= 0 : way[CT_PLACE_COMM] <= 0) &&
                     (q & 2 ? way[CT_PLACE_MSG] >= 0 : way[CT_PLACE_MSG] <= 0);
        if (!is_in || (quarters->nearest[q] && square >= quarters->squares[q]))
            continue;
        quarters->nearest[q] = cell;
        quarters->squares[q] = square;
    }
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
