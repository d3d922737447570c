/* SPDX-License-Identifier: BSD-3-Clause */
/* Times of a method at message sizes that it was not called with. */
#include "library/adapt/cost_line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const double tolerance = 1e-6; /* relative */

static void assert_predicts(const struct ct_cost_line *line, double bytes, double expected)
{
    double seconds = 0;
    assert_true(ct_cost_line_at(line, bytes, &seconds));
    assert_true(seconds > expected * (1 - tolerance) && seconds < expected * (1 + tolerance));
}

static void times_on_a_line_are_found_again(void **state)
{
    (void)state;
    const double start = 2e-6, slope = 1e-9;
    struct ct_cost_line line = {0};
    for (double bytes = 8; bytes <= 1e6; bytes *= 8)
        ct_cost_line_add(&line, bytes, start + slope * bytes);
    assert_predicts(&line, 0, start);
    assert_predicts(&line, 100, start + slope * 100);
    assert_predicts(&line, 4e6, start + slope * 4e6);
}

/* A time of a large message that is off by some percent does not move those of small ones. */
static void relative_errors_count(void **state)
{
    (void)state;
    struct ct_cost_line line = {0};
    double seconds;
    ct_cost_line_add(&line, 8, 1e-6);
    ct_cost_line_add(&line, 80, 1e-6);
    ct_cost_line_add(&line, 100000, 101e-6);
    ct_cost_line_add(&line, 200000, 1.1 * 201e-6);
    assert_true(ct_cost_line_at(&line, 20, &seconds));
    assert_true(seconds > 0.9e-6 && seconds < 1.1e-6);
}

/* Longer messages do not take less time, and empty ones some. */
static void neither_part_is_negative(void **state)
{
    (void)state;
    struct ct_cost_line falling = {0}, steep = {0};
    ct_cost_line_add(&falling, 100, 2e-6);
    ct_cost_line_add(&falling, 1000, 2e-6);
    ct_cost_line_add(&falling, 400, 3e-6);
    ct_cost_line_add(&falling, 2000, 1e-6);
    double at_once, later;
    assert_true(ct_cost_line_at(&falling, 0, &at_once));
    assert_true(ct_cost_line_at(&falling, 1e6, &later));
    assert_true(at_once > 1e-6 && at_once < 3e-6 && later == at_once);
    ct_cost_line_add(&steep, 1000, 1e-6);
    ct_cost_line_add(&steep, 2000, 4e-6);
    assert_true(ct_cost_line_at(&steep, 4000, &later));
    assert_true(later > 4e-6 && later < 9e-6);
    assert_true(ct_cost_line_at(&steep, 10, &at_once) && at_once > 0);
}

static void near_sizes_predict_nothing(void **state)
{
    (void)state;
    struct ct_cost_line line = {0};
    double seconds = 7;
    assert_false(ct_cost_line_at(&line, 100, &seconds));
    ct_cost_line_add(&line, 1000, 1e-6);
    assert_false(ct_cost_line_at(&line, 100, &seconds));
    ct_cost_line_add(&line, 1001, 2e-6);
    assert_false(ct_cost_line_at(&line, 100, &seconds));
    assert_true(seconds == 7);
    ct_cost_line_add(&line, 0, 1e-6);
    assert_true(ct_cost_line_at(&line, 100, &seconds));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_on_a_line_are_found_again),
        cmocka_unit_test(relative_errors_count),
        cmocka_unit_test(neither_part_is_negative),
        cmocka_unit_test(near_sizes_predict_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
