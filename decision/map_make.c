/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "decision/map_internal.h"

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

static int compare_samples(const void *a, const void *b, void *context)
{
    const struct sorting *sorting = context;
    const struct ct_sample *left = &sorting->samples[*(const size_t *)a];
    const struct ct_sample *right = &sorting->samples[*(const size_t *)b];
    int order = ct_cell_key_compare(&left->key, &right->key);
    if (order != 0)
        return order;
    size_t left_method = sorting->places[left->method], right_method = sorting->places[right->method];
    if (left_method != right_method)
        return left_method < right_method ? -1 : 1;
    bool left_failed = !ct_sample_has_time(left->status), right_failed = !ct_sample_has_time(right->status);
    if (left_failed || right_failed)
        return right_failed - left_failed;
    if (left->launch != right->launch)
        return left->launch < right->launch ? -1 : 1;
    return (left->seconds > right->seconds) - (left->seconds < right->seconds);
}

/* Indices of the collective's samples in that order: a method's failed ones first, then
 * launch after launch, rising times in each. */
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

/* --- the map --- */

static int take_cells(const struct ct_run *run, const size_t *places, struct ct_map *map)
{
    size_t *order, count, capacity = 0;
    int status = sort_samples(run, places, &order, &count);
    if (status != CT_OK)
        return status;
    for (size_t begin = 0, used = 0; status == CT_OK && begin < count; begin += used) {
        status = ct_grow(&map->cells, &capacity, map->cell_count + 1, sizeof *map->cells);
        if (status == CT_OK)
            status = ct_map_make_cell(map, run, places, order + begin, count - begin,
                                      &map->cells[map->cell_count], &used);
        if (status == CT_OK)
            map->cell_count++;
    }
    free(order);
    return status;
}

static bool is_by(const struct ct_run *run, const char *backend)
{
    return strcmp(run->description.backend, backend) == 0;
}

int ct_map_make_within(const struct ct_run *run, enum ct_collective collective, double margin,
                       struct ct_error *error, struct ct_map *ret_map)
{
    struct ct_map map = {.collective = collective, .margin = margin, .predicted = is_by(run, "predicted")};
    map.exact = map.predicted || is_by(run, "simulated"); /* nothing ran */
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

int ct_map_make(const struct ct_run *run, enum ct_collective collective, struct ct_error *error,
                struct ct_map *ret_map)
{
    return ct_map_make_within(run, collective, CT_MARGIN, error, ret_map);
}
