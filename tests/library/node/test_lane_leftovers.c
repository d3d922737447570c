/* SPDX-License-Identifier: BSD-3-Clause */
/* What erroneous calls leave behind in a lane: it is dropped, and receives whose message never comes end. */
#include "base/error.h"
#include "joined_lanes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { COUNTED = 255 }; /* the bits of labels that count calls here, above the lowest 8 */

static struct ct_transfer of_call(struct ct_transfer transfer)
{
    transfer.call.numbers = (uint64_t)COUNTED << 8;
    return transfer;
}

/* In all forms, of a call and of the one after it, whose number may be less, since numbers wrap. */
static void messages_of_old_calls_are_dropped(void **state)
{
    enum { SET = 3 << 8, FORMS = 3, BYTES = 5000 };
    static const size_t lengths[FORMS] = {8, 3000, BYTES};
    unsigned char *contents = new_contents(BYTES, 1), to[8];
    (void)state;
    for (int form = 0; form < FORMS; form++)
        for (int is_early = 0; is_early < 2; is_early++) {
            struct joined_lanes joined;
            join_lanes(LARGE, 0, &joined);
            if (can_copy())
                copy_from(&joined, BYTES);
            struct ct_transfer old = sending(&joined.lanes[0], SET | COUNTED, contents, lengths[form]);
            struct ct_transfer sent = sending(&joined.lanes[0], SET | 0, "abcdefg", sizeof to);
            struct ct_transfer other = receiving(&joined.lanes[1], 77, to, sizeof to);
            struct ct_transfer received = of_call(receiving(&joined.lanes[1], SET | 0, to, sizeof to));
            bool is_copy = form == FORMS - 1 && can_copy();
            assert_int_equal(ct_lane_send(&old), !is_copy);
            assert_true(ct_lane_send(&sent));
            if (is_early) /* set aside by a receive that counts no calls */
                assert_false(ct_lane_receive(&other));
            assert_true(ct_lane_receive(&received));
            assert_int_equal(received.flaw, CT_TRANSFER_RIGHT);
            assert_string_equal((char *)to, "abcdefg");
            assert_null(joined.lanes[1].early);
            assert_true(!is_copy || ct_lane_send(&old)); /* its memory is free */
            part_lanes(&joined);
        }
    free(contents);
}

/* A message that never comes is too short, and what is found instead stays for its call. */
static void senders_of_later_calls_have_left(void **state)
{
    enum { SET = 3 << 8 };
    struct joined_lanes joined;
    unsigned char to[8];
    (void)state;
    join_lanes(SMALL, UINT64_MAX - 1, &joined);
    struct ct_transfer first = of_call(receiving(&joined.lanes[1], SET | 200, to, sizeof to));
    struct ct_transfer second = of_call(receiving(&joined.lanes[1], SET | 201, to, sizeof to));
    struct ct_transfer sent = sending(&joined.lanes[0], SET | 201, "abcdefg", sizeof to);
    assert_false(ct_lane_receive(&first));
    assert_true(ct_lane_send(&sent));
    assert_true(ct_lane_receive(&first));
    assert_int_equal(first.flaw, CT_TRANSFER_TOO_SHORT);
    assert_true(ct_lane_receive(&second));
    assert_int_equal(second.flaw, CT_TRANSFER_RIGHT);
    assert_string_equal((char *)to, "abcdefg");
    part_lanes(&joined);
}

/* Does the announcement of a call of this label end a receive of the other label's call? */
static bool ends(uint64_t announced, bool has_left, uint64_t label, uint64_t bits,
                 const struct ct_call_counts *counts)
{
    struct joined_lanes joined;
    unsigned char to[8];
    join_lanes(SMALL, 0, &joined);
    joined.lanes[1].counts = counts;
    struct ct_transfer received = receiving(&joined.lanes[1], 0, to, sizeof to);
    received.call = (struct ct_lane_call){label, bits};
    assert_true(ct_lane_announce(&joined.lanes[0], announced, has_left));
    bool is_ended = ct_lane_receive(&received);
    assert_int_equal(received.flaw, is_ended ? CT_TRANSFER_TOO_SHORT : CT_TRANSFER_RIGHT);
    part_lanes(&joined);
    return is_ended;
}

