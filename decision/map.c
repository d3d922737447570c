/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/map.h"
#include "base/memory.h"
#include "decision/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- methods --- */

static int compare_methods(const void *a, const void *b)
{
    const struct ct_method *left = a, *right = b;
    if (left->algorithm != right->algorithm) /* as they stand in the registry */
        return left->algorithm < right->algorithm ? -1 : 1;
    for (int i = 0; i < CT_PARAMETERS_MAX; i++)
        if (left->values[i] != right->values[i])
            return left->values[i] < right->values[i] ? -1 : 1;
    return 0;
}

size_t ct_map_find_method(const struct ct_map *map, const struct ct_method *method)
{
    for (size_t i = 0; i < map->method_count; i++)
        if (ct_method_equal(&map->methods[i], method))
            return i;
    return SIZE_MAX;
}

/* The collective's methods into the map, in order; *ret_places has the map's index of each method of the run,
 * SIZE_MAX for other collectives'. */
static int take_methods(const struct ct_run *run, struct ct_map *map, size_t **ret_places)
{
    size_t *places = ct_allocate(run->method_count, sizeof *places);
    map->methods = ct_allocate(run->method_count, sizeof *map->methods);
    if (!places || !map->methods) {
        free(places);
        return CT_E_MEMORY;
    }
    for (size_t i = 0; i < run->method_count; i++)
        if (run->methods[i].algorithm->collective == map->collective)
            map->methods[map->method_count++] = run->methods[i];
    qsort(map->methods, map->method_count, sizeof *map->methods, compare_methods);
    for (size_t i = 0; i < run->method_count; i++)
        places[i] = ct_map_find_method(map, &run->methods[i]);
    *ret_places = places;
    return CT_OK;
}

/* --- samples, sorted by cell and method --- */

struct sorting {
    const struct ct_sample *samples;
    const size_t *places;
};

static int compare_cells(const struct ct_sample *left, const struct ct_sample *right)
{
    if (left->nodes != right->nodes)
        return left->nodes < right->nodes ? -1 : 1;
    if (left->ppn != right->ppn)
        return left->ppn < right->ppn ? -1 : 1;
    if (left->comm_size != right->comm_size)
        return left->comm_size < right->comm_size ? -1 : 1;
    return (left->msg_bytes > right->msg_bytes) - (left->msg_bytes < right->msg_bytes);
}

static int compare_samples(const void *a, const void *b, void *context)
{
    const struct sorting *sorting = context;
    const struct ct_sample *left = &sorting->samples[*(const size_t *)a];
    const struct ct_sample *right = &sorting->samples[*(const size_t *)b];
    int order = compare_cells(left, right);
    if (order != 0)
        return order;
    size_t left_method = sorting->places[left->method], right_method = sorting->places[right->method];
    if (left_method != right_method)
        return left_method < right_method ? -1 : 1;
    bool left_failed = left->status != CT_SAMPLE_OK, right_failed = right->status != CT_SAMPLE_OK;
    if (left_failed || right_failed)
        return right_failed - left_failed;
    return (left->seconds > right->seconds) - (left->seconds < right->seconds);
}

/* Indices of the collective's samples in that order: failed ones first, then rising times. */
static int sort_samples(const struct ct_run *run, const size_t *places, size_t **ret_order, size_t *ret_count)
{
    size_t *order = ct_allocate(run->sample_count, sizeof *order), count = 0;
    if (!order)
        return CT_E_MEMORY;
    for (size_t i = 0; i < run->sample_count; i++)
        if (places[run->samples[i].method] != SIZE_MAX)
            order[count++] = i;
    struct sorting sorting = {.samples = run->samples, .places = places};
    qsort_r(order, count, sizeof *order, compare_samples, &sorting);
    *ret_order = order;
    *ret_count = count;
    return CT_OK;
}

/* --- cells --- */

/* Of the sorted samples of one method in one cell. A method that failed even once cannot be chosen here, so
 * its good samples do not count. */
