/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/statistics.h"
#include "decision/map.h"
#include "samples/samples_columns.h"
#include "samples/statistics/comparable.h"
#include "samples/statistics/estimate.h"

#include <assert.h>
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
        return CT_COMPARE(left_method, right_method);
    bool left_failed = !ct_sample_has_time(left->status), right_failed = !ct_sample_has_time(right->status);
    if (left_failed || right_failed)
        return right_failed - left_failed;
    order = CT_COMPARE(left->launch, right->launch);
    return order != 0 ? order : CT_COMPARE(left->seconds, right->seconds);
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

/* --- cells --- */

/* A cell while it is made: its samples' times in order, and what is known of each method. */
struct making {
    double *times;   /* which the cell keeps */
    double *medians; /* of one method's launches */
    double *numbers; /* of one method's overlaps */
    struct ct_evidence *evidence;
    size_t launch_capacity;
};

/* The launch's rising times, from times[begin] on, into the cell's launches; *ret_end is behind them. */
static int take_launch(const struct ct_run *run, const size_t *order, size_t begin, size_t count,
                       struct making *making, struct ct_cell *cell, size_t *ret_end)
{
    size_t end = begin;
    uint32_t launch = run->samples[order[begin]].launch;
    for (; end < count && run->samples[order[end]].launch == launch; end++)
        making->times[end] = run->samples[order[end]].seconds;
    int status =
        ct_grow(&cell->launches, &making->launch_capacity, cell->launch_count + 1, sizeof *cell->launches);
    if (status != CT_OK)
        return status;
    cell->launches[cell->launch_count++] =
        (struct ct_launch_median){.launch = launch,
                                  .count = end - begin,
                                  .median = ct_quantile(making->times + begin, end - begin, 0.5)};
    *ret_end = end;
    return CT_OK;
}

/* A clock that tells anything does not give the same time again and again. */
static bool is_constant(const double *times, size_t count)
{
    const size_t several = 3;
    size_t alike = 1;
    while (alike < count && times[alike] == times[0])
        alike++;
    return alike == count && count >= several;
}

/* The median of each number that samples have of their overlap. */
static struct ct_overlap overlap_of(const struct ct_run *run, const size_t *order, size_t count,
                                    double *numbers)
{
    struct ct_overlap medians = {0};
    for (size_t k = CT_COLUMNS_BLOCKING; k < CT_COLUMNS_DENSE; k++) {
        for (size_t i = 0; i < count; i++) {
            struct ct_overlap overlap = run->samples[order[i]].overlap;
            numbers[i] = *ct_overlap_number(&overlap, &ct_samples_columns[k]);
        }
        *ct_overlap_number(&medians, &ct_samples_columns[k]) = ct_median(numbers, count);
    }
    return medians;
}

/* The median set-up of a method's samples, each launch's counting as often as it has samples. */
static double set_up_of(const struct ct_run *run, const size_t *order, size_t count, double *numbers)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = run->samples[order[i]].set_up;
    return ct_median(numbers, count);
}

/* Statistics and evidence of one method from its sorted samples. One that failed even once cannot be chosen
 * here, so its good samples do not count. */
static int take_method(const struct ct_run *run, const size_t *order, size_t begin, size_t end, size_t method,
                       struct making *making, struct ct_cell *cell)
{
    cell->methods[method].failed = !ct_sample_has_time(run->samples[order[begin]].status);
    if (cell->methods[method].failed)
        return CT_OK;
    size_t first = cell->launch_count, last = begin;
    bool predicted = false;
    for (size_t i = begin; i < end; i++)
        predicted |= run->samples[order[i]].status == CT_SAMPLE_PREDICTED;
    int status = CT_OK;
    for (size_t at = begin; status == CT_OK && at < end;) {
        last = at;
        status = take_launch(run, order, at, end, making, cell, &at);
    }
    if (status != CT_OK)
        return status;
    size_t launches = cell->launch_count - first;
    for (size_t i = 0; i < launches; i++)
        making->medians[i] = cell->launches[first + i].median;
    struct ct_estimate estimate = launches > 1 ? ct_estimate_of_launches(making->medians, launches)
                                               : ct_estimate_of_samples(making->times + last, end - last);
    cell->methods[method] =
        (struct ct_statistics){.count = end - begin,
                               .median = estimate.median,
                               .low = estimate.low,
                               .high = estimate.high,
                               .predicted = predicted,
                               .constant = is_constant(making->times + begin, end - begin),
                               .launches = launches,
                               .first_launch = first,
                               .first_time = begin};
    if (cell->key.mode != CT_MODE_BLOCKING)
        cell->methods[method].overlap = overlap_of(run, order + begin, end - begin, making->numbers);
    if (cell->key.pattern != 0)
        cell->methods[method].set_up = set_up_of(run, order + begin, end - begin, making->numbers);
    making->evidence[method] = (struct ct_evidence){.estimate = estimate.median,
                                                    .launch_count = launches,
                                                    .samples = making->times + last,
                                                    .sample_count = end - last};
    return CT_OK;
}

/* How many of the samples are of the first one's cell; or of its method in that cell. */
static size_t count_alike(const struct ct_run *run, const size_t *order, size_t count, bool of_method)
{
    const struct ct_sample *first = &run->samples[order[0]];
    size_t alike = 1;
    while (alike < count && ct_cell_key_compare(&run->samples[order[alike]].key, &first->key) == 0 &&
           (!of_method || run->samples[order[alike]].method == first->method))
        alike++;
    return alike;
}

