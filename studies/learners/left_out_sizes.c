/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/statistics.h"
#include "decision/score.h"
#include "learners/all_learners.h"
#include "learners/learn_settings.h"
#include "learners/learn_table.h"
#include "learners/learner.h"
#include "learners/map_parts.h"
#include "samples/run_folder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* left_out_sizes COLLECTIVE WHICH LEARNERS RUN...: what learners lose on communicator sizes that they have
 * not seen. They learn, from each run by itself, the measured sizes nearest to the powers of two; of two as
 * near WHICH says: lower, upper or both. All other sizes of all runs together are the test. LEARNERS is a
 * list of names, parted by commas; of native, always that; and of below, the best of the next smaller size
 * learned from but native. Prints a row of CSV for each; the last columns are what the first one loses less
 * (ratio of geometric means) with its 95 % bounds by bootstrap over communicator sizes. */

enum { RESAMPLES = 2000, LEARNERS_MAX = 16 };

/* One way of choosing. */
struct way {
    const char *name;
    double *penalties; /* by cell tested */
    size_t leaves;
};

struct trial {
    enum ct_collective collective;
    const char *which;
    struct way ways[LEARNERS_MAX];
    size_t way_count;
    size_t *sizes; /* by cell tested: its communicator */
    size_t count;
};

static int fail(const char *why)
{
    fprintf(stderr, "left_out_sizes: %s\n", why);
    return 2;
}

static bool is_nearest(const size_t *sizes, size_t count, size_t size, const char *which)
{
    for (size_t power = 2; power <= 2 * sizes[count - 1]; power *= 2) {
        size_t least = SIZE_MAX, low = SIZE_MAX, high = 0;
        for (size_t i = 0; i < count; i++) {
            size_t distance = sizes[i] > power ? sizes[i] - power : power - sizes[i];
            least = distance < least ? distance : least;
        }
        for (size_t i = 0; i < count; i++)
            if ((sizes[i] > power ? sizes[i] - power : power - sizes[i]) == least) {
                low = sizes[i] < low ? sizes[i] : low;
                high = sizes[i];
            }
        if (2 * least > power) /* beyond what was measured */
            continue;
        if ((size == low && strcmp(which, "upper") != 0) || (size == high && strcmp(which, "lower") != 0))
            return true;
    }
    return false;
}

/* The best but native of the greatest communicator learned from that is not larger. */
static size_t best_below(const struct ct_map *learned, const struct ct_cell *cell)
{
    const struct ct_cell *below = NULL;
    size_t native = ct_score_native(learned), best = SIZE_MAX;
    for (size_t i = 0; i < learned->cell_count; i++) {
        const struct ct_cell *known = &learned->cells[i];
        if (known->key.msg_bytes == cell->key.msg_bytes && known->key.comm_size <= cell->key.comm_size &&
            (!below || known->key.comm_size > below->key.comm_size))
            below = known;
    }
    for (size_t m = 0; below && m < learned->method_count; m++)
        if (m != native && below->methods[m].count > 0 &&
            (best == SIZE_MAX || below->methods[m].median < below->methods[best].median))
            best = m;
    return best;
}

static int choose(const struct way *way, const struct ct_map *learned, struct ct_error *error,
                  struct ct_decision_tree *ret_tree)
{
    const struct ct_learner *learner = ct_learner_find(way->name);
    struct ct_learn_settings *settings = NULL;
    if (!learner)
        return CT_OK;
    int status = ct_learn_settings_new(learner, NULL, 0, NULL, error, &settings);
    if (status == CT_OK)
        status = ct_learn_map(learned, settings, error, ret_tree);
    ct_learn_settings_free(settings);
    return status;
}

static int try_way(struct way *way, const struct ct_map *learned, const struct ct_map *test, size_t first,
                   struct ct_error *error)
{
    struct ct_decision_tree tree = {0};
    int status = choose(way, learned, error, &tree);
    if (status != CT_OK)
        return status;
    for (size_t i = 0; i < test->cell_count; i++) {
        const struct ct_cell *cell = &test->cells[i];
        size_t choice = tree.node_count > 0                ? ct_score_choice(&tree, test, cell)
                        : strcmp(way->name, "native") == 0 ? ct_score_native(test)
                                                           : best_below(learned, cell);
        way->penalties[first + i] = ct_cell_penalty(cell, choice);
    }
    if (tree.node_count > 0)
        way->leaves += ct_tree_leaf_count(&tree);
    ct_tree_free(&tree);
    return CT_OK;
}

static int make_room(struct trial *trial, size_t more)
{
    size_t count = trial->count + more;
    size_t *sizes = realloc(trial->sizes, count * sizeof *sizes);
    if (!sizes)
        return CT_E_MEMORY;
    trial->sizes = sizes;
    for (size_t w = 0; w < trial->way_count; w++) {
        double *penalties = realloc(trial->ways[w].penalties, count * sizeof *penalties);
        if (!penalties)
            return CT_E_MEMORY;
        trial->ways[w].penalties = penalties;
    }
    return CT_OK;
}