static struct ct_statistics statistics_of(const struct ct_run *run, const size_t *order, size_t count)
{
    if (run->samples[order[0]].status != CT_SAMPLE_OK)
        return (struct ct_statistics){0};
    size_t low, high;
    ct_median_interval(count, &low, &high);
    double lower = run->samples[order[(count - 1) / 2]].seconds,
           upper = run->samples[order[count / 2]].seconds;
    return (struct ct_statistics){.count = count,
                                  .median = lower + (upper - lower) / 2,
                                  .low = run->samples[order[low]].seconds,
                                  .high = run->samples[order[high]].seconds};
}

static void choose(struct ct_cell *cell, size_t method_count)
{
    cell->best = SIZE_MAX;
    for (size_t i = 0; i < method_count; i++)
        if (cell->methods[i].count > 0 &&
            (cell->best == SIZE_MAX || cell->methods[i].median < cell->methods[cell->best].median))
            cell->best = i;
    for (size_t i = 0; cell->best != SIZE_MAX && i < method_count; i++)
        cell->as_good[i] = i == cell->best || (cell->methods[i].count > 0 &&
                                               cell->methods[i].low <= cell->methods[cell->best].high);
}

/* The cell that the first of these samples is of; *ret_used says how many are. */
static int make_cell(const struct ct_run *run, const size_t *places, const size_t *order, size_t count,
                     size_t method_count, struct ct_cell *cell, size_t *ret_used)
{
    const struct ct_sample *first = &run->samples[order[0]];
    *cell = (struct ct_cell){.nodes = first->nodes,
                             .ppn = first->ppn,
                             .comm_size = first->comm_size,
                             .msg_bytes = first->msg_bytes,
                             .methods = ct_allocate(method_count, sizeof *cell->methods),
                             .as_good = ct_allocate(method_count, sizeof *cell->as_good)};
    if (!cell->methods || !cell->as_good) {
        free(cell->methods);
        free(cell->as_good);
        return CT_E_MEMORY;
    }
    size_t begin = 0;
    while (begin < count && compare_cells(&run->samples[order[begin]], first) == 0) {
        size_t method = places[run->samples[order[begin]].method], end = begin;
        while (end < count && compare_cells(&run->samples[order[end]], first) == 0 &&
               places[run->samples[order[end]].method] == method)
            end++;
        cell->methods[method] = statistics_of(run, order + begin, end - begin);
        begin = end;
    }
    choose(cell, method_count);
    *ret_used = begin;
    return CT_OK;
}

static int take_cells(const struct ct_run *run, const size_t *places, struct ct_map *map)
{
    size_t *order, count, capacity = 0;
    int status = sort_samples(run, places, &order, &count);
    if (status != CT_OK)
        return status;
    for (size_t begin = 0, used = 0; status == CT_OK && begin < count; begin += used) {
        status = ct_grow(&map->cells, &capacity, map->cell_count + 1, sizeof *map->cells);
        if (status == CT_OK)
            status = make_cell(run, places, order + begin, count - begin, map->method_count,
                               &map->cells[map->cell_count], &used);
        if (status == CT_OK)
            map->cell_count++;
    }
    free(order);
    return status;
}

int ct_map_make(const struct ct_run *run, enum ct_collective collective, struct ct_error *error,
                struct ct_map *ret_map)
{
    struct ct_map map = {.collective = collective};
    size_t *places;
    int status = take_methods(run, &map, &places);
    if (status == CT_OK) {
        status = take_cells(run, places, &map);
        free(places);
    }
    if (status == CT_OK && map.cell_count == 0)
        status = ct_fail(error, CT_E_INPUT, "%s: has no samples of %s", run->folder ? run->folder : "the run",
                         ct_collectives[collective].name);
    else if (status != CT_OK)
        ct_fail(error, status, "out of memory for the decision map of %s", ct_collectives[collective].name);
    if (status == CT_OK)
        *ret_map = map;
    else
        ct_map_free(&map);
    return status;
}

void ct_map_free(struct ct_map *map)
{
    for (size_t i = 0; i < map->cell_count; i++) {
        free(map->cells[i].methods);
        free(map->cells[i].as_good);
    }
    free(map->cells);
    free(map->methods);
    *map = (struct ct_map){0};
}

/* --- questions --- */

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
