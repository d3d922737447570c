/* SPDX-License-Identifier: BSD-3-Clause */
/* The way by which long messages arrive sooner, by times that are made up. */
#include "library/node/ways.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BYTES = 64 << 10, MESSAGES = 20000 };

static void classes_are_powers_of_four(void **state)
{
    (void)state;
    assert_int_equal(ct_ways_class(CT_WAYS_FROM, CT_MEANWHILE_NOTHING), 0);
    assert_int_equal(ct_ways_class((16 << 10) - 1, CT_MEANWHILE_NOTHING), 0);
    assert_int_equal(ct_ways_class(16 << 10, CT_MEANWHILE_NOTHING), 1);
    assert_int_equal(ct_ways_class(64 << 10, CT_MEANWHILE_NOTHING), 2);
    assert_int_equal(ct_ways_class(256 << 10, CT_MEANWHILE_NOTHING), 3);
    assert_int_equal(ct_ways_class(1 << 20, CT_MEANWHILE_NOTHING), 4);
    assert_int_equal(ct_ways_class(SIZE_MAX, CT_MEANWHILE_NOTHING), 4);
    assert_int_equal(ct_ways_class(1 << 20, CT_MEANWHILE_REDUCES), CT_WAYS_CLASSES - 1);
}

/* Two ranks exchange messages of 1 MB: each fills chunks with its own for 80 us, and then reads the other's
 * for 80 us. By copies each reads for 110 us. */
static void exchanged_messages_take_both_parts(void **state)
{
    (void)state;
    const struct ct_way_times chunks = {10e-6, 90e-6, 92e-6, 170e-6}, copy = {10e-6, 10e-6, 12e-6, 120e-6};
    assert_float_equal(ct_ways_seconds(&chunks), 158e-6, 1e-9);
    assert_float_equal(ct_ways_seconds(&copy), 108e-6, 1e-9);
}

static void both_parts_at_a_time_count_once(void **state)
{
    (void)state;
    const struct ct_way_times times = {10e-6, 90e-6, 13e-6, 95e-6};
    assert_float_equal(ct_ways_seconds(&times), 85e-6, 1e-9);
}

static void waiting_for_the_receiver_is_no_part(void **state)
{
    (void)state;
    const struct ct_way_times late = {10e-6, 20e-6, 100e-6, 108e-6};
    assert_float_equal(ct_ways_seconds(&late), 18e-6, 1e-9);
}

static void clocks_may_differ(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        const struct ct_way_times times = {sign * 1000 + 10e-6, sign * 1000 + 20e-6, 12e-6, 25e-6};
        assert_float_equal(ct_ways_seconds(&times), 23e-6, 1e-9);
    }
}

/* Messages that all go the way that is wanted; ret_gone[way]: how many of them. Waiting makes times longer,
 * never shorter. */
static void send(struct ct_ways *ways, const double seconds[CT_WAYS], size_t messages,
                 size_t ret_gone[CT_WAYS])
{
    const unsigned of_class = ct_ways_class(BYTES, CT_MEANWHILE_NOTHING);
    memset(ret_gone, 0, CT_WAYS * sizeof *ret_gone);
    for (size_t i = 0; i < messages; i++) {
        const enum ct_way way = ct_ways_wanted(ways->wanted, of_class);
        ct_ways_note(ways, of_class, way, BYTES, seconds[way] * (1 + 0.1 * (double)(i % 7)));
        ret_gone[way]++;
    }
}

static struct ct_ways new_ways(void)
{
    return (struct ct_ways){.can_copy = true};
}

/* Stored and streamed messages are slow here, so that two ways compete; how many were copied. */
static size_t copied_of(struct ct_ways *ways, double chunks, double copies, size_t messages)
{
    const double seconds[CT_WAYS] = {chunks, 50e-6, 50e-6, copies};
    size_t gone[CT_WAYS];
    send(ways, seconds, messages, gone);
    return gone[CT_WAY_COPY];
}

static void each_way_can_win(void **state)
{
    (void)state;
    for (int best = 0; best < CT_WAYS; best++) {
        struct ct_ways ways = new_ways();
        double seconds[CT_WAYS] = {29e-6, 29e-6, 29e-6, 29e-6};
        size_t gone[CT_WAYS];
        seconds[best] = 8e-6;
        send(&ways, seconds, MESSAGES, gone);
        assert_true(gone[best] > MESSAGES / 100 * 98);
    }
}

static void what_the_kernel_forbids_is_not_tried(void **state)
{
    (void)state;
    struct ct_ways ways = {0};
    size_t gone[CT_WAYS];
    send(&ways, (const double[CT_WAYS]){29e-6, 30e-6, 30e-6, 1e-6}, MESSAGES, gone);
    assert_int_equal(gone[CT_WAY_COPY], 0);
    assert_true(gone[CT_WAY_STREAMED] > 24);
}

static void short_messages_are_not_copied(void **state)
{
    (void)state;
    struct ct_ways ways = new_ways();
    for (size_t i = 0; i < MESSAGES; i++) {
        const enum ct_way way = ct_ways_wanted(ways.wanted, 0);
        assert_int_not_equal(way, CT_WAY_COPY);
        ct_ways_note(&ways, 0, way, CT_WAYS_FROM, way == CT_WAY_STREAMED ? 1e-6 : 2e-6);
    }
}

