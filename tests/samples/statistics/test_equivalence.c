/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/error.h"
#include "samples/statistics/comparison.h"
#include "tests/samples/statistics/noise.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { METHODS = 8, TRIALS = 1000 };

/* How many cells had a wrong statement of either kind, and how often the second method had which standing. */
struct tally {
    size_t falsely_equivalent;
    size_t falsely_worse;
    size_t second[CT_STANDINGS];
};

static bool is_false(const struct noise_world *world, const enum ct_standing *standings,
                     enum ct_standing standing)
{
    size_t best = 0;
    while (standings[best] != CT_STANDING_BEST)
        best++;
    for (size_t m = 0; m < world->methods; m++) {
        double ratio = world->times[m] / world->times[best];
        if (standings[m] != standing)
            continue;
        if (standing == CT_STANDING_WORSE ? ratio <= 1 : ratio > 1.05 - 1e-9 || ratio < 1 / 1.05 + 1e-9)
            return true;
    }
    return false;
}

static struct tally judge_often(const struct noise_world *world, unsigned long seed)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, seed);
    struct tally tally = {0};
    for (int trial = 0; trial < TRIALS; trial++) {
        enum ct_standing standings[METHODS];
        struct noise_cell cell = noise_draw(world, random);
        assert_int_equal(ct_judge(cell.evidence, world->methods, CT_MARGIN, false, standings), CT_OK);
        tally.falsely_equivalent += is_false(world, standings, CT_STANDING_EQUIVALENT);
        tally.falsely_worse += is_false(world, standings, CT_STANDING_WORSE);
        tally.second[standings[1]]++;
        noise_free(&cell);
    }
    gsl_rng_free(random);
    return tally;
}

/* Of 1000 cells 5 % may be wrong; with 71 the rate is above that but for one time in a thousand. */
enum { MOST_WRONG = 71 };

static const double equal[METHODS] = {1, 1, 1, 1, 1, 1, 1, 1};
/* the others at the margin, the second well beyond it */
static const double apart[METHODS] = {1, 2, 1.05, 1.05, 1.05, 1.05, 1.05, 1.05};

/* Whatever the launches do, wrong statements are as rare as they are said to be. */
static void test_error_rates(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        struct noise_world world;
    } cases[] = {
        {"one launch, skew", {.launches = 1, .samples = 30, .within = 0.05}},
        {"one launch, heavy tails", {.launches = 1, .samples = 60, .within = 0.01, .tail = 0.3}},
        {"one launch, few samples", {.launches = 1, .samples = 12, .within = 0.01}},
        {"two launches", {.launches = 2, .samples = 15, .common = 0.3, .own = 0.03, .within = 0.05}},
        {"three launches", {.launches = 3, .samples = 15, .common = 0.3, .own = 0.03, .within = 0.05}},
        {"three steady launches", {.launches = 3, .samples = 15, .own = 0.01, .within = 0.01}},
        {"five launches, heavy tails",
         {.launches = 5, .samples = 15, .common = 0.3, .own = 0.02, .within = 0.02, .tail = 0.3}},
        {"ten launches", {.launches = 10, .samples = 9, .common = 0.3, .own = 0.02, .within = 0.02}},
        {"a wild method", {.launches = 3, .samples = 9, .common = 0.1, .own = 0.01, .wild_own = 0.2}},
        {"two states", {.launches = 3, .samples = 9, .common = 0.1, .own = 0.35, .two_states = true}},
        {"two states, five launches",
         {.launches = 5, .samples = 9, .common = 0.1, .own = 0.35, .two_states = true}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct noise_world world = cases[i].world;
        world.methods = METHODS;
        for (int other = 0; other < 2; other++) {
            world.times = other ? apart : equal;
            struct tally tally = judge_often(&world, 1 + i);
            print_message("%-28s %-6s falsely worse %3zu, falsely equivalent %3zu; second: %zu %zu %zu %zu\n",
                          cases[i].name, other ? "apart" : "equal", tally.falsely_worse,
                          tally.falsely_equivalent, tally.second[CT_STANDING_BEST],
                          tally.second[CT_STANDING_EQUIVALENT], tally.second[CT_STANDING_UNDECIDED],
                          tally.second[CT_STANDING_WORSE]);
            assert_true(tally.falsely_worse <= MOST_WRONG);
            assert_true(tally.falsely_equivalent <= MOST_WRONG);
        }
    }
}

