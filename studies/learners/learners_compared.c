/* SPDX-License-Identifier: BSD-3-Clause */
/* learners_compared LEARNERS RUN...: what learners lose in cells that they were not learned from. Each
 * collective of each run is thinned in several ways; learners see what is left and choose for all other
 * cells. LEARNERS is a list of names, separated by commas. For comparison: `native` always, `constant`, the
 * method that is best over the cells learned from, and `nearest`, the best method of the nearest cell learned
 * from. Prints a row of CSV for each; learners-compared.md explains the columns. */
#include "base/memory.h"
#include "base/random.h"
#include "base/sort.h"
#include "decision/score.h"
#include "learners/all_learners.h"
#include "learners/learn_settings.h"
#include "learners/learn_table.h"
#include "learners/learner.h"
#include "learners/map_parts.h"
#include "studies/each_map.h"
#include "studies/guided/guided_replay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WAYS_MAX = 16 };

/* One run's collective. */
struct subject {
    const char *name; /* of the run */
    const struct ct_run *run;
    const struct ct_map *map;
    const char *const *ways;
    size_t way_count;
    struct ct_error *error;
};

/* What is learned from, and the cells of the whole map to choose for. */
struct thinned {
    struct ct_map learned;
    struct ct_map part;  /* owns the cells of `learned`, if those are not its own */
    struct ct_cell *all; /* owns those of `learned` and `test`, if the map was split */
    struct ct_map test;
};

static void thinned_free(struct thinned *thinned)
{
    ct_map_free(&thinned->part);
    free(thinned->all);
    *thinned = (struct thinned){0};
}

/* --- sizes that are powers of two --- */

/* Is this size the nearest of all to a power of two? The smaller of two as near is taken. */
static bool is_nearest_power(const size_t *sizes, size_t count, size_t size)
{
    if (size < 2)
        return true;
    for (size_t power = 1; power <= 2 * sizes[count - 1]; power *= 2) {
        size_t nearest = SIZE_MAX, least = SIZE_MAX;
        for (size_t i = 0; i < count; i++) {
            size_t distance = sizes[i] > power ? sizes[i] - power : power - sizes[i];
            if (distance < least) {
                least = distance;
                nearest = sizes[i];
            }
        }
        if (nearest == size && 2 * least <= power)
            return true;
    }
    return false;
}

/* The map without the cells learned from. */
static int test_others(const struct subject *subject, const bool *keep, struct thinned *thinned)
{
    int status = ct_learn_split(subject->map, keep, &thinned->learned, &thinned->test);
    if (status == CT_OK)
        thinned->all = thinned->learned.cells;
    return status;
}

static int thin_sizes(const struct subject *subject, bool of_messages, struct thinned *thinned)
{
    const struct ct_map *map = subject->map;
    size_t *comm_sizes = NULL, *msg_sizes = NULL, rows = 0, columns = 0;
    bool *keep = ct_allocate(map->cell_count, sizeof *keep);
    int status = keep ? ct_map_comm_sizes(map, &comm_sizes, &rows) : CT_E_MEMORY;
    if (status == CT_OK)
        status = ct_map_msg_sizes(map, &msg_sizes, &columns);
    for (size_t c = 0; status == CT_OK && c < map->cell_count; c++)
        keep[c] = is_nearest_power(comm_sizes, rows, map->cells[c].key.comm_size) &&
                  (!of_messages || is_nearest_power(msg_sizes, columns, map->cells[c].key.msg_bytes));
    if (status == CT_OK)
        status = test_others(subject, keep, thinned);
    free(comm_sizes);
    free(msg_sizes);
    free(keep);
    return status;
}

static int thin_to_powers(const struct subject *subject, struct thinned *thinned)
{
    return thin_sizes(subject, true, thinned);
}

static int thin_to_power_ranks(const struct subject *subject, struct thinned *thinned)
{
    return thin_sizes(subject, false, thinned);
}

/* --- guided sweeps --- */

