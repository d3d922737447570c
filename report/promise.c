/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/promise.h"
#include "base/memory.h"
#include "base/sort.h"
#include "decision/launch_spread.h"
#include "decision/score.h"
#include "decision/shrink.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Times in files are rounded, so intervals this much apart touch. */
static const double rounding = 1e-6;

/* The cell of these sizes, this mode, root and pattern (the first of several that differ in nodes or ppn);
 * NULL where there is none. */
static const struct ct_cell *cell_of(const struct ct_map *map, const struct ct_cell_key *key)
{
    for (size_t c = 0; c < map->cell_count; c++) {
        const struct ct_cell_key *is = &map->cells[c].key;
        if (is->comm_size == key->comm_size && is->msg_bytes == key->msg_bytes && is->mode == key->mode &&
            is->pattern == key->pattern && is->root == key->root)
            return &map->cells[c];
    }
    return NULL;
}

/* A validated point as the run has it. */
struct found {
    const struct ct_map *map;
    const struct ct_cell *cell;
    size_t native, chosen;
};

/* What is needed to judge all points. */
struct judging {
    const struct ct_map *maps;
    size_t map_count;
    struct ct_launch_spread spread;
    struct ct_noisy *times, *moved; /* by method: room for those of a cell */
    size_t *methods;                /* likewise */
};

/* A promised log(t(native) / t(chosen)), and the interval in which another launch lies. */
struct promised {
    double ratio, low, high;
};

/* False if native or the choice was not measured there. */
static bool find_cell(const struct judging *judging, const struct ct_validation_point *point,
                      struct found *ret_found)
{
    for (size_t i = 0; i < judging->map_count; i++) {
        const struct ct_map *map = &judging->maps[i];
        if (map->collective != point->collective)
            continue;
        const struct ct_cell *cell = cell_of(map, &point->key);
        size_t native = ct_score_native(map), chosen = ct_map_find_method(map, &point->method);
        if (!cell || native == SIZE_MAX || chosen == SIZE_MAX || cell->methods[native].count == 0 ||
            cell->methods[chosen].count == 0)
            return false;
        *ret_found = (struct found){map, cell, native, chosen};
        return true;
    }
    return false;
}

/* The methods that may be the best, as far as their errors tell: those within twice the standard error of the
 * difference from the best, and the two of the point. The others did not take part in the choice. */
static size_t find_rivals(const struct judging *judging, const struct found *found)
{
    const double errors = 2;
    const struct ct_cell *cell = found->cell;
    struct ct_noisy best = {INFINITY, 0};
    size_t count = 0;
    for (int turn = 0; turn < 2; turn++)
        for (size_t m = 0; m < found->map->method_count; m++) {
            if (cell->methods[m].count == 0)
                continue;
            const struct ct_noisy time = {log(cell->methods[m].median),
                                          ct_launch_spread_of_median(&judging->spread, found->map, cell, m)};
            const double ahead = time.value - best.value;
            if (turn == 0 && ahead < 0)
                best = time;
            else if (turn == 1 && ahead <= errors * sqrt(time.variance + best.variance)) {
                judging->methods[count] = m;
                judging->times[count++] = time;
            }
        }
    return count;
}

/* The time of a method: moved towards those of its rivals if it has some, because the least of many noisy
 * times is too low. */
static struct ct_noisy time_of(const struct judging *judging, const struct found *found, size_t method,
                               size_t rivals)
{
    for (size_t i = 0; i < rivals; i++)
        if (judging->methods[i] == method)
            return judging->moved[i];
    return (struct ct_noisy){log(found->cell->methods[method].median),
                             ct_launch_spread_of_median(&judging->spread, found->map, found->cell, method)};
}