/* What is far apart or the same is found so, as far as launches and samples allow. */
static void test_power(void **state)
{
    (void)state;
    struct noise_world world = {.times = apart, .methods = METHODS, .launches = 3, .samples = 15};
    world.common = 0.3;
    world.own = 0.03;
    assert_true(judge_often(&world, 5).second[CT_STANDING_WORSE] >= 950);
    world.times = equal;
    world.launches = 10;
    world.own = 0.01;
    struct tally same = judge_often(&world, 6);
    assert_true(same.second[CT_STANDING_BEST] + same.second[CT_STANDING_EQUIVALENT] >= 950);
}

/* A launch's samples, however many, say nothing of the next launch: taken for all that there is, they are
 * wrong most of the time about what several launches would say, and no test of them can know. */
static void test_launch_effect(void **state)
{
    (void)state;
    struct noise_world world = {.times = equal, .methods = METHODS, .launches = 1, .samples = 60};
    world.own = 0.1;
    world.within = 0.01;
    assert_true(judge_often(&world, 7).falsely_worse > 900);
    world.launches = 5;
    assert_true(judge_often(&world, 7).falsely_worse <= MOST_WRONG);
}

/* Two sides of three samples each that part wholly: 2^-3 on either side. Their order is all that counts. */
static void test_order_test(void **state)
{
    (void)state;
    const double low[] = {1, 2, 3}, high[] = {4, 5, 600};
    assert_float_equal(ct_order_test(low, 3, high, 3, 1), 0.25, 1e-12);
    assert_true(ct_order_test(high, 3, low, 3, 1) == 1);
    assert_true(ct_order_test(low, 3, low, 3, 1) == 1);
    assert_float_equal(ct_order_test(low, 3, low, 3, 3.5), 0.25, 1e-12);
    assert_true(ct_order_test(low, 1, high, 3, 1) == 1);
    /* one outlier on the wrong side costs one rank: (1 + 20) / 2^20 */
    double many[20];
    for (int i = 0; i < 20; i++)
        many[i] = i < 19 ? 1 : 100;
    const double twos[20] = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
    assert_float_equal(ct_order_test(many, 20, twos, 20, 1), 2 * 21 / 1048576.0, 1e-12);
    /* and more samples than 2^-n has doubles for */
    enum { LOTS = 5000 };
    static double ones[LOTS], more[LOTS];
    for (int i = 0; i < LOTS; i++) {
        ones[i] = 1;
        more[i] = 1.01;
    }
    assert_true(ct_order_test(ones, LOTS, more, LOTS, 1) < 1e-300);
    assert_true(ct_order_test(more, LOTS, ones, LOTS, 1) == 1);
}

/* Of two methods the moderated test is the paired t-test: differences 0.1, 0.2, 0.3 have t = 2 sqrt(3), 2
 * degrees of freedom, one-sided 0.0371. */
static void test_launch_test(void **state)
{
    (void)state;
    struct ct_p_values p_values[3];
    const double pair[] = {1, 5, 3, 1.1, 5.2, 3.3};
    assert_int_equal(ct_launch_test(pair, 2, 3, 0, 0.05, p_values), CT_OK);
    assert_float_equal(p_values[1].not_slower, 0.03709, 1e-5);
    assert_true(p_values[1].not_equivalent > 0.9);
    /* the best one's own place does not matter */
    assert_int_equal(ct_launch_test(pair, 2, 3, 1, 0.5, p_values), CT_OK);
    assert_float_equal(p_values[0].not_slower, 1 - 0.03709, 1e-5);
    /* nothing varies at all; times at both ends of what doubles hold */
    const double constant[] = {1, 1, 1, 1, 1.02, 1.02};
    assert_int_equal(ct_launch_test(constant, 3, 2, 0, 0.05, p_values), CT_OK);
    assert_true(p_values[1].not_slower == 1 && p_values[1].not_equivalent == 0);
    assert_true(p_values[2].not_slower == 0 && p_values[2].not_equivalent == 0);
    const double extreme[] = {-700, 700, 700, -700, 1, 1};
    assert_int_equal(ct_launch_test(extreme, 3, 2, 2, 0.05, p_values), CT_OK);
    assert_true(p_values[0].not_slower > 0.4 && p_values[0].not_equivalent > 0.4);
}

