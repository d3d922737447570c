/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/error.h"
#include "base/random.h"
#include "base/statistics.h"
#include "samples/statistics/comparable.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { METHODS = 12, LAUNCHES = 3 };

/* What was measured in a cell. */
struct world {
    struct ct_evidence methods[METHODS];
    struct ct_launch_median launches[METHODS][LAUNCHES];
};

/* seconds[method * launch_count + launch]; NAN: not measured. */
static void make(struct world *world, size_t method_count, size_t launch_count, const double *seconds)
{
    memset(world, 0, sizeof *world);
    for (size_t m = 0; m < method_count; m++) {
        struct ct_evidence *own = &world->methods[m];
        own->launches = world->launches[m];
        for (size_t i = 0; i < launch_count; i++)
            if (!isnan(seconds[m * launch_count + i]))
                world->launches[m][own->launch_count++] =
                    (struct ct_launch_median){(uint32_t)(2 * i + 1), 5, seconds[m * launch_count + i]};
    }
}

static void find(size_t method_count, size_t launch_count, const double *seconds, int64_t without,
                 double *ret_medians)
{
    struct world world;
    make(&world, method_count, launch_count, seconds);
    assert_int_equal(ct_comparable_medians(world.methods, method_count, without, ret_medians), CT_OK);
}

static void launches_of_all_methods_count_as_they_are(void **state)
{
    const double seconds[] = {3, 1, 2, 0.1, 0.3, 0.7};
    double medians[2];
    (void)state;
    find(2, 3, seconds, CT_NO_LAUNCH, medians);
    assert_true(medians[0] == 2 && medians[1] == 0.3);
}

/* The second launch takes three times as long, and one method was not measured there. */
static void missing_launches_take_what_others_take(void **state)
{
    const double seconds[] = {1, 3, 2, 6, 1.5, NAN}, expected = 1.5 * (1 + pow(3, 2.0 / 3)) / 2;
    double medians[3];
    (void)state;
    find(3, 2, seconds, CT_NO_LAUNCH, medians);
    assert_float_equal(medians[0], 2, 1e-12);
    assert_float_equal(medians[1], 4, 1e-12);
    assert_float_equal(medians[2], expected, 1e-12);
    assert_true(medians[2] > medians[0]);
    find(3, 2, seconds, 3, medians);
    assert_true(medians[0] == 1 && medians[1] == 2 && medians[2] == 1.5);
    find(3, 2, seconds, 1, medians);
    assert_true(medians[0] == 3 && medians[1] == 6 && isnan(medians[2]));
}

/* Any two of three launches have one method in common. */
static void several_launches_are_weighed(void **state)
{
    const double seconds[] = {1, 1, NAN, 5, NAN, 10, NAN, 5, 20};
    double medians[3];
    (void)state;
    find(3, 3, seconds, CT_NO_LAUNCH, medians);
    assert_float_equal(medians[0], 1, 1e-12);
    assert_float_equal(medians[1], 5, 1e-12);
    /* in the first launch 5 by the second one, and 20 times 5 / 10 to the power 1/2 by the third one */
    assert_float_equal(medians[2], sqrt(5 * 20 / sqrt(2)), 1e-12);
}

static void nothing_is_expected_without_common_methods(void **state)
{
    const double seconds[] = {1, NAN, NAN, 9};
    double medians[2];
    (void)state;
    find(2, 2, seconds, CT_NO_LAUNCH, medians);
    assert_true(medians[0] == 1 && medians[1] == 9);
}

/* A clock may tell no time. */
static void times_of_zero_are_not_compared(void **state)
{
    const double seconds[] = {0, 0, 0, 1, 2, 4, 3, NAN};
    double medians[4];
    (void)state;
    find(4, 2, seconds, CT_NO_LAUNCH, medians);
    assert_true(medians[0] == 0 && medians[1] == 0.5 && medians[2] == 3);
    assert_float_equal(medians[3], 3 * (1 + sqrt(2)) / 2, 1e-12);
}

/* From 0 to 1. */
static double unit(uint64_t *random)
{
    return ldexp((double)(ct_random(random) >> 11), -53);
}

static size_t least(const double *values)
{
    size_t best = 0;
    for (size_t m = 1; m < METHODS; m++)
        if (values[m] < values[best])
            best = m;
    return best;
}

/* A race: later launches measure the methods that were best in the first one, and take longer or less. */
static void survivors_of_a_race_are_not_worse_for_it(void **state)
{
    enum { TRIALS = 300, SURVIVORS = 4 };
    uint64_t random = 7;
    size_t right = 0, right_by_own = 0;
    (void)state;
    for (int trial = 0; trial < TRIALS; trial++) {
        double seconds[METHODS * LAUNCHES], effects[METHODS], medians[METHODS], own[METHODS];
        for (size_t m = 0; m < METHODS; m++)
            effects[m] = exp(unit(&random));
        for (size_t i = 0; i < LAUNCHES; i++) {
            const double level = exp(2 * unit(&random) - 1);
            for (size_t m = 0; m < METHODS; m++) {
                const double noise = exp(0.04 * unit(&random));
                size_t rank = 0;
                for (size_t k = 0; k < METHODS; k++)
                    rank += effects[k] < effects[m];
                seconds[m * LAUNCHES + i] = i > 0 && rank >= SURVIVORS ? NAN : effects[m] * level * noise;
            }
        }
        find(METHODS, LAUNCHES, seconds, CT_NO_LAUNCH, medians);
        for (size_t m = 0; m < METHODS; m++) {
            double values[LAUNCHES];
            size_t count = 0;
            for (size_t i = 0; i < LAUNCHES; i++)
                if (!isnan(seconds[m * LAUNCHES + i]))
                    values[count++] = seconds[m * LAUNCHES + i];
            own[m] = ct_median(values, count);
        }
        right += effects[least(medians)] < 1.05 * effects[least(effects)];
        right_by_own += effects[least(own)] < 1.05 * effects[least(effects)];
    }
    assert_true(right > TRIALS / 100 * 95);
    assert_true(right_by_own < TRIALS / 100 * 90);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_of_all_methods_count_as_they_are),
        cmocka_unit_test(missing_launches_take_what_others_take),
        cmocka_unit_test(several_launches_are_weighed),
        cmocka_unit_test(nothing_is_expected_without_common_methods),
        cmocka_unit_test(times_of_zero_are_not_compared),
        cmocka_unit_test(survivors_of_a_race_are_not_worse_for_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
