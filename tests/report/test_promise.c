/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/random.h"
#include "base/statistics.h"
#include "report/promise.h"
#include "samples/statistics/estimate.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NATIVE, LINEAR, METHODS, CELLS = 3 };

/* Three cells of bcast; native takes 2, 4 and 8 us, linear half as long, each to within a tenth. */
struct world {
    struct ct_map map;
    struct ct_method methods[METHODS];
    struct ct_cell cells[CELLS];
    struct ct_statistics statistics[CELLS][METHODS];
};

static void make(struct world *world)
{
    static const struct ct_cell_key keys[CELLS] = {{.comm_size = 2, .msg_bytes = 8},
                                                   {.comm_size = 2, .msg_bytes = 64},
                                                   {.comm_size = 4, .msg_bytes = 8}};
    memset(world, 0, sizeof *world);
    world->methods[NATIVE].algorithm = ct_algorithm_find(CT_COLLECTIVE_BCAST, "native");
    world->methods[LINEAR].algorithm = ct_algorithm_find(CT_COLLECTIVE_BCAST, "linear");
    for (int c = 0; c < CELLS; c++) {
        for (int m = 0; m < METHODS; m++) {
            double median = (2 << c) * 1e-6 / (m == LINEAR ? 2 : 1);
            world->statistics[c][m] = (struct ct_statistics){
                .count = 9, .median = median, .low = 0.9 * median, .high = 1.1 * median};
        }
        world->cells[c] = (struct ct_cell){.key = keys[c], .methods = world->statistics[c], .best = LINEAR};
    }
    world->map = (struct ct_map){.collective = CT_COLLECTIVE_BCAST,
                                 .methods = world->methods,
                                 .method_count = METHODS,
                                 .cells = world->cells,
                                 .cell_count = CELLS};
}

static struct ct_promise *find(const struct world *world, const char *rows, size_t *ret_count)
{
    char csv[1024];
    struct ct_validation validation;
    struct ct_promise *promises;
    struct ct_error error = {""};
    const char *header =
        ct_validation_header((struct ct_validation_form){.overlaps = strstr(rows, "persistent") != NULL});
    int length = snprintf(csv, sizeof csv, "%s\n%s", header, rows);
    if (ct_validation_parse(csv, (size_t)length, "points", &error, &validation) != CT_OK)
        fail_msg("%s", error.text);
    assert_int_equal(ct_promises_find(&world->map, 1, &validation, &promises, ret_count), CT_OK);
    ct_validation_free(&validation);
    return promises;
}

/* A run promises 2 everywhere. It has one launch, so that another one may find 2.7 times as much, or as
 * little. */
static void compares_by_ranks(void **state)
{
    (void)state;
    struct world world;
    size_t count;
    make(&world);
    struct ct_promise *promises = find(&world,
                                       "bcast,2,8,linear,1e-6,0.5e-6,0.4,0.6,blocking\n"
                                       "bcast,2,64,linear,1e-6,2.25e-6,2.2,2.5,blocking\n"
                                       "bcast,4,8,linear,1e-6,9e-6,8,9.1,blocking\n",
                                       &count);
    assert_int_equal(count, 2);
    assert_int_equal(promises[0].comm_size, 2);
    assert_int_equal(promises[0].points, 2);
    assert_int_equal(promises[0].agree, 1);
    assert_true(fabs(promises[0].promised - 2) < 1e-9);
    assert_true(fabs(promises[0].validated - sqrt(0.5 * 2.25)) < 1e-9);
    assert_int_equal(promises[1].comm_size, 4);
    assert_int_equal(promises[1].agree, 0);
    assert_true(fabs(promises[1].validated - 9) < 1e-9);
    free(promises);
}

/* Native promises nothing; a run says nothing of what it did not measure. */
static void leaves_out_what_was_not_promised(void **state)
{
    (void)state;
    struct world world;
    size_t count;
    make(&world);
    world.statistics[1][NATIVE].count = 0;
    struct ct_promise *promises = find(&world,
                                       "allgather,2,8,linear,1e-6,2e-6,2,2,blocking\n" /* no map */
                                       "bcast,2,8,native,1e-6,1e-6,1,1,blocking\n"
                                       "bcast,2,16,linear,1e-6,2e-6,2,2,blocking\n" /* no cell */
                                       "bcast,2,64,linear,1e-6,2e-6,2,2,blocking\n" /* no time of native */
                                       "bcast,4,8,chain,1e-6,2e-6,2,2,blocking\n",  /* no such method */
                                       &count);
    assert_int_equal(count, 0);
    free(promises);
}