static void announcements_end_receives(void **state)
{
    const uint64_t bits = (uint64_t)(CT_CALL_NUMBERS - 1) << 8, key = 5ull << 40, other_key = 6ull << 40;
    static struct ct_call_counts counts;
    struct ct_call_count *own = ct_call_count_of(&counts, key), *other = ct_call_count_of(&counts, other_key);
    (void)state;
    assert_ptr_equal(ct_call_count_of(&counts, key), own);
    own->number = CT_CALL_NUMBERS - 1;
    other->number = 7;
    const uint64_t label = ct_count_label(own), next = ct_set_label(key), before = label - (1 << 8),
                   others = ct_count_label(other), others_next = others + (1 << 8);
    for (int has_left = 0; has_left < 2; has_left++) {
        assert_true(ends(next, has_left, label, bits, NULL));
        assert_false(ends(before, has_left, label, bits, NULL));
        assert_int_equal(ends(label, has_left, label, bits, NULL), has_left);
        /* of another set, which this rank has left, or not begun */
        assert_false(ends(others, has_left, label, bits, &counts));
        assert_true(ends(others_next, has_left, label, bits, &counts));
        assert_true(ends(ct_set_label(7ull << 40), has_left, label, bits, &counts));
        assert_false(ends(others_next, has_left, label, bits, NULL));   /* threads call in any order */
        assert_false(ends(others_next, has_left, 77 << 8, 0, &counts)); /* the receive counts no calls */
    }
}

/* That the sender has left a call ends receives of it, but for what has been sent. */
static void senders_are_seen_to_leave(void **state)
{
    const uint64_t bits = (uint64_t)COUNTED << 8;
    struct joined_lanes joined;
    unsigned char to[8];
    (void)state;
    join_lanes(SMALL, 0, &joined);
    struct ct_transfer sent = sending(&joined.lanes[0], 3 << 8, "abcdefg", 8),
                       next = sending(&joined.lanes[0], (3 << 8) | 1, "hijklmn", 8),
                       received = receiving(&joined.lanes[1], 3 << 8, to, sizeof to),
                       missing = receiving(&joined.lanes[1], 3 << 8, to, sizeof to),
                       later = receiving(&joined.lanes[1], (3 << 8) | 1, to, sizeof to);
    received.call.numbers = missing.call.numbers = later.call.numbers = bits;
    assert_true(ct_lane_send(&sent));
    for (int i = 0; i < 2; i++) /* once more changes nothing */
        ct_lane_note_left(&joined.lanes[1], &received.call);
    assert_true(ct_lane_receive(&received));
    assert_int_equal(received.flaw, CT_TRANSFER_RIGHT);
    assert_string_equal((char *)to, "abcdefg");
    assert_true(ct_lane_receive(&missing));
    assert_int_equal(missing.flaw, CT_TRANSFER_TOO_SHORT);
    assert_false(ct_lane_receive(&later));
    assert_null(joined.lanes[1].early);
    assert_true(ct_lane_send(&next));
    assert_true(ct_lane_receive(&later));
    assert_int_equal(later.flaw, CT_TRANSFER_RIGHT);
    part_lanes(&joined);
}

/* Announcements leave room for messages, and old ones make way. */
static void lanes_are_tidied(void **state)
{
    const struct ct_lane_call call = {(uint64_t)((3 << 8) | 9) << 8, (uint64_t)COUNTED << 8};
    struct joined_lanes joined;
    int announced = 0;
    (void)state;
    join_lanes(SMALL, 0, &joined);
    while (ct_lane_announce(&joined.lanes[0], call.label, false))
        announced++;
    assert_in_range(announced, 1, CT_RING_CELLS - 1);
    struct ct_transfer sent = sending(&joined.lanes[0], (3 << 8) | 10, "abcdefg", 8);
    assert_true(ct_lane_send(&sent));
    ct_lane_tidy(&joined.lanes[1], &call);
    assert_non_null(ct_ring_first(&joined.lanes[1].in)); /* of a call to come */
    ct_lane_tidy(&joined.lanes[1], &(struct ct_lane_call){call.label + (2 << 8), call.numbers});
    assert_null(ct_ring_first(&joined.lanes[1].in));
    part_lanes(&joined);
}