static bool has_pairs_once(const struct ct_map *map)
{
    for (size_t c = 0; c < map->cell_count; c++)
        if (ct_map_find_cell(map, map->cells[c].key.comm_size, map->cells[c].key.msg_bytes) != &map->cells[c])
            return false;
    return true;
}

/* The cells that a guided sweep has measured after a tenth of all repetitions. */
static int thin_as_guided(const struct subject *subject, struct thinned *thinned)
{
    const struct ct_map *map = subject->map;
    struct guided_replay replay;
    bool *keep = ct_allocate(map->cell_count, sizeof *keep), any = has_pairs_once(map);
    int status = keep ? guided_replay_begin(map, &replay) : CT_E_MEMORY;
    if (status != CT_OK) {
        free(keep);
        return status;
    }
    replay.most = replay.all / 10;
    while (status == CT_OK && any)
        status = guided_replay_step(&replay, &ct_guide_standard, &any);
    for (size_t c = 0; status == CT_OK && c < map->cell_count; c++)
        keep[c] = !replay.space.measured[guided_replay_point(&replay, &map->cells[c])];
    if (status == CT_OK)
        status = guided_replay_map(&replay, &thinned->part);
    if (status == CT_OK)
        status = ct_learn_split(map, keep, &thinned->test, NULL);
    thinned->all = thinned->test.cells;
    thinned->learned = thinned->part;
    guided_replay_free(&replay);
    free(keep);
    return status;
}

/* --- one sample --- */

static double uniform(uint64_t *state)
{
    return ((double)(ct_random(state) >> 11) + 0.5) * 0x1p-53;
}

static double normal(uint64_t *state)
{
    double radius = sqrt(-2 * log(uniform(state)));
    return radius * cos(2 * M_PI * uniform(state));
}

/* Computed times as a busy machine would give them: each job (communicator size and method) is off by 10 %,
 * each sample by another 10 %, and one sample in twenty takes up to ten times as long. */
static void disturb(struct ct_sample *sample, uint64_t seed)
{
    const double spread = 0.1, often = 0.05;
    uint64_t job = (seed * 1000003u + sample->key.comm_size) * 1000003u + sample->method;
    uint64_t own = job * 1000003u + sample->key.msg_bytes;
    ct_random(&job);
    ct_random(&own);
    sample->seconds *= exp(spread * normal(&job) + spread * normal(&own));
    if (uniform(&own) < often)
        sample->seconds *= pow(10, uniform(&own));
}

/* Every second cell, as on a chessboard, with one sample of each method. */
static int thin_to_samples(const struct subject *subject, uint64_t seed, struct thinned *thinned)
{
    const struct ct_map *map = subject->map;
    size_t *comm_sizes = NULL, *msg_sizes = NULL, rows = 0, columns = 0;
    struct ct_run few = *subject->run;
    uint64_t state = seed;
    char real[] = "real";
    bool *keep = ct_allocate(map->cell_count, sizeof *keep);
    few.samples = ct_allocate(few.sample_count, sizeof *few.samples);
    few.sample_count = 0;
    int status = keep && few.samples ? ct_map_comm_sizes(map, &comm_sizes, &rows) : CT_E_MEMORY;
    if (status == CT_OK)
        status = ct_map_msg_sizes(map, &msg_sizes, &columns);
    if (status != CT_OK)
        goto done;
    memcpy(few.samples, subject->run->samples, subject->run->sample_count * sizeof *few.samples);
    ct_shuffle(few.samples, subject->run->sample_count, sizeof *few.samples, &state);
    size_t *taken = ct_allocate(map->cell_count * map->method_count, sizeof *taken);
    if (!taken) {
        status = CT_E_MEMORY;
        goto done;
    }
    for (size_t c = 0; c < map->cell_count; c++) {
        const struct ct_cell_key *key = &map->cells[c].key;
        size_t *row = bsearch(&(size_t){key->comm_size}, comm_sizes, rows, sizeof *row, ct_compare_sizes);
        size_t *column =
            bsearch(&(size_t){key->msg_bytes}, msg_sizes, columns, sizeof *column, ct_compare_sizes);
        keep[c] = ((size_t)(row - comm_sizes) + (size_t)(column - msg_sizes) + seed) % 2 == 0;
    }
    for (size_t i = 0; i < subject->run->sample_count; i++) {
        struct ct_sample sample = few.samples[i];
        const struct ct_method *method = &subject->run->methods[sample.method];
        if (method->algorithm->collective != map->collective || !ct_sample_has_time(sample.status))
            continue;
        size_t c = 0, m = ct_map_find_method(map, method);
        while (c < map->cell_count && ct_cell_key_compare(&map->cells[c].key, &sample.key) != 0)
            c++;
        if (c == map->cell_count || !keep[c] || taken[c * map->method_count + m]++ > 0)
            continue;
        if (map->exact)
            disturb(&sample, seed);
        few.samples[few.sample_count++] = sample;
    }
    free(taken);
    few.description.backend = real;
    status = ct_map_make(&few, map->collective, subject->error, &thinned->part);
    thinned->learned = thinned->part;
    for (size_t c = 0; c < map->cell_count; c++)
        keep[c] = !keep[c];
    if (status == CT_OK)
        status = ct_learn_split(map, keep, &thinned->test, NULL);
    if (status == CT_OK)
        thinned->all = thinned->test.cells;
done:
    free(comm_sizes);
    free(msg_sizes);
    free(few.samples);
    free(keep);
    return status;
}