/* A point is compared with the cell of its own mode. */
static void compares_by_mode(void **state)
{
    (void)state;
    struct world world;
    size_t count;
    make(&world);
    world.cells[2].key = (struct ct_cell_key){.comm_size = 2, .msg_bytes = 8, .mode = CT_MODE_PERSISTENT};
    world.statistics[2][NATIVE].median *= 4; /* promises 8 */
    struct ct_promise *promises =
        find(&world,
             "bcast,2,8,linear,1e-6,3e-6,3,3,persistent,1,1,1,0,1,1,0\n"
             "bcast,2,64,linear,1e-6,3e-6,3,3,persistent,1,1,1,0,1,1,0\n" /* no cell */
             "bcast,2,8,linear,1e-6,5e-6,5,5,blocking,,,,,,,\n",
             &count);
    assert_int_equal(count, 2);
    assert_int_equal(promises[0].mode, CT_MODE_BLOCKING);
    assert_true(fabs(promises[0].promised - 2) < 1e-9 && fabs(promises[0].validated - 5) < 1e-9);
    assert_int_equal(promises[1].mode, CT_MODE_PERSISTENT);
    assert_int_equal(promises[1].points, 1);
    assert_true(fabs(promises[1].promised - 8) < 1e-9 && fabs(promises[1].validated - 3) < 1e-9);
    free(promises);
}

/* --- known truth --- */

enum { MANY = 30, PLACES = 60, SAMPLES = 20, LAUNCHES_MOST = 2, AS_FAST = 8 };

/* Launches of a machine whose times are known: in half of the cells native takes as long as the fastest. */
struct machine {
    double launch, sample; /* standard deviations of what launches and samples add to logarithms */
    size_t launches;       /* that the run has */
};

/* What is measured there. */
struct simulation {
    struct ct_map map;
    struct ct_method methods[MANY];
    struct ct_cell cells[PLACES];
    struct ct_statistics statistics[PLACES][MANY];
    struct ct_launch_median launches[PLACES][MANY * LAUNCHES_MOST];
    double truth[PLACES][MANY];
    struct ct_validation_point points[PLACES];
    size_t chosen[PLACES]; /* the fastest of those measured */
};

static double uniform(uint64_t *random)
{
    return ((double)(ct_random(random) >> 11) + 0.5) * 0x1p-53;
}

static double normal(uint64_t *random)
{
    return sqrt(-2 * log(uniform(random))) * cos(2 * M_PI * uniform(random));
}

static void measure(struct simulation *simulation, const struct machine *machine, int c, int m,
                    uint64_t *random)
{
    struct ct_statistics *statistics = &simulation->statistics[c][m];
    const size_t first = (size_t)m * machine->launches;
    double samples[SAMPLES], medians[LAUNCHES_MOST];
    for (size_t l = 0; l < machine->launches; l++) {
        const double added = machine->launch * normal(random);
        for (int i = 0; i < SAMPLES; i++)
            samples[i] = exp(simulation->truth[c][m] + added + machine->sample * normal(random));
        ct_sort(samples, SAMPLES);
        medians[l] = ct_quantile(samples, SAMPLES, 0.5);
        simulation->launches[c][first + l] =
            (struct ct_launch_median){.launch = (uint32_t)l, .count = SAMPLES, .median = medians[l]};
    }
    const struct ct_estimate estimate = machine->launches > 1
                                            ? ct_estimate_of_launches(medians, machine->launches)
                                            : ct_estimate_of_samples(samples, SAMPLES);
    *statistics = (struct ct_statistics){.count = SAMPLES * machine->launches,
                                         .median = estimate.median,
                                         .low = estimate.low,
                                         .high = estimate.high,
                                         .launches = machine->launches,
                                         .first_launch = first};
}

