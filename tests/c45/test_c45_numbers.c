/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45/c45_information.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* What pruning adds, at three levels of confidence: as C4.5 Release 8 has it. */
static void test_added_errors(void **state)
{
    static const float cases[][2] = {{1, 0},     {4, 0},    {14, 5},  {6, 1},
                                     {10, 0.5f}, {1, 0.7f}, {100, 3}, {20000, 840}};
    static const struct {
        float level, coefficient, added[8];
    } rows[] = {
        {0.25f,
         0.4795562f,
         {0.75000f, 1.17157f, 1.79499f, 1.32649f, 1.36756f, 0.22500f, 2.01081f, 20.37067f}},
        {0.05f, 2.7225f, {0.95000f, 2.10852f, 3.51382f, 2.49332f, 2.82564f, 0.28500f, 4.96821f, 48.57996f}},
        {0.75f, 0.0108507f, {0.25000f, 0.27758f, 0.69144f, 0.61313f, 0.45250f, 0.07500f, 0.69654f, 3.46069f}},
    };
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct ct_c45_confidence confidence = ct_c45_confidence_of(rows[r].level);
        assert_float_equal(confidence.coefficient, rows[r].coefficient, 1e-6f);
        for (size_t i = 0; i < 8; i++)
            assert_float_equal(ct_c45_added_errors(&confidence, cases[i][0], cases[i][1]), rows[r].added[i],
                               6e-6f);
    }
}

/* The weather table's root: outlook gains 0.247 of 0.940 bits, and itself has 1.577. */
static void test_information(void **state)
{
    static const float play[] = {9, 5}, outlook[] = {5, 4, 5}, by_outlook[] = {2, 3, 4, 0, 3, 2};
    struct ct_c45_split split = {.totals = outlook,
                                 .frequencies = by_outlook,
                                 .parts = 3,
                                 .classes = 2,
                                 .known = 14,
                                 .base = ct_c45_entropy(play, 2) / 14,
                                 .least = 2};
    (void)state;
    assert_float_equal(split.base, 0.940286f, 1e-5f);
    assert_float_equal(ct_c45_entropy(outlook, 3) / 14, 1.577406f, 1e-5f);
    assert_float_equal(ct_c45_split_gain(&split), 0.246750f, 1e-5f);

    /* unknown cases lessen it; parts that are too small void it */
    split.unknown_share = 0.5f;
    assert_float_equal(ct_c45_split_gain(&split), 0.123375f, 1e-5f);
    split.least = 5.5f;
    assert_true(ct_c45_split_gain(&split) < 0);
    assert_true(ct_c45_worth(1, ct_c45_split_gain(&split), 0, 0) < 0);
    assert_float_equal(ct_c45_worth(2, 1, 1, 0), 0.5f, 0);
    assert_float_equal(ct_c45_worth(2, 1, 1, 1), 1, 0);
    assert_true(ct_c45_worth(2, 1, 1.1f, 0) < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_added_errors),
        cmocka_unit_test(test_information),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
