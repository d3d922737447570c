/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void is_near(double value, double expected)
{
    if (fabs(value - expected) > 1e-12)
        fail_msg("%.15g: expected %.15g", value, expected);
}

static void is_straight_between_points_and_goes_on_behind(void **state)
{
    (void)state;
    const struct ct_curve_point points[] = {{0, 1}, {10, 2}, {20, 6}};
    struct ct_curve curve;
    assert_int_equal(ct_curve_make(points, 3, NULL, &curve), CT_OK);
    const struct ct_curve_point expected[] = {{0, 1}, {5, 1.5}, {10, 2}, {15, 4}, {20, 6}, {30, 10}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        is_near(ct_curve_at(&curve, expected[i].bytes), expected[i].seconds);
    is_near(ct_curve_slope_at_end(&curve), 0.4);
    assert_true(ct_curve_rises(&curve));
    ct_curve_free(&curve);
    is_near(ct_curve_at(&curve, 7), 0);
}

static void never_falls_behind_its_last_point(void **state)
{
    (void)state;
    const struct ct_curve_point points[] = {{1, 4}, {2, 3}};
    struct ct_curve curve;
    assert_int_equal(ct_curve_make(points, 2, NULL, &curve), CT_OK);
    assert_false(ct_curve_rises(&curve));
    is_near(ct_curve_at(&curve, 0), 4);
    is_near(ct_curve_at(&curve, 1000), 3);
    ct_curve_free(&curve);
}

static void refuses_points_that_are_no_curve(void **state)
{
    (void)state;
    const struct {
        struct ct_curve_point points[2];
        const char *what;
    } wrong[] = {{{{1, 1}, {1, 2}}, "point 2: 1 bytes"},
                 {{{-1, 1}, {1, 2}}, "point 1: -1 bytes"},
                 {{{1, 1}, {2, -2}}, "point 2: -2 seconds"},
                 {{{1, NAN}, {2, 2}}, "point 1: nan seconds"}};
    struct ct_curve curve;
    struct ct_error error;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(ct_curve_make(wrong[i].points, 2, &error, &curve), CT_E_INPUT);
        if (!strstr(error.text, wrong[i].what))
            fail_msg("'%s': expected '%s'", error.text, wrong[i].what);
    }
    assert_int_equal(ct_curve_make(NULL, 0, &error, &curve), CT_E_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_straight_between_points_and_goes_on_behind),
        cmocka_unit_test(never_falls_behind_its_last_point),
        cmocka_unit_test(refuses_points_that_are_no_curve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
