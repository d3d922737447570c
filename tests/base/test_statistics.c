/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/statistics.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_quantile(void **state)
{
    (void)state;
    const double values[] = {1, 2, 4, 8};
    assert_true(ct_quantile(values, 4, 0) == 1);
    assert_true(ct_quantile(values, 4, 1) == 8);
    assert_true(ct_quantile(values, 4, 0.5) == 3);
    assert_true(ct_quantile(values, 3, 0.5) == 2);
    assert_true(ct_quantile(values, 1, 0.95) == 1);
    assert_true(isnan(ct_quantile(values, 0, 0.5)));
}

/* The interval's ranks against those of printed tables (counted from 1 there). */
static void test_interval(void **state)
{
    (void)state;
    static const struct {
        size_t count, low, high;
    } table[] = {{6, 1, 6},   {8, 1, 8},   {9, 2, 8},    {10, 2, 9},   {15, 4, 12},
                 {20, 6, 15}, {25, 8, 18}, {30, 10, 21}, {50, 18, 33}, {100, 40, 61}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        size_t low, high;
        ct_median_interval(table[i].count, &low, &high);
        assert_int_equal(low + 1, table[i].low);
        assert_int_equal(high + 1, table[i].high);
    }
}

/* Few values have the extremes and no interval; many have one, too, however small 2^-n. */
static void test_interval_ends(void **state)
{
    (void)state;
    size_t low, high;
    for (size_t count = 1; count < 8; count++) {
        assert_true(ct_median_interval(count, &low, &high) == (count >= 6));
        assert_int_equal(low, 0);
        assert_int_equal(high, count - 1);
        assert_false(ct_median_bounds(count, 0.99, &low, &high));
    }
    assert_true(ct_median_bounds(8, 0.99, &low, &high));
    ct_median_interval(1000, &low, &high);
    assert_int_equal(low, 468);
    assert_int_equal(high, 531);
    /* 1.96 standard deviations, which are 50, from the middle */
    ct_median_interval(10000, &low, &high);
    assert_int_equal(low, 4901);
    assert_int_equal(high, 5098);
}

static void test_sort(void **state)
{
    (void)state;
    double values[] = {3, -1, 2, 0.5};
    const double sorted[] = {-1, 0.5, 2, 3};
    ct_sort(values, 4);
    assert_memory_equal(values, sorted, sizeof sorted);
    ct_sort(NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quantile),
        cmocka_unit_test(test_interval),
        cmocka_unit_test(test_interval_ends),
        cmocka_unit_test(test_sort),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