/* Each message is timed until the ways are known, and again after one that is unlike others. */
static void calm_classes_are_not_watched(void **state)
{
    (void)state;
    const unsigned of_class = ct_ways_class(BYTES, CT_MEANWHILE_NOTHING);
    struct ct_ways ways = new_ways();
    size_t gone[CT_WAYS];
    for (int i = 0; i < CT_WAYS * 12; i++) {
        assert_true(ct_ways_watched(ways.wanted, of_class));
        copied_of(&ways, 7e-6, 20e-6, 1);
    }
    send(&ways, (const double[CT_WAYS]){7e-6, 50e-6, 50e-6, 20e-6}, 60, gone);
    assert_false(ct_ways_watched(ways.wanted, of_class));
    ct_ways_note(&ways, of_class, CT_WAY_FETCHED, BYTES, 30e-6);
    assert_true(ct_ways_watched(ways.wanted, of_class));
}

static void the_faster_way_wins(void **state)
{
    (void)state;
    struct ct_ways far = new_ways(), close = new_ways(), like = new_ways();
    assert_true(copied_of(&far, 29e-6, 8e-6, MESSAGES) > MESSAGES / 100 * 99);
    assert_true(copied_of(&close, 7e-6, 10e-6, MESSAGES) < MESSAGES / 100);
    assert_true(copied_of(&like, 7e-6, 6.5e-6, MESSAGES) < MESSAGES / 100); /* not clearly faster */
}

static void few_messages_decide(void **state)
{
    (void)state;
    struct ct_ways far = new_ways();
    copied_of(&far, 29e-6, 8e-6, (CT_WAYS - 1) * 12);
    assert_int_equal(copied_of(&far, 29e-6, 8e-6, 60), 60);
    /* but for four times six that try chunks again */
    assert_true(copied_of(&far, 29e-6, 8e-6, 1000) >= 1000 - 24);
}

/* The ranks are moved: the other way becomes the faster one, in both directions. */
static void changes_are_found(void **state)
{
    (void)state;
    struct ct_ways ways = new_ways();
    copied_of(&ways, 7e-6, 10e-6, MESSAGES);
    copied_of(&ways, 29e-6, 8e-6, 3000);
    assert_true(copied_of(&ways, 29e-6, 8e-6, 1000) > 990);
    copied_of(&ways, 7e-6, 10e-6, 3000);
    assert_true(copied_of(&ways, 7e-6, 10e-6, 1000) < 10);
}

/* And soon: a sweep or a program may send few messages of a size. */
static void changes_are_found_soon(void **state)
{
    (void)state;
    struct ct_ways ways = new_ways();
    copied_of(&ways, 7e-6, 10e-6, 1000);
    copied_of(&ways, 29e-6, 8e-6, 12);
    assert_int_equal(copied_of(&ways, 29e-6, 8e-6, 20), 20);
}

/* A rank that loses its CPU for a while takes thousands of times as long for one message. */
static void a_disturbed_message_changes_nothing(void **state)
{
    (void)state;
    const unsigned of_class = ct_ways_class(BYTES, CT_MEANWHILE_NOTHING);
    struct ct_ways far = new_ways(), close = new_ways();
    copied_of(&far, 29e-6, 8e-6, 1000);
    copied_of(&close, 7e-6, 10e-6, 1000);
    for (int i = 0; i < 3; i++) {
        ct_ways_note(&far, of_class, CT_WAY_COPY, BYTES, 8e-3);
        ct_ways_note(&close, of_class, CT_WAY_FETCHED, BYTES, 8e-3);
    }
    assert_true(copied_of(&far, 29e-6, 8e-6, 1000) > 980);
    assert_true(copied_of(&close, 7e-6, 10e-6, 1000) < 20);
}

/* A receiver that comes late finds chunks that lie there, and seems to be faster. */
static void what_came_early_does_not_count(void **state)
{
    (void)state;
    const unsigned of_class = ct_ways_class(BYTES, CT_MEANWHILE_NOTHING);
    struct ct_ways ways = new_ways();
    size_t copied = 0;
    for (size_t i = 0; i < MESSAGES; i++) {
        const enum ct_way way = ct_ways_wanted(ways.wanted, of_class);
        const bool is_copy = way == CT_WAY_COPY, is_late = i % 5 == 0;
        ct_ways_note(&ways, of_class, way, BYTES, is_copy ? 8e-6 : is_late ? 7e-6 : 29e-6);
        copied += is_copy;
    }
    assert_true(copied > MESSAGES / 100 * 98);
}

/* Where one way was slow for a while, it is soon tried again. */
static void disturbances_end(void **state)
{
    (void)state;
    struct ct_ways ways = new_ways();
    copied_of(&ways, 29e-6, 8e-6, MESSAGES);
    copied_of(&ways, 29e-6, 80e-6, 60);
    copied_of(&ways, 29e-6, 8e-6, 200);
    assert_true(copied_of(&ways, 29e-6, 8e-6, 1000) > 900);
}

static void classes_do_not_mix(void **state)
{
    (void)state;
    struct ct_ways ways = new_ways();
    copied_of(&ways, 29e-6, 8e-6, 90);
    for (unsigned of_class = 0; of_class < CT_WAYS_CLASSES; of_class++)
        assert_int_equal(ct_ways_wanted(ways.wanted, of_class),
                         of_class == ct_ways_class(BYTES, CT_MEANWHILE_NOTHING) ? CT_WAY_COPY
                                                                                : CT_WAY_FETCHED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_powers_of_four),
        cmocka_unit_test(exchanged_messages_take_both_parts),
        cmocka_unit_test(both_parts_at_a_time_count_once),
        cmocka_unit_test(waiting_for_the_receiver_is_no_part),
        cmocka_unit_test(clocks_may_differ),
        cmocka_unit_test(each_way_can_win),
        cmocka_unit_test(what_the_kernel_forbids_is_not_tried),
        cmocka_unit_test(short_messages_are_not_copied),
        cmocka_unit_test(calm_classes_are_not_watched),
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