static struct promised promise_of(const struct judging *judging, const struct found *found)
{
    enum { METHODS = 2 };
    const double upper = 0.975;
    const struct ct_cell *cell = found->cell;
    const size_t rivals = find_rivals(judging, found);
    ct_shrink(judging->times, rivals, judging->moved);
    const struct ct_noisy native = time_of(judging, found, found->native, rivals);
    const struct ct_noisy chosen = time_of(judging, found, found->chosen, rivals);
    const double variance = native.variance + chosen.variance +
                            METHODS * ct_launch_spread_of_launch(&judging->spread, found->map, cell);
    const double ratio = native.value - chosen.value;
    const double reach =
        gsl_cdf_tdist_Pinv(upper, judging->spread.freedom[cell->key.yield > 0]) * sqrt(variance);
    return (struct promised){ratio, ratio - reach, ratio + reach};
}

/* Adds the point to the means, which hold sums of logarithms as yet. */
static void add(const struct judging *judging, const struct ct_validation_point *point,
                struct ct_promise *promise)
{
    struct found found;
    if (ct_is_native(point->method.algorithm) || point->key.comm_size != promise->comm_size ||
        !find_cell(judging, point, &found))
        return;
    const struct promised promised = promise_of(judging, &found);
    promise->points++;
    promise->promised += promised.ratio;
    promise->validated += log(ct_validation_speed_up(point));
    promise->agree +=
        promised.low <= log(point->high) + rounding && log(point->low) <= promised.high + rounding;
}

static void judging_free(struct judging *judging)
{
    free(judging->times);
    free(judging->moved);
    free(judging->methods);
}

static int judging_make(const struct ct_map *maps, size_t map_count, struct judging *judging)
{
    size_t most = 1;
    for (size_t i = 0; i < map_count; i++)
        most = maps[i].method_count > most ? maps[i].method_count : most;
    *judging = (struct judging){.maps = maps,
                                .map_count = map_count,
                                .times = ct_allocate(most, sizeof *judging->times),
                                .moved = ct_allocate(most, sizeof *judging->moved),
                                .methods = ct_allocate(most, sizeof *judging->methods)};
    if (!judging->times || !judging->moved || !judging->methods)
        return CT_E_MEMORY;
    return ct_launch_spread_find(maps, map_count, &judging->spread);
}

/* The promises of one mode, whose points `part` has, to `promises`; returns how many there are. */
static size_t find_of_mode(const struct judging *judging, const struct ct_validation *part,
                           enum ct_call_mode mode, size_t *sizes, struct ct_promise *promises)
{
    size_t found = 0;
    for (size_t i = 0; i < part->count; i++)
        sizes[i] = part->points[i].key.comm_size;
    const size_t size_count = ct_sort_unique(sizes, part->count);
    for (size_t s = 0; s < size_count; s++) {
        struct ct_promise promise = {.mode = mode, .comm_size = sizes[s]};
        for (size_t i = 0; i < part->count; i++)
            add(judging, &part->points[i], &promise);
        if (promise.points == 0)
            continue;
        promise.promised = exp(promise.promised / (double)promise.points);
        promise.validated = exp(promise.validated / (double)promise.points);
        promises[found++] = promise;
    }
    return found;
}

int ct_promises_find(const struct ct_map *maps, size_t map_count, const struct ct_validation *validation,
                     struct ct_promise **ret_promises, size_t *ret_count)
{
    size_t *sizes = ct_allocate(validation->count + 1, sizeof *sizes);
    struct ct_promise *promises = ct_allocate(validation->count + 1, sizeof *promises);
    struct judging judging;
    size_t found = 0;
    int status = judging_make(maps, map_count, &judging);
    if (!sizes || !promises || status != CT_OK) {
        judging_free(&judging);
        free(sizes);
        free(promises);
        return CT_E_MEMORY;
    }
    for (int mode = 0; mode < CT_MODES; mode++) {
        const struct ct_validation part = ct_validation_of_mode(validation, (enum ct_call_mode)mode);
        found += find_of_mode(&judging, &part, (enum ct_call_mode)mode, sizes, promises + found);
    }
    judging_free(&judging);
    free(sizes);
    *ret_promises = promises;
    *ret_count = found;
    return CT_OK;
}
