/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/statistics.h"
#include "decision/map_internal.h"
#include "samples/statistics/estimate.h"

#include <stdlib.h>

/* A cell while it is made: its samples' times in order, and what is known of each method. */
struct making {
    double *times;
    double *medians; /* of one method's launches */
    struct ct_evidence *evidence;
    size_t launch_capacity;
};

static void making_free(struct making *making)
{
    free(making->times);
    free(making->medians);
    free(making->evidence);
}

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
                               .first_launch = first};
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

/* Judges the methods whose evidence is there, but for where their launches lie. */
static int settle(const struct ct_map *map, struct making *making, struct ct_cell *cell)
{
    for (size_t m = 0; m < map->method_count; m++)
        if (making->evidence[m].launch_count > 0)
            making->evidence[m].launches = cell->launches + cell->methods[m].first_launch;
    cell->best = SIZE_MAX;
    int status = ct_judge(making->evidence, map->method_count, map->margin, map->exact, cell->standings);
    for (size_t m = 0; status == CT_OK && m < map->method_count; m++)
        if (cell->standings[m] == CT_STANDING_BEST)
            cell->best = m;
    return status;
}

/* `count` samples, all of the cell. */
static int fill(const struct ct_map *map, const struct ct_run *run, const size_t *places, const size_t *order,
                size_t count, struct ct_cell *cell)
{
    struct making making = {.times = ct_allocate(count, sizeof *making.times),
                            .medians = ct_allocate(count, sizeof *making.medians),
                            .evidence = ct_allocate(map->method_count, sizeof *making.evidence)};
    int status = making.times && making.medians && making.evidence ? CT_OK : CT_E_MEMORY;
    for (size_t begin = 0, end; status == CT_OK && begin < count; begin = end) {
        end = begin + count_alike(run, order + begin, count - begin, true);
        status =
            take_method(run, order, begin, end, places[run->samples[order[begin]].method], &making, cell);
    }
    if (status == CT_OK)
        status = settle(map, &making, cell);
    making_free(&making);
    return status;
}

int ct_map_make_cell(const struct ct_map *map, const struct ct_run *run, const size_t *places,
                     const size_t *order, size_t count, struct ct_cell *ret_cell, size_t *ret_used)
{
    const struct ct_sample *first = &run->samples[order[0]];
    struct ct_cell cell = {.key = first->key,
                           .methods = ct_allocate(map->method_count, sizeof *cell.methods),
                           .standings = ct_allocate(map->method_count, sizeof *cell.standings)};
    size_t used = count_alike(run, order, count, false);
    int status = cell.methods && cell.standings ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK)
        status = fill(map, run, places, order, used, &cell);
    if (status != CT_OK) {
        ct_map_free_cell(&cell);
        return status;
    }
    *ret_cell = cell;
    *ret_used = used;
    return CT_OK;
}

void ct_map_free_cell(struct ct_cell *cell)
{
    free(cell->methods);
    free(cell->standings);
    free(cell->launches);
    *cell = (struct ct_cell){0};
}