/* The last one says all. */
static void announcements_do_not_pile_up(void **state)
{
    enum { SET = 3 << 8, MORE = 1000 };
    struct joined_lanes joined;
    unsigned char to[8];
    (void)state;
    join_lanes(SMALL, 0, &joined);
    struct ct_transfer other = receiving(&joined.lanes[1], 77, to, sizeof to);
    struct ct_transfer received = of_call(receiving(&joined.lanes[1], SET | 7, to, sizeof to));
    for (int i = 0; i < MORE; i++) {
        assert_true(ct_lane_announce(&joined.lanes[0], (SET | (i < MORE / 2 ? 6 : 7)) << 8, true));
        assert_false(ct_lane_receive(&other));
    }
    assert_ptr_equal(joined.lanes[1].early_end, joined.lanes[1].early); /* it is the only one */
    assert_true(ct_lane_receive(&received));
    assert_int_equal(received.flaw, CT_TRANSFER_TOO_SHORT);
    part_lanes(&joined);
}

static void ignore(void *context, const struct ct_transfer *transfer)
{
    (void)context;
    (void)transfer;
}

static void forget(const struct ct_transfer *transfer)
{
    (void)transfer;
}

/* What remains of a call that this rank has left is received while it is in one of another set. */
static void remains_and_other_calls_leave_each_other_alone(void **state)
{
    enum { LONG = 600000 }; /* more than the ring has room for */
    const uint64_t bits = (uint64_t)(CT_CALL_NUMBERS - 1) << 8;
    static struct ct_call_counts counts;
    const struct ct_lane_call left = {ct_count_label(ct_call_count_of(&counts, 5ull << 40)), bits},
                              own = {ct_count_label(ct_call_count_of(&counts, 6ull << 40)), bits};
    unsigned char *contents = new_contents(LONG, 1), *to = malloc(LONG), small[8];
    (void)state;
    for (int rest_is_first = 0; rest_is_first < 2; rest_is_first++) {
        struct joined_lanes joined;
        struct ct_transfers remains = {0};
        bool is_sent;
        join_lanes(LARGE, 0, &joined);
        joined.lanes[1].counts = &counts;
        struct ct_transfer long_out = sending(&joined.lanes[0], 0, contents, LONG),
                           out = sending(&joined.lanes[0], 0, "abcdefg", sizeof small),
                           long_in = receiving(&joined.lanes[1], 0, to, LONG),
                           in = receiving(&joined.lanes[1], 0, small, sizeof small);
        long_out.call = long_in.call = left;
        out.call = in.call = own;
        assert_false(ct_lane_send(&long_out));
        assert_int_equal(ct_transfers_add(&remains, &long_in, &is_sent), CT_OK);
        assert_int_equal(ct_transfers_advance(&remains, ignore, NULL), CT_OK);
        ct_transfers_abandon(&remains, false, forget);
        if (rest_is_first)
            assert_true(ct_lane_send(&long_out));
        assert_true(ct_lane_send(&out));
        if (!rest_is_first)
            assert_int_equal(ct_transfers_advance(&remains, ignore, NULL), CT_OK);
        assert_true(ct_lane_receive(&in));
        assert_int_equal(in.flaw, CT_TRANSFER_RIGHT);
        assert_string_equal((char *)small, "abcdefg");
        if (!rest_is_first)
            assert_true(ct_lane_send(&long_out));
        assert_int_equal(ct_transfers_advance(&remains, ignore, NULL), CT_OK);
        assert_int_equal(remains.count, 0);
        assert_int_equal(joined.lanes[1].remains, 0);
        /* a list that is freed */
        assert_int_equal(ct_transfers_add(&remains, &long_in, &is_sent), CT_OK);
        remains.items[0].is_begun = true;
        ct_transfers_abandon(&remains, false, forget);
        assert_int_equal(joined.lanes[1].remains, 1);
        ct_transfers_leave_lanes(&remains);
        assert_int_equal(joined.lanes[1].remains, 0);
        free(remains.items);
        part_lanes(&joined);
    }
    free(contents);
    free(to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_of_old_calls_are_dropped),
        cmocka_unit_test(senders_of_later_calls_have_left),
        cmocka_unit_test(announcements_end_receives),
        cmocka_unit_test(senders_are_seen_to_leave),
        cmocka_unit_test(lanes_are_tidied),
        cmocka_unit_test(announcements_do_not_pile_up),
        cmocka_unit_test(remains_and_other_calls_leave_each_other_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
