/* SPDX-License-Identifier: BSD-3-Clause */
/* The way by which long messages arrive sooner, by times that are made up. */
#include "library/node/ways.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { BYTES = 64 << 10, MESSAGES = 20000 };

static void classes_are_powers_of_four(void **state)
{
    (void)state;
    assert_int_equal(ct_ways_class(0), CT_WAYS_CLASSES);
    assert_int_equal(ct_ways_class(CT_WAYS_FROM - 1), CT_WAYS_CLASSES);
    assert_int_equal(ct_ways_class(CT_WAYS_FROM), 0);
    assert_int_equal(ct_ways_class((64 << 10) - 1), 0);
    assert_int_equal(ct_ways_class(64 << 10), 1);
    assert_int_equal(ct_ways_class(256 << 10), 2);
    assert_int_equal(ct_ways_class((2 << 20) - 1), 2);
}

/* Messages that all go the way that is wanted; how many were copied, of the first and of all. */
static size_t copied_of(struct ct_ways *ways, double chunks, double copies, size_t messages)
{
    const unsigned of_class = ct_ways_class(BYTES);
    size_t copied = 0;
    for (size_t i = 0; i < messages; i++) {
        const bool is_copy = ways->copies >> of_class & 1;
        const double noise = 1 + 0.1 * (double)(i % 7); /* waiting makes times longer, never shorter */
        ct_ways_note(ways, of_class, is_copy, BYTES, (is_copy ? copies : chunks) * noise);
        copied += is_copy;
    }
    return copied;
}

static void the_faster_way_wins(void **state)
{
    (void)state;
    struct ct_ways far = {0}, close = {0}, like = {0};
    assert_true(copied_of(&far, 29e-6, 8e-6, MESSAGES) > MESSAGES / 100 * 99);
    assert_true(copied_of(&close, 7e-6, 10e-6, MESSAGES) < MESSAGES / 100);
    assert_true(copied_of(&like, 7e-6, 6.5e-6, MESSAGES) < MESSAGES / 100); /* not clearly faster */
}

static void few_messages_decide(void **state)
{
    (void)state;
    struct ct_ways far = {0};
    copied_of(&far, 29e-6, 8e-6, 24);
    assert_int_equal(copied_of(&far, 29e-6, 8e-6, 60), 60);
    /* but for four times six that try chunks again */
    assert_true(copied_of(&far, 29e-6, 8e-6, 1000) >= 1000 - 24);
}

/* The ranks are moved: the other way becomes the faster one, in both directions. */
static void changes_are_found(void **state)
{
    (void)state;
    struct ct_ways ways = {0};
    copied_of(&ways, 7e-6, 10e-6, MESSAGES);
    copied_of(&ways, 29e-6, 8e-6, 3000);
    assert_true(copied_of(&ways, 29e-6, 8e-6, 1000) > 990);
    copied_of(&ways, 7e-6, 10e-6, 3000);
    assert_true(copied_of(&ways, 7e-6, 10e-6, 1000) < 10);
}

/* A rank that loses its CPU for a while takes thousands of times as long for one message. */
/* And soon: a sweep or a program may send few messages of a size. */
static void changes_are_found_soon(void **state)
{
    (void)state;
    struct ct_ways ways = {0};
    copied_of(&ways, 7e-6, 10e-6, 1000);
    copied_of(&ways, 29e-6, 8e-6, 12);
    assert_int_equal(copied_of(&ways, 29e-6, 8e-6, 20), 20);
}

static void a_disturbed_message_changes_nothing(void **state)
{
    (void)state;
    const unsigned of_class = ct_ways_class(BYTES);
    struct ct_ways far = {0}, close = {0};
    copied_of(&far, 29e-6, 8e-6, 1000);
    copied_of(&close, 7e-6, 10e-6, 1000);
    for (int i = 0; i < 3; i++) {
        ct_ways_note(&far, of_class, true, BYTES, 8e-3);
        ct_ways_note(&close, of_class, false, BYTES, 8e-3);
    }
    assert_true(copied_of(&far, 29e-6, 8e-6, 1000) > 980);
    assert_true(copied_of(&close, 7e-6, 10e-6, 1000) < 20);
}

/* A receiver that comes late finds chunks that lie there, and seems to be faster. */
static void what_came_early_does_not_count(void **state)
{
    (void)state;
    const unsigned of_class = ct_ways_class(BYTES);
    struct ct_ways ways = {0};
    size_t copied = 0;
    for (size_t i = 0; i < MESSAGES; i++) {
        const bool is_copy = ways.copies >> of_class & 1, is_late = i % 5 == 0;
        ct_ways_note(&ways, of_class, is_copy, BYTES, is_copy ? 8e-6 : is_late ? 7e-6 : 29e-6);
        copied += is_copy;
    }
    assert_true(copied > MESSAGES / 100 * 98);
}

/* Where one way was slow for a while, it is soon tried again. */
static void disturbances_end(void **state)
{
    (void)state;
    struct ct_ways ways = {0};
    copied_of(&ways, 29e-6, 8e-6, MESSAGES);
    copied_of(&ways, 29e-6, 80e-6, 60);
    copied_of(&ways, 29e-6, 8e-6, 200);
    assert_true(copied_of(&ways, 29e-6, 8e-6, 1000) > 900);
}

static void classes_do_not_mix(void **state)
{
    (void)state;
    struct ct_ways ways = {0};
    copied_of(&ways, 29e-6, 8e-6, 100);
    assert_int_equal(ways.copies, 1 << ct_ways_class(BYTES));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_powers_of_four),
        cmocka_unit_test(the_faster_way_wins),
        cmocka_unit_test(few_messages_decide),
        cmocka_unit_test(changes_are_found),
        cmocka_unit_test(changes_are_found_soon),
        cmocka_unit_test(a_disturbed_message_changes_nothing),
        cmocka_unit_test(what_came_early_does_not_count),
        cmocka_unit_test(disturbances_end),
        cmocka_unit_test(classes_do_not_mix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
