/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "samples/statistics/change_test.h"
#include "samples/statistics/equivalence.h"
#include "samples/statistics/holm.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { TRIALS = 500, LAUNCHES_MOST = 10, ROWS_MOST = 400 };

/* Two runs made up: groups of cells with methods, each in several launches. Standard deviations of logarithms
 * of what a launch does. */
struct world {
    size_t groups;
    size_t cells; /* of a group */
    size_t methods;
    size_t before; /* launches */
    size_t after;
    double all;   /* to everything */
    double group; /* to a group */
    double cell;  /* to the methods of a cell */
    double own;   /* to each method of a cell */
    double wild;  /* to each of the first group's, instead of `own`; 0: as the others */
    bool two_states;
    double planted; /* logarithm of the ratio of the two runs, of every eighth row */
    double shift;   /* and of all others */
};

struct rates {
    size_t false_change; /* trials with a wrong statement "slower" or "faster" */
    size_t false_same;   /* with a wrong statement "same" */
    size_t found;        /* planted rows that were found, of all trials */
    size_t same;         /* other rows that were found to be the same */
    size_t planted;
    size_t others;
};

static double effect(const struct world *world, size_t group, gsl_rng *random)
{
    double scale = group == 0 && world->wild > 0 ? world->wild : world->own;
    if (world->two_states)
        return (gsl_rng_uniform(random) < 0.5 ? scale : -scale) + gsl_ran_gaussian(random, 0.05 * scale);
    return gsl_ran_gaussian(random, scale);
}

struct trial {
    double logs[2][ROWS_MOST][LAUNCHES_MOST];
    struct ct_change_pair pairs[ROWS_MOST];
    struct ct_change_p_values p_values[ROWS_MOST];
    double differ[ROWS_MOST];
    double equivalent[ROWS_MOST];
    bool rejected[ROWS_MOST];
};

static double truth(const struct world *world, size_t row)
{
    return row % 8 == 0 ? world->planted : world->shift;
}

/* Draws the launches of one run. */
static void draw(const struct world *world, int run, gsl_rng *random, struct trial *trial)
{
    const size_t launches = run == 0 ? world->before : world->after;
    for (size_t l = 0; l < launches; l++) {
        double all = gsl_ran_gaussian(random, world->all);
        for (size_t g = 0, row = 0; g < world->groups; g++) {
            double of_group = all + gsl_ran_gaussian(random, world->group);
            for (size_t c = 0; c < world->cells; c++) {
                double of_cell = of_group + gsl_ran_gaussian(random, world->cell);
                for (size_t m = 0; m < world->methods; m++, row++)
                    trial->logs[run][row][l] = of_cell + effect(world, g, random) - 12 + (double)(row % 5) +
                                               (run == 1 ? truth(world, row) : 0);
            }
        }
    }
}

static void judge(const struct world *world, struct trial *trial, struct rates *rates)
{
    const size_t of_group = world->cells * world->methods, rows = world->groups * of_group;
    const double margin = log1p(CT_MARGIN);
    bool false_change = false, false_same = false;
    for (size_t r = 0; r < rows; r++)
        trial->pairs[r] =
            (struct ct_change_pair){trial->logs[0][r], world->before, trial->logs[1][r], world->after};
    for (size_t g = 0; g < world->groups; g++)
        assert_int_equal(
            ct_change_test(trial->pairs + g * of_group, of_group, margin, trial->p_values + g * of_group),
            CT_OK);
    for (size_t r = 0; r < rows; r++) {
        trial->differ[r] = fmin(1, 2 * fmin(trial->p_values[r].not_slower, trial->p_values[r].not_faster));
        trial->equivalent[r] = trial->p_values[r].not_equivalent;
    }
    assert_int_equal(ct_holm(trial->differ, rows, CT_ALPHA, trial->rejected), CT_OK);
    for (size_t r = 0; r < rows; r++) {
        const double direction = trial->p_values[r].not_slower < trial->p_values[r].not_faster ? 1 : -1;
        false_change |= trial->rejected[r] && truth(world, r) * direction <= 0;
        rates->found += trial->rejected[r] && r % 8 == 0;
        rates->planted += r % 8 == 0;
    }
    assert_int_equal(ct_holm(trial->equivalent, rows, CT_ALPHA, trial->rejected), CT_OK);
    for (size_t r = 0; r < rows; r++) {
        false_same |= trial->rejected[r] && fabs(truth(world, r)) > margin - 1e-9;
        rates->same += trial->rejected[r] && r % 8 != 0;
        rates->others += r % 8 != 0;
    }
    rates->false_change += false_change;
    rates->false_same += false_same;
}