/* Method 0 is native. Eight others are within 2 % of each other, the rest up to three times as slow. */
static void simulate(struct simulation *simulation, const struct machine *machine, uint64_t *random)
{
    memset(simulation, 0, sizeof *simulation);
    simulation->methods[NATIVE].algorithm = ct_algorithm_find(CT_COLLECTIVE_BCAST, "native");
    for (int m = 1; m < MANY; m++) {
        simulation->methods[m].algorithm = ct_algorithm_find(CT_COLLECTIVE_BCAST, "chain");
        simulation->methods[m].values[0] = m;
    }
    for (int c = 0; c < PLACES; c++) {
        const struct ct_cell_key key = {.comm_size = 4, .msg_bytes = (size_t)(8 * (c + 1))};
        size_t least = 1;
        for (int m = 0; m < MANY; m++) {
            const double slower = m == NATIVE    ? (c % 2 ? 0.3 + uniform(random) : 0)
                                  : m <= AS_FAST ? 0.02 * uniform(random)
                                                 : 0.05 + uniform(random);
            simulation->truth[c][m] = log(1e-5) + slower;
            measure(simulation, machine, c, m, random);
            if (m > 0 && simulation->statistics[c][m].median < simulation->statistics[c][least].median)
                least = (size_t)m;
        }
        simulation->chosen[c] = least;
        simulation->cells[c] = (struct ct_cell){.key = key,
                                                .methods = simulation->statistics[c],
                                                .best = least,
                                                .launches = simulation->launches[c],
                                                .launch_count = MANY * machine->launches};
        simulation->points[c] = (struct ct_validation_point){
            .collective = CT_COLLECTIVE_BCAST, .key = key, .method = simulation->methods[least], .tuned = 1};
    }
    simulation->map = (struct ct_map){.collective = CT_COLLECTIVE_BCAST,
                                      .methods = simulation->methods,
                                      .method_count = MANY,
                                      .cells = simulation->cells,
                                      .cell_count = PLACES};
}

/* What validation finds: the truth, or, with the noise of another launch, an estimate of it, each times
 * `shift`. */
static struct ct_promise validate(struct simulation *simulation, double noise, double shift, uint64_t *random)
{
    struct ct_validation validation = {simulation->points, PLACES};
    struct ct_promise *promises;
    size_t count;
    for (int c = 0; c < PLACES; c++) {
        const double *truth = simulation->truth[c];
        const double ratio =
            exp(truth[NATIVE] - truth[simulation->chosen[c]] + noise * (normal(random) - normal(random))) *
            shift;
        simulation->points[c].native = simulation->points[c].low = simulation->points[c].high = ratio;
    }
    assert_int_equal(ct_promises_find(&simulation->map, 1, &validation, &promises, &count), CT_OK);
    assert_int_equal(count, 1);
    const struct ct_promise promise = promises[0];
    free(promises);
    return promise;
}

/* Where the truth is known, intervals hold it, and what another launch finds. What is promised is not more
 * than that, though the choice is the fastest of many by luck; and the intervals are not wide without need.
 */
static void holds_what_it_promises(void **state)
{
    (void)state;
    static const struct machine machines[] = {
        {.launch = 0.1, .sample = 0.1, .launches = 1},
        {.launch = 0.2, .sample = 0.1, .launches = 1},
        {.launch = 0.1, .sample = 0.1, .launches = 2},
        {.launch = 0.3, .sample = 0.3, .launches = 2},
    };
    enum { ROUNDS = 10 };
    struct simulation *simulation = malloc(sizeof *simulation);
    assert_non_null(simulation);
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        uint64_t random = i + 1;
        size_t of_truth = 0, of_launches = 0, of_shifted = 0, all = 0;
        double more = 0, naive = 0;
        for (int round = 0; round < ROUNDS; round++) {
            simulate(simulation, &machines[i], &random);
            const struct ct_promise exact = validate(simulation, 0, 1, &random);
            of_truth += exact.agree;
            more += log(exact.promised / exact.validated) / ROUNDS;
            for (int c = 0; c < PLACES; c++)
                naive += log(simulation->statistics[c][NATIVE].median /
                             simulation->statistics[c][simulation->chosen[c]].median / exact.validated) /
                         PLACES / ROUNDS;
            of_launches += validate(simulation, machines[i].launch, 1, &random).agree;
            of_shifted += validate(simulation, 0, exp(12 * machines[i].launch), &random).agree;
            all += exact.points;
        }
        assert_true((double)of_truth >= 0.95 * (double)all);
        assert_true((double)of_launches >= 0.9 * (double)all);
        assert_true((double)of_shifted <= 0.1 * (double)all);
        assert_true(fabs(more) < naive / 2);
    }
    free(simulation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compares_by_ranks),
        cmocka_unit_test(compares_by_mode),
        cmocka_unit_test(leaves_out_what_was_not_promised),
        cmocka_unit_test(holds_what_it_promises),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
