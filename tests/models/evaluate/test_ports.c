/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate/ports.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static const double close_enough = 1e-9;

/* Two of 6 seconds, the second posted at 2: 4 seconds to go for the first, and 8 for both together. */
static void two_share_the_way(void **state)
{
    (void)state;
    struct ct_batch batch = {0};
    assert_int_equal(ct_batch_begin(&batch, 0, 2, 6, 2), CT_OK);
    assert_true(fabs(batch.begins[0] - 4) < close_enough);
    assert_true(fabs(batch.begins[1] - 6) < close_enough);
    assert_int_equal(batch.at, 0);
    assert_int_equal(batch.count, 2);
    free(batch.begins);
}

/* Posted at once they are through at once. */
static void all_at_once(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    struct ct_batch batch = {0};
    assert_int_equal(ct_batch_begin(&batch, 3, 0, 0.5, COUNT), CT_OK);
    for (size_t i = 0; i < COUNT; i++)
        assert_true(fabs(batch.begins[i] - (3 + 0.5 * COUNT - 0.5)) < close_enough * COUNT);
    free(batch.begins);
}

/* Each is through before the next is posted: nothing is shared. */
static void none_share(void **state)
{
    (void)state;
    struct ct_batch batch = {0};
    assert_int_equal(ct_batch_begin(&batch, 1, 2, 2, 5), CT_OK);
    for (size_t i = 0; i < 5; i++)
        assert_true(fabs(batch.begins[i] - (1 + 2 * (double)i)) < close_enough);
    free(batch.begins);
}

/* Sharing delays, but not the last one, which is through as if each had had its turn; order is kept. */
static void the_way_is_never_idle(void **state)
{
    (void)state;
    struct ct_batch batch = {0};
    for (size_t count = 1; count < 40; count++)
        for (double step = 0; step < 3; step += 0.37) {
            double in_turn = 0;
            assert_int_equal(ct_batch_begin(&batch, 0, step, 1, count), CT_OK);
            for (size_t i = 0; i < count; i++) {
                assert_true(batch.begins[i] >= in_turn - close_enough);
                assert_true(i == 0 || batch.begins[i] >= batch.begins[i - 1] - close_enough);
                in_turn = fmax(in_turn + (i + 1 < count), (double)(i + (i + 1 < count)) * step);
            }
            assert_true(fabs(batch.begins[count - 1] - in_turn) < close_enough);
        }
    free(batch.begins);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_share_the_way), cmocka_unit_test(all_at_once),
                                       cmocka_unit_test(none_share), cmocka_unit_test(the_way_is_never_idle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
