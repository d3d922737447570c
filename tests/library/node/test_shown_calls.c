/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/node/shown_calls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const uint64_t key = (uint64_t)7 << 40, other_key = (uint64_t)9 << 40;

static void tells_who_has_arrived(void **state)
{
    (void)state;
    static struct ct_shown_calls first, second;
    assert_true(ct_shown_has_arrived(&first, 0, &second, 1));
    ct_shown_arrive(&first, 1);
    assert_false(ct_shown_has_arrived(&first, 0, &second, 1));
    assert_true(ct_shown_has_arrived(&second, 1, &first, 0));
    ct_shown_arrive(&second, 2); /* for another rank */
    assert_false(ct_shown_has_arrived(&first, 0, &second, 1));
    ct_shown_arrive(&second, 0);
    ct_shown_arrive(&second, 0); /* already for the next call */
    assert_true(ct_shown_has_arrived(&first, 0, &second, 1));
}

static void counts_arrivals_on_after_the_largest_number(void **state)
{
    (void)state;
    static struct ct_shown_calls first, second;
    first.arrivals[1] = second.arrivals[0] = UINT32_MAX;
    ct_shown_arrive(&second, 0);
    assert_true(ct_shown_has_arrived(&first, 0, &second, 1));
    assert_false(ct_shown_has_arrived(&second, 1, &first, 0));
}

/* Has the call with that number been left? */
static bool has_left(const struct ct_shown_calls *calls, uint64_t set, uint32_t number)
{
    const struct ct_lane_call call = {.label = ct_call_label(ct_set_label(set), number),
                                      .numbers = (uint64_t)(CT_CALL_NUMBERS - 1) << 8};
    return ct_shown_has_left(calls, &call);
}

static void tells_which_calls_are_left(void **state)
{
    (void)state;
    static struct ct_shown_calls calls;
    static struct ct_call_counts counts;
    struct ct_call_count *count = ct_call_count_of(&counts, key);
    count->number = 5;
    assert_false(has_left(&calls, key, 5));
    ct_shown_add(&calls, 0, ct_call_count_of(&counts, other_key));
    ct_shown_add(&calls, 1, count);
    assert_true(has_left(&calls, key, 5) && has_left(&calls, key, 4));
    assert_false(has_left(&calls, key, 6));
    count->number = 6;
    assert_false(has_left(&calls, key, 6));
    ct_call_count_leave(count);
    assert_true(has_left(&calls, key, 6));
    assert_false(has_left(&calls, other_key, 1));
}

static void shows_nothing_in_memory_that_goes(void **state)
{
    (void)state;
    static struct ct_shown_calls calls;
    static struct ct_call_counts counts;
    struct ct_call_count *count = ct_call_count_of(&counts, key);
    ct_shown_add(&calls, 0, count);
    ct_call_counts_hide(&counts);
    count->number = 1;
    ct_call_count_leave(count);
    assert_int_equal(calls.counts[0].left, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tells_who_has_arrived),
                                       cmocka_unit_test(counts_arrivals_on_after_the_largest_number),
                                       cmocka_unit_test(tells_which_calls_are_left),
                                       cmocka_unit_test(shows_nothing_in_memory_that_goes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
