/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/places.h"

#include "base/memory.h"
#include "base/sort.h"
#include "samples/element.h"

#include <stdlib.h>

/* The key of a cell that was not measured. */
static struct ct_cell_key guess_key(const struct ct_map *map, size_t comm_size, size_t msg_bytes)
{
    uint32_t ranks = (uint32_t)comm_size, nodes = 1, ppn = 1;
    for (size_t i = 0; i < map->cell_count; i++) {
        struct ct_cell_key key = map->cells[i].key;
        if (key.comm_size == comm_size) {
            key.msg_bytes = msg_bytes;
            return key;
        }
        nodes = key.nodes > nodes ? key.nodes : nodes;
        ppn = key.ppn > ppn ? key.ppn : ppn;
    }
    ppn = nodes == 1 || ppn > ranks ? ranks : ppn;
    return (struct ct_cell_key){.nodes = (ranks + ppn - 1) / ppn,
                                .ppn = ppn,
                                .comm_size = ranks,
                                .msg_bytes = msg_bytes,
                                .by = map->cell_count > 0 ? map->cells[0].key.by : CT_MAPPED_BY_UNKNOWN,
                                .mode = map->cell_count > 0 ? map->cells[0].key.mode : CT_MODE_BLOCKING};
}

static int compare_sizes_of_keys(const void *a, const void *b)
{
    const struct ct_cell_key *left = a, *right = b;
    int order = CT_COMPARE(left->comm_size, right->comm_size);
    return order ? order : CT_COMPARE(left->msg_bytes, right->msg_bytes);
}

int ct_places_make(const struct ct_map *map, const struct ct_run_description *description,
                   struct ct_places *ret_places)
{
    const bool has_size = ct_collectives[map->collective].has_size;
    const size_t msg_count = has_size ? description->msg_size_count : 1;
    size_t room;
    if (!ct_multiply(description->comm_size_count, msg_count, &room))
        return CT_E_LIMIT;
    struct ct_places places = {.keys = ct_allocate(map->cell_count + room + 1, sizeof *places.keys),
                               .count = map->cell_count,
                               .measured = map->cell_count};
    struct ct_cell_key *sorted = ct_allocate(map->cell_count + 1, sizeof *sorted);
    if (!places.keys || !sorted) {
        free(sorted);
        ct_places_free(&places);
        return CT_E_MEMORY;
    }
    for (size_t i = 0; i < map->cell_count; i++)
        places.keys[i] = sorted[i] = map->cells[i].key;
    qsort(sorted, map->cell_count, sizeof *sorted, compare_sizes_of_keys);
    for (size_t i = 0; i < room; i++) {
        size_t bytes = has_size ? description->msg_sizes[i % msg_count] : 0;
        struct ct_cell_key key = guess_key(map, description->comm_sizes[i / msg_count], bytes);
        if (ct_has_elements(map->collective, bytes) &&
            !bsearch(&key, sorted, map->cell_count, sizeof *sorted, compare_sizes_of_keys))
            places.keys[places.count++] = key;
    }
    free(sorted);
    *ret_places = places;
    return CT_OK;
}

void ct_places_free(struct ct_places *places)
{
    free(places->keys);
    *places = (struct ct_places){0};
}
