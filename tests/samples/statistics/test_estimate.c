/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/statistics/estimate.h"
#include "tests/samples/statistics/noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Does the interval over launches hold the true time as often as it says? Of 1000, 95 % are 929 at least but
 * for one time in a thousand. */
static void test_coverage(void **state)
{
    (void)state;
    enum { TRIALS = 1000, LEAST_HELD = 929 };
    static const double time = 1;
    static const struct {
        const char *name;
        struct noise_world world;
    } cases[] = {
        {"two launches", {.launches = 2, .samples = 9, .own = 0.1, .within = 0.05}},
        {"three launches", {.launches = 3, .samples = 9, .own = 0.1, .within = 0.05}},
        {"three, heavy tails", {.launches = 3, .samples = 15, .own = 0.1, .within = 0.05, .tail = 0.3}},
        {"five launches", {.launches = 5, .samples = 9, .own = 0.1, .within = 0.05}},
        {"six launches", {.launches = 6, .samples = 9, .own = 0.1, .within = 0.05}},
        {"twelve, heavy tails", {.launches = 12, .samples = 15, .own = 0.1, .within = 0.05, .tail = 0.3}},
        {"two states, eight", {.launches = 8, .samples = 9, .own = 0.35, .two_states = true}},
    };
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct noise_world world = cases[i].world;
        world.times = &time;
        world.methods = 1;
        size_t held = 0, held_by_samples = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            double medians[12];
            struct noise_cell cell = noise_draw(&world, random);
            for (size_t l = 0; l < world.launches; l++)
                medians[l] = cell.launches[l].median;
            struct ct_estimate estimate = ct_estimate_of_launches(medians, world.launches);
            assert_true(estimate.low <= estimate.median && estimate.median <= estimate.high);
            held += estimate.low <= time && time <= estimate.high;
            /* broken: all samples as if of one launch */
            struct ct_estimate naive = ct_estimate_of_samples(cell.evidence->samples, world.samples);
            held_by_samples += naive.low <= time && time <= naive.high;
            noise_free(&cell);
        }
        print_message("%-20s held %zu; by one launch's samples %zu of %d\n", cases[i].name, held,
                      held_by_samples, TRIALS);
        assert_true(held >= LEAST_HELD);
        assert_true(held_by_samples < LEAST_HELD);
    }
    gsl_rng_free(random);
}

/* One outlier, or one launch, does not move the estimate; each launch counts once. */
static void test_outliers(void **state)
{
    (void)state;
    const double samples[] = {1, 1.01, 1.02, 1.03, 1.04, 1.05, 100};
    struct ct_estimate estimate = ct_estimate_of_samples(samples, 7);
    assert_true(estimate.median == 1.03 && estimate.low == 1 && estimate.high == 100);
    double launches[] = {100, 1, 1.02};
    estimate = ct_estimate_of_launches(launches, 3);
    assert_true(estimate.median == 1.02);
    assert_true(estimate.low < 1 && estimate.high > 100);
}

/* Launches that agree have no width; times at both ends of what doubles hold stay positive and finite. */
static void test_ends(void **state)
{
    (void)state;
    double same[] = {3, 3}, far[] = {1e300, 1e-300};
    struct ct_estimate estimate = ct_estimate_of_launches(same, 2);
    assert_true(estimate.low == 3 && estimate.median == 3 && estimate.high == 3);
    estimate = ct_estimate_of_launches(far, 2);
    assert_true(estimate.low > 0 && isfinite(estimate.high) && estimate.low < estimate.high);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_outliers),
        cmocka_unit_test(test_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