/* Judges the methods whose evidence is there. */
static int settle(const struct ct_map *map, struct making *making, struct ct_cell *cell)
{
    cell->best = SIZE_MAX;
    int status = ct_judge(making->evidence, map->method_count, map->margin, map->exact, cell->standings);
    for (size_t m = 0; status == CT_OK && m < map->method_count; m++)
        if (cell->standings[m] == CT_STANDING_BEST)
            cell->best = m;
    return status;
}

/* Completes the evidence by where launches lie. Those that have not measured a method count, too. */
static int make_comparable(size_t method_count, struct making *making, struct ct_cell *cell)
{
    double *medians = ct_allocate(method_count, sizeof *medians);
    for (size_t m = 0; m < method_count; m++)
        if (making->evidence[m].launch_count > 0)
            making->evidence[m].launches = cell->launches + cell->methods[m].first_launch;
    int status =
        medians ? ct_comparable_medians(making->evidence, method_count, CT_NO_LAUNCH, medians) : CT_E_MEMORY;
    for (size_t m = 0; status == CT_OK && m < method_count; m++) {
        struct ct_statistics *own = &cell->methods[m];
        if (own->count == 0 || medians[m] == own->median)
            continue;
        const double factor = medians[m] / own->median;
        own->median = making->evidence[m].estimate = medians[m];
        own->low *= factor;
        own->high *= factor;
    }
    free(medians);
    return status;
}

/* `count` samples, all of the cell. */
static int fill(const struct ct_map *map, const struct ct_run *run, const size_t *places, const size_t *order,
                size_t count, struct ct_cell *cell)
{
    struct making making = {.times = ct_allocate(count, sizeof *making.times),
                            .medians = ct_allocate(count, sizeof *making.medians),
                            .numbers = ct_allocate(count, sizeof *making.numbers),
                            .evidence = ct_allocate(map->method_count, sizeof *making.evidence)};
    int status = making.times && making.medians && making.numbers && making.evidence ? CT_OK : CT_E_MEMORY;
    for (size_t begin = 0, end; status == CT_OK && begin < count; begin = end) {
        end = begin + count_alike(run, order + begin, count - begin, true);
        status =
            take_method(run, order, begin, end, places[run->samples[order[begin]].method], &making, cell);
    }
    if (status == CT_OK)
        status = make_comparable(map->method_count, &making, cell);
    if (status == CT_OK)
        status = settle(map, &making, cell);
    cell->times = making.times;
    free(making.medians);
    free(making.numbers);
    free(making.evidence);
    return status;
}

/* --- the map --- */

static int take_patterns(const struct ct_run *run, struct ct_map *map)
{
    const struct ct_run_description *description = &run->description;
    map->patterns = ct_allocate(description->pattern_count + 1, sizeof *map->patterns);
    for (size_t i = 0; map->patterns && i < description->pattern_count; i++) {
        map->patterns[i] = strdup(description->patterns[i]);
        if (!map->patterns[i])
            return CT_E_MEMORY;
    }
    return map->patterns ? CT_OK : CT_E_MEMORY;
}

static int take_cells(const struct ct_run *run, const size_t *places, struct ct_map *map)
{
    size_t *order, count, capacity = 0;
    int status = sort_samples(run, places, &order, &count);
    if (status != CT_OK)
        return status;
    for (size_t begin = 0, used = 0; status == CT_OK && begin < count; begin += used) {
        status = ct_grow(&map->cells, &capacity, map->cell_count + 1, sizeof *map->cells);
        if (status != CT_OK)
            break;
        used = count_alike(run, order + begin, count - begin, false);
        struct ct_cell *cell = &map->cells[map->cell_count++];
        *cell = (struct ct_cell){.key = run->samples[order[begin]].key,
                                 .methods = ct_allocate(map->method_count, sizeof *cell->methods),
                                 .standings = ct_allocate(map->method_count, sizeof *cell->standings)};
        status = cell->methods && cell->standings ? fill(map, run, places, order + begin, used, cell)
                                                  : CT_E_MEMORY;
        assert(map->cell_count < 2 || ct_cell_key_compare(&cell[-1].key, &cell->key) < 0);
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
    map.node_channel = ct_run_node_channel(&run->description);
    map.exact = map.predicted || is_by(run, "simulated"); /* nothing ran */
    size_t *places;
    int status = take_methods(run, &map, &places);
    if (status == CT_OK)
        status = take_patterns(run, &map);
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

int ct_maps_make(const struct ct_run *run, int collective, double margin, struct ct_error *error,
                 struct ct_map **ret_maps, size_t *ret_count)
{
    const struct ct_run_description *description = &run->description;
    struct ct_map *maps = ct_allocate(description->collective_count + 1, sizeof *maps);
    size_t count = 0;
    int status = maps ? CT_OK : ct_fail(error, CT_E_MEMORY, "out of memory");
    for (size_t i = 0; status == CT_OK && i < description->collective_count; i++) {
        const enum ct_collective own = description->collectives[i];
        if ((collective != CT_COLLECTIVES && collective != (int)own) || !ct_run_measures(run, own))
            continue;
        status = ct_map_make_within(run, own, margin, error, &maps[count]);
        count += status == CT_OK;
    }
    if (status != CT_OK) {
        ct_maps_free(maps, count);
        return status;
    }
    *ret_maps = maps;
    *ret_count = count;
    return CT_OK;
}
