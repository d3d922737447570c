/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "decision/map_parts.h"

#include <math.h>
#include <stdlib.h>

void ct_map_free(struct ct_map *map)
{
    for (size_t i = 0; i < map->cell_count; i++)
        ct_map_free_cell(&map->cells[i]);
    free(map->cells);
    free(map->methods);
    *map = (struct ct_map){0};
}

struct ct_features ct_cell_features(const struct ct_cell *cell)
{
    return (struct ct_features){.value = {[CT_COMM_SIZE] = cell->comm_size,
                                          [CT_MSG_BYTES] = cell->msg_bytes,
                                          [CT_NODES] = cell->nodes,
                                          [CT_PPN] = cell->ppn}};
}

size_t ct_map_find_method(const struct ct_map *map, const struct ct_method *method)
{
    for (size_t i = 0; i < map->method_count; i++)
        if (ct_method_equal(&map->methods[i], method))
            return i;
    return SIZE_MAX;
}

static int compare_sizes(const void *a, const void *b)
{
    size_t left = *(const size_t *)a, right = *(const size_t *)b;
    return (left > right) - (left < right);
}

static int sizes_of(const struct ct_map *map, size_t (*size_of)(const struct ct_cell *cell),
                    size_t **ret_sizes, size_t *ret_count)
{
    size_t *sizes = ct_allocate(map->cell_count, sizeof *sizes), count = 0;
    if (!sizes)
        return CT_E_MEMORY;
    for (size_t i = 0; i < map->cell_count; i++)
        sizes[i] = size_of(&map->cells[i]);
    qsort(sizes, map->cell_count, sizeof *sizes, compare_sizes);
    for (size_t i = 0; i < map->cell_count; i++)
        if (count == 0 || sizes[i] != sizes[count - 1])
            sizes[count++] = sizes[i];
    *ret_sizes = sizes;
    *ret_count = count;
    return CT_OK;
}

static size_t comm_size_of(const struct ct_cell *cell)
{
    return cell->comm_size;
}

static size_t msg_bytes_of(const struct ct_cell *cell)
{
    return cell->msg_bytes;
}

int ct_map_comm_sizes(const struct ct_map *map, size_t **ret_sizes, size_t *ret_count)
{
    return sizes_of(map, comm_size_of, ret_sizes, ret_count);
}

int ct_map_msg_sizes(const struct ct_map *map, size_t **ret_sizes, size_t *ret_count)
{
    return sizes_of(map, msg_bytes_of, ret_sizes, ret_count);
}

const struct ct_cell *ct_map_find_cell(const struct ct_map *map, size_t comm_size, size_t msg_bytes)
{
    for (size_t i = 0; i < map->cell_count; i++)
        if (map->cells[i].comm_size == comm_size && map->cells[i].msg_bytes == msg_bytes)
            return &map->cells[i];
    return NULL;
}

double ct_cell_penalty(const struct ct_cell *cell, size_t method)
{
    if (cell->best == SIZE_MAX || method == SIZE_MAX || cell->methods[method].count == 0)
        return NAN;
    return cell->methods[method].median / cell->methods[cell->best].median - 1;
}

double ct_cell_spread(const struct ct_cell *cell, size_t method)
{
    const struct ct_statistics *statistics = &cell->methods[method];
    if (statistics->count == 0)
        return NAN;
    double least = statistics->median, most = statistics->median;
    for (size_t i = 0; i < statistics->launches; i++) {
        double median = cell->launches[statistics->first_launch + i].median;
        least = fmin(least, median);
        most = fmax(most, median);
    }
    return most / least;
}