static int thin_to_samples_1(const struct subject *subject, struct thinned *thinned)
{
    return thin_to_samples(subject, 1, thinned);
}

static int thin_to_samples_2(const struct subject *subject, struct thinned *thinned)
{
    return thin_to_samples(subject, 2, thinned);
}

static const struct {
    const char *name;
    int (*thin)(const struct subject *subject, struct thinned *thinned);
} thinnings[] = {
    {"powers", thin_to_powers},       {"ranks", thin_to_power_ranks},   {"guided", thin_as_guided},
    {"samples 1", thin_to_samples_1}, {"samples 2", thin_to_samples_2},
};

/* --- choices --- */

static double distance(const struct ct_cell_key *a, const struct ct_cell_key *b)
{
    double squares = 0;
    for (int f = 0; f < CT_FEATURES; f++) {
        double x = log2(fmax((double)ct_key_value(a, ct_feature_descriptors[f]), 1));
        double y = log2(fmax((double)ct_key_value(b, ct_feature_descriptors[f]), 1));
        squares += (x - y) * (x - y);
    }
    return squares;
}

/* The best method of the nearest cell learned from that applies to this one. */
static size_t nearest(const struct ct_map *learned, const struct ct_cell *cell)
{
    double least = INFINITY;
    size_t choice = SIZE_MAX;
    for (size_t c = 0; c < learned->cell_count; c++) {
        const struct ct_cell *known = &learned->cells[c];
        double far = distance(&known->key, &cell->key);
        size_t best = SIZE_MAX, measured = 0;
        for (size_t m = 0; m < learned->method_count; m++) {
            measured += known->methods[m].count > 0;
            if (known->methods[m].count > 0 && ct_score_applies(&learned->methods[m], cell) &&
                (best == SIZE_MAX || known->methods[m].median < known->methods[best].median))
                best = m;
        }
        if (best == SIZE_MAX || measured < 2 || far >= least)
            continue;
        least = far;
        choice = best;
    }
    return choice;
}

static int learn(const char *name, const struct ct_map *learned, struct ct_error *error,
                 struct ct_decision_tree *ret_tree)
{
    const struct ct_learner *learner = ct_learner_find(name);
    struct ct_learn_settings *settings = NULL;
    int status = ct_learn_settings_new(learner, NULL, 0, NULL, error, &settings);
    if (status == CT_OK)
        status = ct_learn_map(learned, settings, error, ret_tree);
    ct_learn_settings_free(settings);
    return status;
}

/* The method of the test that is the same as this one of what was learned from. */
static size_t same_method(const struct thinned *thinned, size_t method)
{
    return method == SIZE_MAX ? SIZE_MAX
                              : ct_map_find_method(&thinned->test, &thinned->learned.methods[method]);
}