static struct rates try_often(const struct world *world, unsigned long seed)
{
    struct trial *trial = ct_allocate(1, sizeof *trial);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct rates rates = {0};
    assert_non_null(trial);
    gsl_rng_set(random, seed);
    for (int i = 0; i < TRIALS; i++) {
        draw(world, 0, random, trial);
        draw(world, 1, random, trial);
        judge(world, trial, &rates);
    }
    gsl_rng_free(random);
    free(trial);
    return rates;
}

/* Of 500 trials 5 % may be wrong; with 41 the rate is above that but for one time in a thousand. */
enum { MOST_WRONG = 41 };

/* All differ by the margin, and are steady enough for "same" to be said of what differs by less. */
static void make_quiet(struct world *world)
{
    double *const effects[] = {&world->all, &world->group, &world->cell, &world->own, &world->wild};
    for (size_t i = 0; i < sizeof effects / sizeof effects[0]; i++)
        *effects[i] /= 10;
    world->planted = world->shift = log1p(CT_MARGIN);
}

/* Whatever launches do, and to how many cells at once, wrong statements are as rare as they are said to be.
 */
static void test_error_rates(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        struct world world;
    } cases[] = {
        {"each apart", {5, 8, 4, 3, 3, .own = 0.05}},
        {"each apart, two launches", {5, 8, 4, 2, 2, .own = 0.05}},
        {"all alike", {5, 8, 4, 3, 3, .all = 0.05}},
        {"all alike, two launches", {5, 8, 4, 2, 2, .all = 0.05}},
        {"all nearly alike", {5, 8, 4, 3, 3, .all = 0.05, .own = 0.02}},
        {"all nearly alike, two launches", {5, 8, 4, 2, 2, .all = 0.05, .own = 0.02}},
        {"half alike", {5, 8, 4, 3, 3, .all = 0.05, .own = 0.05}},
        {"half alike, two launches", {5, 8, 4, 2, 2, .all = 0.05, .own = 0.05}},
        {"groups alike", {8, 8, 4, 3, 3, .group = 0.05, .own = 0.01}},
        {"groups alike, two launches", {8, 8, 4, 2, 2, .group = 0.05, .own = 0.01}},
        {"cells alike", {5, 10, 4, 3, 3, .cell = 0.05, .own = 0.01}},
        {"cells alike, two launches", {5, 10, 4, 2, 2, .cell = 0.05, .own = 0.01}},
        {"one cell a group", {8, 1, 6, 2, 2, .cell = 0.05, .own = 0.03}},
        {"one method", {6, 6, 1, 2, 3, .own = 0.05}},
        {"one method, all nearly alike", {6, 6, 1, 2, 2, .all = 0.05, .own = 0.02}},
        {"one group, one method, nearly alike", {1, 10, 1, 2, 2, .all = 0.05, .own = 0.02}},
        {"one row", {1, 1, 1, 3, 3, .own = 0.05}},
        {"one launch against three", {5, 8, 4, 1, 3, .own = 0.05}},
        {"one launch against four, alike", {5, 8, 4, 4, 1, .all = 0.05, .own = 0.02}},
        {"five against ten", {5, 8, 2, 5, 10, .own = 0.05, .group = 0.05}},
        {"a wild group", {5, 8, 4, 3, 3, .own = 0.02, .wild = 0.5}},
        {"two states", {5, 8, 4, 3, 3, .own = 0.35, .two_states = true}},
        {"two states, five launches", {5, 8, 4, 5, 5, .own = 0.35, .two_states = true}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int shifted = 0; shifted < 2; shifted++) {
            struct world world = cases[i].world;
            if (shifted)
                make_quiet(&world);
            struct rates rates = try_often(&world, 1 + i);
            print_message("%-36s %s falsely changed %3zu, falsely the same %3zu\n", cases[i].name,
                          shifted ? "at the margin" : "equal        ", rates.false_change, rates.false_same);
            assert_true(rates.false_change <= MOST_WRONG);
            assert_true(rates.false_same <= MOST_WRONG);
        }
    }
}

