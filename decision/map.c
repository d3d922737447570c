/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "decision/map_internal.h"

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

int ct_map_values(const struct ct_map *map, enum ct_feature feature, size_t **ret_values, size_t *ret_count)
{
    size_t *values = ct_allocate(map->cell_count, sizeof *values), count = 0;
    if (!values)
        return CT_E_MEMORY;
    for (size_t i = 0; i < map->cell_count; i++)
        values[i] = ct_key_features(&map->cells[i].key).value[feature];
    qsort(values, map->cell_count, sizeof *values, compare_sizes);
    for (size_t i = 0; i < map->cell_count; i++)
        if (count == 0 || values[i] != values[count - 1])
            values[count++] = values[i];
    *ret_values = values;
    *ret_count = count;
    return CT_OK;
}

int ct_map_comm_sizes(const struct ct_map *map, size_t **ret_sizes, size_t *ret_count)
{
    return ct_map_values(map, CT_FEATURE_COMM_SIZE, ret_sizes, ret_count);
}

int ct_map_msg_sizes(const struct ct_map *map, size_t **ret_sizes, size_t *ret_count)
{
    return ct_map_values(map, CT_FEATURE_MSG_BYTES, ret_sizes, ret_count);
}

const struct ct_cell *ct_map_find_cell(const struct ct_map *map, size_t comm_size, size_t msg_bytes)
{
    for (size_t i = 0; i < map->cell_count; i++)
        if (map->cells[i].key.comm_size == comm_size && map->cells[i].key.msg_bytes == msg_bytes)
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