static struct ct_launch_median launch(uint32_t number, double median)
{
    return (struct ct_launch_median){number, 1, median};
}

/* What the evidence does not allow to compare stays undecided; what failed has no standing. */
static void test_ragged(void **state)
{
    (void)state;
    const struct ct_launch_median all[] = {launch(0, 1), launch(1, 1), launch(2, 1)};
    const struct ct_launch_median slow[] = {launch(0, 9), launch(1, 9), launch(2, 9)};
    const struct ct_launch_median gap[] = {launch(0, 9), launch(2, 9)};
    const struct ct_launch_median more[] = {launch(0, 2), launch(1, 2), launch(2, 2), launch(7, 2)};
    const double one[] = {1}, nine[] = {9};
    const struct ct_evidence cell[] = {{1, all, 3, one, 1},
                                       {9, slow, 3, nine, 1},
                                       {9, gap, 2, nine, 1},
                                       {2, more, 4, nine, 1},
                                       {0, NULL, 0, NULL, 0}};
    enum ct_standing standings[5];
    assert_int_equal(ct_judge(cell, 5, CT_MARGIN, false, standings), CT_OK);
    const enum ct_standing expected[] = {CT_STANDING_BEST, CT_STANDING_WORSE, CT_STANDING_UNDECIDED,
                                         CT_STANDING_WORSE, CT_STANDING_UNMEASURED};
    assert_memory_equal(standings, expected, sizeof expected);

    /* different launches of one each; nothing at all; alone */
    const struct ct_evidence apart_in_time[] = {{1, &all[0], 1, one, 1}, {9, &slow[1], 1, nine, 1}};
    assert_int_equal(ct_judge(apart_in_time, 2, CT_MARGIN, false, standings), CT_OK);
    assert_int_equal(standings[1], CT_STANDING_UNDECIDED);
    assert_int_equal(ct_judge(&cell[4], 1, CT_MARGIN, false, standings), CT_OK);
    assert_int_equal(standings[0], CT_STANDING_UNMEASURED);
    assert_int_equal(ct_judge(cell, 1, CT_MARGIN, false, standings), CT_OK);
    assert_int_equal(standings[0], CT_STANDING_BEST);
}

/* Computed times are compared as they are; ties go to the first. */
static void test_exact(void **state)
{
    (void)state;
    const struct ct_launch_median once = launch(0, 1);
    const double sample[] = {1};
    const struct ct_evidence cell[] = {{2.000001, &once, 1, sample, 1},
                                       {1, &once, 1, sample, 1},
                                       {1, &once, 1, sample, 1},
                                       {2, &once, 1, sample, 1},
                                       {1.0000001, &once, 1, sample, 1}};
    enum ct_standing standings[5];
    assert_int_equal(ct_judge(cell, 5, 1, true, standings), CT_OK);
    const enum ct_standing wide[] = {CT_STANDING_WORSE, CT_STANDING_BEST, CT_STANDING_EQUIVALENT,
                                     CT_STANDING_EQUIVALENT, CT_STANDING_EQUIVALENT};
    assert_memory_equal(standings, wide, sizeof wide);
    assert_int_equal(ct_judge(cell, 5, 0, true, standings), CT_OK);
    const enum ct_standing narrow[] = {CT_STANDING_WORSE, CT_STANDING_BEST, CT_STANDING_EQUIVALENT,
                                       CT_STANDING_WORSE, CT_STANDING_WORSE};
    assert_memory_equal(standings, narrow, sizeof narrow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_error_rates),   cmocka_unit_test(test_power),
        cmocka_unit_test(test_launch_effect), cmocka_unit_test(test_order_test),
        cmocka_unit_test(test_launch_test),   cmocka_unit_test(test_ragged),
        cmocka_unit_test(test_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