/* What is 20 % slower is found, and what is the same, as far as launches allow. */
static void test_power(void **state)
{
    (void)state;
    struct world world = {5, 8, 4, 3, 3, .own = 0.02, .planted = 0.1823};
    struct rates rates = try_often(&world, 3);
    print_message("found %zu of %zu, the same %zu of %zu\n", rates.found, rates.planted, rates.same,
                  rates.others);
    assert_true(rates.found > 0.99 * (double)rates.planted);
    assert_true(rates.false_change <= MOST_WRONG);
    world.own = 0.005;
    rates = try_often(&world, 4);
    assert_true(rates.same > 0.95 * (double)rates.others);
    assert_true(rates.false_same == 0);
}

static void test_edges(void **state)
{
    (void)state;
    struct ct_change_p_values p[3];
    const double logs[] = {1, 1.1, 1.2, 2, 2.1, 2.2};
    /* one pair: Student's two-sample test; t = 1 / sqrt(0.01 * 2 / 3), 4 degrees of freedom */
    const struct ct_change_pair one = {logs, 3, logs + 3, 3};
    assert_int_equal(ct_change_test(&one, 1, 0.05, p), CT_OK);
    assert_float_equal(p[0].not_slower, 0.000128, 1e-6);
    assert_float_equal(p[0].not_faster, 1 - 0.000128, 1e-6);
    assert_true(p[0].not_equivalent > 0.99);
    /* one launch everywhere says nothing */
    const struct ct_change_pair single[] = {{logs, 1, logs + 3, 1}, {logs + 1, 1, logs + 4, 1}};
    assert_int_equal(ct_change_test(single, 2, 0.05, p), CT_OK);
    assert_true(p[0].not_slower == 1 && p[0].not_faster == 1 && p[0].not_equivalent == 1);
    /* nothing varies */
    const double constant[] = {1, 1, 1, 1, 2, 2};
    const struct ct_change_pair pairs[] = {
        {constant, 2, constant + 2, 2}, {constant, 2, constant + 4, 2}, {constant, 2, constant, 2}};
    assert_int_equal(ct_change_test(pairs, 3, 0.05, p), CT_OK);
    assert_true(p[0].not_slower == 1 && p[0].not_faster == 1 && p[0].not_equivalent == 0);
    assert_true(p[1].not_slower == 0 && p[1].not_faster == 1 && p[1].not_equivalent == 1);
    assert_int_equal(ct_change_test(pairs, 0, 0.05, p), CT_OK);
    /* samples: three against three that part wholly have 2^-3 on either side */
    struct ct_change_p_values order = ct_change_order_test(logs, 3, logs + 3, 3, 0.05);
    assert_float_equal(order.not_slower, 0.25, 1e-12);
    assert_true(order.not_faster == 1 && order.not_equivalent == 1);
}

static void test_holm(void **state)
{
    (void)state;
    bool rejected[4];
    assert_int_equal(ct_holm((const double[]){0.04, 0.01, 0.03, 0.0125}, 4, 0.05, rejected), CT_OK);
    assert_true(!rejected[0] && rejected[1] && !rejected[2] && rejected[3]);
    assert_int_equal(ct_holm(NULL, 0, 0.05, rejected), CT_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_error_rates),
        cmocka_unit_test(test_power),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_holm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
