/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/slowness.h"
#include "measure/sync.h"
#include "measure/window.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Ranks that need `needed` seconds to hear of a start lose all repetitions with a shorter lead. */
static double settle(struct ct_window *window, double needed, int turns)
{
    for (int i = 0; i < turns; i++)
        ct_window_adapt(window, 40, ct_window_lead(window) < needed ? 40 : 0);
    return ct_window_lead(window);
}

/* The lead grows to what is needed within a few turns, and comes down again where less will do. */
static void the_lead_follows_what_is_needed(void **state)
{
    (void)state;
    struct ct_window window = {0};
    assert_true(ct_window_lead(&window) > 0);
    double lead = settle(&window, 0.02, 9);
    assert_true(lead > 0.02 * 0.95 && lead < 0.05);
    lead = settle(&window, 30e-6, 300);
    assert_true(lead > 30e-6 * 0.95 && lead < 70e-6);
    lead = settle(&window, 0, 1000);
    assert_true(lead > 0 && lead < 10e-6);
    assert_false(ct_window_is_hopeless(&window));
}

/* A few late repetitions change nothing; a turn without calls neither. */
static void a_few_late_ones_are_fine(void **state)
{
    (void)state;
    struct ct_window window = {0};
    double lead = ct_window_lead(&window);
    for (int i = 0; i < 100; i++)
        ct_window_adapt(&window, 40, 4);
    assert_true(ct_window_lead(&window) == lead);
    ct_window_adapt(&window, 40, 11);
    assert_true(ct_window_lead(&window) == 2 * lead);
}

/* Where no lead helps it says so, after asking now and then whether the clocks are right; but not for turns
 * that were lost by chance. */
static void a_hopeless_case_is_known(void **state)
{
    (void)state;
    struct ct_window window = {0};
    assert_false(ct_window_is_doubtful(&window));
    for (int i = 0; i < 29; i++) {
        ct_window_adapt(&window, 8, 8);
        assert_int_equal(ct_window_is_doubtful(&window), i % 3 == 2);
    }
    assert_false(ct_window_is_hopeless(&window));
    ct_window_adapt(&window, 8, 7);
    assert_false(ct_window_is_doubtful(&window));
    for (int i = 0; i < 29; i++)
        ct_window_adapt(&window, 8, 8);
    assert_false(ct_window_is_hopeless(&window));
    ct_window_adapt(&window, 8, 8);
    assert_true(ct_window_is_hopeless(&window));
    double longest = ct_window_lead(&window);
    assert_true(longest <= 1);
    assert_false(ct_window_is_too_far(longest));
    assert_true(ct_window_is_too_far(3600));
}

static void modes_have_names(void **state)
{
    (void)state;
    for (int i = 0; i < CT_SYNCS; i++)
        assert_int_equal(ct_sync_find(ct_sync_modes[i].name), i);
    assert_int_equal(ct_sync_find("windows"), CT_SYNCS);
    assert_int_equal(ct_sync_find(""), CT_SYNCS);
}

/* One of many far behind stands out; one of two, too; noise does not. */
static void a_slow_rank_stands_out(void **state)
{
    (void)state;
    double one[] = {1.1, 1, 90, 1.2, 0.9}, two[] = {200, 2}, noise[] = {1, 3, 2, 8, 1.5}, none[] = {0, 0};
    assert_true(ct_slowness_is_much(ct_slowness_of_slowest(one, 5)));
    assert_true(ct_slowness_of_slowest(two, 2) == 100);
    assert_false(ct_slowness_is_much(ct_slowness_of_slowest(noise, 5)));
    assert_true(ct_slowness_of_slowest(none, 2) == 1);
    assert_true(ct_slowness_of_slowest(none, 0) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lead_follows_what_is_needed), cmocka_unit_test(a_few_late_ones_are_fine),
        cmocka_unit_test(a_hopeless_case_is_known),        cmocka_unit_test(modes_have_names),
        cmocka_unit_test(a_slow_rank_stands_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
