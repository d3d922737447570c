/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/stop_rule.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void fill(double *times, size_t n)
{
    for (size_t i = 0; i < n; i++)
        times[i] = (double)(n - i);
}

/* Fewer than six times allow no interval of 95 %. */
static void few_times_prove_nothing(void **state)
{
    (void)state;
    double times[5] = {1, 1, 1, 1, 1};
    for (size_t n = 0; n <= 5; n++)
        assert_true(isinf(ct_median_error(times, n)));
}

/* Orders of the binomial distribution: for 6 times the extremes, for 20 the 6th and 15th, for 100 the 40th
 * and 61st. */
static void interval_is_the_binomials(void **state)
{
    (void)state;
    double times[100];
    fill(times, 6);
    assert_float_equal(ct_median_error(times, 6), (6 - 1) / 2.0 / 3.5, 1e-12);
    fill(times, 20);
    assert_float_equal(ct_median_error(times, 20), (15 - 6) / 2.0 / 10.5, 1e-12);
    fill(times, 100);
    assert_float_equal(ct_median_error(times, 100), (61 - 40) / 2.0 / 50.5, 1e-12);
}

/* Where the exact sum gives way to the normal one nothing jumps. */
static void interval_is_smooth_at_a_thousand(void **state)
{
    (void)state;
    static double times[1001];
    fill(times, 1000);
    double before = ct_median_error(times, 1000);
    fill(times, 1001);
    double after = ct_median_error(times, 1001);
    assert_float_equal(before, after, 0.002);
    assert_float_equal(before, 31.0 / 500.5, 0.002);
}

static void equal_times_have_no_error(void **state)
{
    (void)state;
    double times[8] = {2, 2, 2, 2, 2, 2, 2, 2};
    assert_float_equal(ct_median_error(times, 8), 0, 0);
}

static void rule_stops_for_each_reason(void **state)
{
    (void)state;
    const struct ct_stop_rule rule = {.least = 8, .most = 20, .precision = 0.05, .most_seconds = 1};
    double steady[20], wild[20];
    for (size_t i = 0; i < 20; i++) {
        steady[i] = 1;
        wild[i] = (double)(1 + i * i);
    }
    /* precise, but too few */
    assert_false(ct_stop(&rule, steady, 7, 0));
    assert_true(ct_stop(&rule, steady, 8, 0));
    /* enough, but not precise */
    assert_false(ct_stop(&rule, wild, 19, 0));
    assert_true(ct_stop(&rule, wild, 20, 0));
    /* out of time, but never without a sample */
    assert_true(ct_stop(&rule, wild, 1, 1));
    assert_false(ct_stop(&rule, wild, 0, 5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_times_prove_nothing),          cmocka_unit_test(interval_is_the_binomials),
        cmocka_unit_test(interval_is_smooth_at_a_thousand), cmocka_unit_test(equal_times_have_no_error),
        cmocka_unit_test(rule_stops_for_each_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