static int compare_way(const struct subject *subject, const char *thinning, const char *way,
                       const struct thinned *thinned)
{
    const struct ct_map *test = &thinned->test, *learned = &thinned->learned;
    struct ct_decision_tree tree = {0};
    bool is_learner = ct_learner_find(way) != NULL;
    clock_t begin = clock();
    int status = is_learner ? learn(way, learned, subject->error, &tree) : CT_OK;
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    double *penalties = ct_allocate(test->cell_count, sizeof *penalties);
    if (status != CT_OK || !penalties) {
        free(penalties);
        return status != CT_OK ? status : CT_E_MEMORY;
    }
    size_t constant = same_method(thinned, ct_map_best_method(learned, NULL, learned->cell_count, NULL));
    double logs = 0;
    size_t scored = 0;
    for (size_t c = 0; c < test->cell_count; c++) {
        const struct ct_cell *cell = &test->cells[c];
        size_t choice = is_learner                     ? ct_score_choice(&tree, test, cell)
                        : strcmp(way, "native") == 0   ? ct_score_native(test)
                        : strcmp(way, "constant") == 0 ? constant
                                                       : same_method(thinned, nearest(learned, cell));
        penalties[c] = ct_cell_penalty(cell, choice);
        if (isnan(penalties[c]))
            continue;
        logs += log1p(penalties[c]);
        scored++;
    }
    struct ct_penalty penalty = ct_penalty_summarize(penalties, test->cell_count);
    if (scored > 0)
        printf("%s,%s,%s,%s,%zu,%zu,%zu,%zu,%.6f,%.6f,%.6f,%.4f,%.2f\n", subject->name,
               ct_collectives[test->collective].name, thinning, way, learned->cell_count, scored,
               penalty.unmeasured, is_learner ? ct_tree_leaf_count(&tree) : 0, logs / (double)scored,
               penalty.mean, penalty.percentile95, penalty.most, seconds);
    fflush(stdout);
    free(penalties);
    ct_tree_free(&tree);
    return CT_OK;
}

static int compare(const struct subject *subject)
{
    for (size_t t = 0; t < sizeof thinnings / sizeof thinnings[0]; t++) {
        struct thinned thinned = {0};
        int status = thinnings[t].thin(subject, &thinned);
        bool is_worth_it = status == CT_OK && thinned.learned.cell_count > 0 && thinned.test.cell_count > 0;
        for (size_t w = 0; status == CT_OK && is_worth_it && w < subject->way_count; w++)
            status = compare_way(subject, thinnings[t].name, subject->ways[w], &thinned);
        thinned_free(&thinned);
        if (status != CT_OK)
            return status;
    }
    return CT_OK;
}

static int compare_map(void *context, const char *name, const struct ct_run *run, const struct ct_map *map)
{
    struct subject subject = *(const struct subject *)context;
    subject.name = name;
    subject.run = run;
    subject.map = map;
    return compare(&subject);
}

int main(int argc, char **argv)
{
    struct ct_error error = {""};
    const char *ways[WAYS_MAX] = {"native", "constant", "nearest"};
    size_t count = 3;
    int status = argc >= 3 ? CT_OK : ct_fail(&error, CT_E_INPUT, "expected LEARNERS RUN...");
    for (char *name = status == CT_OK ? strtok(argv[1], ",") : NULL; name && status == CT_OK;
         name = strtok(NULL, ",")) {
        if (count == WAYS_MAX || !ct_learner_find(name))
            status = ct_fail(&error, CT_E_INPUT, "there is no learner %s, or there are too many", name);
        else
            ways[count++] = name;
    }
    if (status == CT_OK)
        puts("run,collective,thinning,way,learned,cells,unmeasured,leaves,log,mean,p95,most,seconds");
    struct subject all = {.ways = ways, .way_count = count, .error = &error};
    if (status == CT_OK)
        status = study_each_map(argv + 2, argc - 2, compare_map, &all, &error);
    if (status != CT_OK)
        fprintf(stderr, "learners_compared: %s\n", error.text[0] ? error.text : "out of memory");
    return status == CT_OK ? 0 : 1;
}