static int try_map(struct trial *trial, const struct ct_map *map, struct ct_error *error)
{
    size_t *sizes, count;
    struct ct_map learned, test;
    bool *keep = ct_allocate(map->cell_count, sizeof *keep);
    int status = keep ? ct_map_comm_sizes(map, &sizes, &count) : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < map->cell_count; i++)
        keep[i] = is_nearest(sizes, count, map->cells[i].key.comm_size, trial->which);
    if (status != CT_OK || ct_learn_split(map, keep, &learned, &test) != CT_OK ||
        make_room(trial, test.cell_count) != CT_OK)
        return CT_E_MEMORY;
    for (size_t i = 0; i < test.cell_count; i++)
        trial->sizes[trial->count + i] = test.cells[i].key.comm_size;
    for (size_t w = 0; status == CT_OK && w < trial->way_count; w++)
        status = try_way(&trial->ways[w], &learned, &test, trial->count, error);
    trial->count += test.cell_count;
    free(learned.cells);
    free(sizes);
    free(keep);
    return status;
}

static int try_run(struct trial *trial, const char *folder)
{
    struct ct_error error = {""};
    struct ct_run run;
    struct ct_map map;
    if (ct_run_read(folder, false, &error, &run) != CT_OK)
        return fail(error.text);
    int status = ct_map_make(&run, trial->collective, &error, &map);
    ct_run_free(&run);
    if (status != CT_OK)
        return fail(error.text);
    status = try_map(trial, &map, &error);
    ct_map_free(&map);
    return status == CT_OK ? 0 : fail(error.text);
}

/* Of log(1 + penalty) of a over that of b, in a resample of the communicator sizes (NULL: all once). */
static double difference(const struct trial *trial, const struct way *a, const struct way *b,
                         const unsigned *times)
{
    double sum = 0, weights = 0;
    for (size_t i = 0; i < trial->count; i++) {
        double weight = times ? times[trial->sizes[i]] : 1;
        if (isnan(a->penalties[i]) || isnan(b->penalties[i]))
            continue;
        sum += weight * (log1p(a->penalties[i]) - log1p(b->penalties[i]));
        weights += weight;
    }
    return weights > 0 ? sum / weights : 0;
}

static void bootstrap(const struct trial *trial, const struct way *way, double *ret_low, double *ret_high)
{
    size_t most = 0, distinct = 0, *pool;
    unsigned seed = 1, *times;
    double drawn[RESAMPLES];
    for (size_t i = 0; i < trial->count; i++)
        most = trial->sizes[i] > most ? trial->sizes[i] : most;
    times = ct_allocate(most + 1, sizeof *times);
    pool = ct_allocate(most + 1, sizeof *pool);
    if (!times || !pool)
        exit(fail("out of memory"));
    for (size_t i = 0; i < trial->count; i++)
        times[trial->sizes[i]] = 1;
    for (size_t size = 0; size <= most; size++)
        if (times[size])
            pool[distinct++] = size;
    for (int r = 0; r < RESAMPLES; r++) {
        memset(times, 0, (most + 1) * sizeof *times);
        for (size_t i = 0; i < distinct; i++) {
            seed = seed * 1664525u + 1013904223u;
            times[pool[(seed >> 8) % distinct]]++;
        }
        drawn[r] = difference(trial, way, &trial->ways[0], times);
    }
    ct_sort(drawn, RESAMPLES);
    *ret_low = ct_quantile(drawn, RESAMPLES, 0.025);
    *ret_high = ct_quantile(drawn, RESAMPLES, 0.975);
    free(times);
    free(pool);
}

static void print_way(const struct trial *trial, struct way *way)
{
    double low, high, more = difference(trial, way, &trial->ways[0], NULL);
    bootstrap(trial, way, &low, &high);
    double *copy = ct_allocate(trial->count, sizeof *copy);
    if (!copy)
        exit(fail("out of memory"));
    memcpy(copy, way->penalties, trial->count * sizeof *copy);
    struct ct_penalty penalty = ct_penalty_summarize(copy, trial->count);
    printf("%s,%zu,%zu,%.2f,%.2f,%.3f,%.2f,%.2f,%.2f,%.2f\n", way->name, way->leaves, penalty.cells,
           100 * penalty.geometric_mean, 100 * penalty.median, 1 + penalty.percentile95, 100 * penalty.mean,
           100 * expm1(more), 100 * expm1(low), 100 * expm1(high));
    free(copy);
}

int main(int argc, char **argv)
{
    struct trial trial = {.collective = CT_COLLECTIVES};
    if (argc < 5)
        return fail("expected COLLECTIVE WHICH LEARNERS RUN...");
    for (int i = 0; i < CT_COLLECTIVES; i++)
        if (strcmp(ct_collectives[i].name, argv[1]) == 0)
            trial.collective = (enum ct_collective)i;
    if (trial.collective == CT_COLLECTIVES)
        return fail("no such collective");
    trial.which = argv[2];
    for (char *name = strtok(argv[3], ","); name && trial.way_count < LEARNERS_MAX; name = strtok(NULL, ","))
        trial.ways[trial.way_count++] = (struct way){.name = name};
    for (int i = 4; i < argc; i++)
        if (try_run(&trial, argv[i]) != 0)
            return 2;
    puts("learner,leaves,cells,geometric_mean,median,p95_times,mean,more,more_low,more_high");
    for (size_t w = 0; w < trial.way_count; w++)
        print_way(&trial, &trial.ways[w]);
    for (size_t w = 0; w < trial.way_count; w++)
        free(trial.ways[w].penalties);
    free(trial.sizes);
    return 0;
}
