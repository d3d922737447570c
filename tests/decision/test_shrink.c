/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/shrink.h"

#include "base/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 20 };

static double normal(uint64_t *random)
{
    const double a = ((double)(ct_random(random) >> 11) + 0.5) * 0x1p-53;
    const double b = ((double)(ct_random(random) >> 11) + 0.5) * 0x1p-53;
    return sqrt(-2 * log(a)) * cos(2 * M_PI * b);
}

/* One value stays, values without errors stay, and values that errors explain become their mean. */
static void test_limits(void **state)
{
    (void)state;
    struct ct_noisy alone = {3, 0.5}, moved[MOST];
    const struct ct_noisy exact[] = {{1, 0}, {2, 0}, {4, 0}};
    const struct ct_noisy alike[] = {{1.0, 1}, {1.1, 1}, {0.9, 1}, {1.4, 4}};
    ct_shrink(&alone, 1, moved);
    assert_true(moved[0].value == 3 && moved[0].variance == 0.5);
    ct_shrink(exact, 3, moved);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(moved[i].value - exact[i].value) < 1e-6 && moved[i].variance < 1e-6);
    ct_shrink(alike, 4, moved);
    for (int i = 0; i < 4; i++) {
        assert_true(fabs(moved[i].value - (3 + 1.4 / 4) / 3.25) < 1e-9); /* weights are 1 and a quarter */
        assert_true(fabs(moved[i].variance - 1 / 3.25) < 1e-9);
    }
}

/* Values with large errors move farther, none beyond the mean, and the order of errors is kept. */
static void test_errors(void **state)
{
    (void)state;
    const struct ct_noisy values[] = {{0, 0.01}, {0, 1}, {4, 0.01}, {4, 1}};
    struct ct_noisy moved[MOST];
    ct_shrink(values, 4, moved);
    assert_true(moved[0].value > 0 && moved[1].value > moved[0].value && moved[1].value < 2);
    assert_true(moved[2].value < 4 && moved[3].value < moved[2].value && moved[3].value > 2);
    assert_true(moved[1].variance < 1 && moved[0].variance < moved[1].variance);
}

/* The least of 20 noisy values is too low; what it is moved to is not, if the true values are normal. */
static void test_least(void **state)
{
    (void)state;
    enum { ROUNDS = 2000 };
    uint64_t random = 7;
    double raw = 0, shrunk = 0;
    size_t held = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct ct_noisy values[MOST], moved[MOST];
        double truth[MOST];
        size_t least = 0;
        for (size_t i = 0; i < MOST; i++) {
            const double error = i % 2 ? 0.5 : 1;
            truth[i] = normal(&random);
            values[i] = (struct ct_noisy){truth[i] + error * normal(&random), error * error};
            least = values[i].value < values[least].value ? i : least;
        }
        ct_shrink(values, MOST, moved);
        raw += (values[least].value - truth[least]) / ROUNDS;
        shrunk += (moved[least].value - truth[least]) / ROUNDS;
        held += fabs(moved[least].value - truth[least]) <= 1.96 * sqrt(moved[least].variance);
    }
    assert_true(raw < -0.5);
    assert_true(fabs(shrunk) < 0.1);
    assert_true(held >= ROUNDS / 10 * 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_least),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
