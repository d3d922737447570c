/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/neighbors.h"
#include "base/memory.h"
#include "base/sort.h"

#include <stdio.h>
#include <stdlib.h>

int ct_neighbors_order(const int *ranks, size_t count, size_t **ret_order)
{
    size_t *order = ct_allocate(count + 1, sizeof *order);
    struct ct_keyed *places = ct_allocate(2 * count + 1, sizeof *places);
    if (!order || !places) {
        free(order);
        free(places);
        return CT_E_MEMORY;
    }
    for (size_t i = 0; i < count; i++)
        places[i] = (struct ct_keyed){(uint64_t)ranks[i], i};
    const struct ct_keyed *sorted = ct_sort_keyed(places, places + count, count);
    for (size_t i = 0; i < count; i++)
        order[i] = sorted[i].value;
    free(places);
    *ret_order = order;
    return CT_OK;
}

size_t ct_neighbors_find(const int *ranks, const size_t *order, size_t count, int rank)
{
    size_t begin = 0, end = count;
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        if (ranks[order[middle]] < rank)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

char *ct_neighbors_format(const struct ct_neighbors *ranks, int size, char text[CT_NEIGHBORS_TEXT])
{
    enum { EDGE_TEXT = 32 };
    size_t used = 0;
    text[0] = '\0';
    for (int rank = 0; rank < size; rank++)
        for (size_t i = 0; i < ranks[rank].out_count; i++) {
            if (used + EDGE_TEXT > CT_NEIGHBORS_TEXT) {
                snprintf(text + used, CT_NEIGHBORS_TEXT - used, ",...");
                return text;
            }
            used += (size_t)snprintf(text + used, CT_NEIGHBORS_TEXT - used, "%s%d>%d", used > 0 ? "," : "",
                                     rank, ranks[rank].out[i]);
        }
    return text;
}
