/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of transfers: their order on each lane, and what they do not wait for. */
#include "base/error.h"
#include "joined_lanes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { RING_BYTES = 8064, LONG = 50000, SHORT = 20, MOST = 16 };

/* realloc() for the lists and malloc() for what is set aside; there may be no memory. */
static bool has_no_memory;
void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes)
{
    return has_no_memory ? NULL : __real_malloc(bytes);
}
void *__real_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes)
{
    return has_no_memory ? NULL : __real_realloc(old, bytes);
}

/* The transfers that have completed, in their order. */
struct record {
    int count;
    const void *staging[MOST];
};

static void complete(void *context, const struct ct_transfer *transfer)
{
    struct record *record = context;
    assert_int_equal(transfer->flaw, CT_TRANSFER_RIGHT);
    assert_true(record->count < MOST);
    record->staging[record->count++] = transfer->staging;
}

/* Adds a transfer that is recorded under the address of its memory. */
static void add(struct ct_transfers *list, struct ct_transfer transfer)
{
    transfer.staging = transfer.address;
    bool is_sent;
    assert_int_equal(ct_transfers_add(list, &transfer, &is_sent), CT_OK);
}

/* Moves both until they are empty. */
static void finish(struct ct_transfers *one, struct record *ones, struct ct_transfers *other,
                   struct record *others)
{
    enum { LOOKS = 1000 };
    for (int i = 0; i < LOOKS && one->count + other->count > 0; i++) {
        ct_transfers_advance(one, complete, ones);
        ct_transfers_advance(other, complete, others);
    }
    assert_int_equal(one->count + other->count, 0);
    free(one->items);
    free(other->items);
}

/* A short message does not overtake a long one with its label, though a cell is free for it; nor does its
 * receive. */
static void order_is_kept(void **state)
{
    enum { MESSAGES = 4 };
    static const size_t lengths[MESSAGES] = {LONG, SHORT, LONG, 0};
    struct joined_lanes joined;
    struct ct_transfers sends = {0}, receives = {0};
    struct record sent = {0}, received = {0};
    unsigned char *from[MESSAGES], *to[MESSAGES];
    (void)state;
    join_lanes(RING_BYTES, 0, &joined);
    for (uint64_t i = 0; i < MESSAGES; i++) {
        from[i] = new_contents(lengths[i], i);
        to[i] = malloc(LONG);
        add(&sends, sending(&joined.lanes[0], 1, from[i], lengths[i]));
        add(&receives, receiving(&joined.lanes[1], 1, to[i], lengths[i]));
    }
    assert_int_equal(sends.count, MESSAGES);
    assert_int_equal(joined.lanes[0].sends_pending, MESSAGES);
    finish(&sends, &sent, &receives, &received);
    assert_int_equal(joined.lanes[0].sends_pending, 0);
    assert_int_equal(sent.count, MESSAGES);
    assert_int_equal(received.count, MESSAGES);
    for (uint64_t i = 0; i < MESSAGES; i++) {
        assert_ptr_equal(sent.staging[i], from[i]);
        assert_ptr_equal(received.staging[i], to[i]);
        assert_true(are_contents(to[i], lengths[i], i));
        free(from[i]);
        free(to[i]);
    }
    part_lanes(&joined);
}

/* A message is sent at once where none waits, and another list's transfers on the same lane may go past. */
static void lists_do_not_wait_for_each_other(void **state)
{
    struct joined_lanes joined;
    struct ct_transfers lists[2] = {{0}}, receives[2] = {{0}};
    struct record sent[2] = {{0}}, received[2] = {{0}};
    unsigned char *contents = new_contents(LONG, 1), *small = new_contents(SHORT, 2), *to = malloc(LONG);
    unsigned char small_to[SHORT];
    (void)state;
    join_lanes(RING_BYTES, 0, &joined);
    add(&lists[1], sending(&joined.lanes[0], 2, small, SHORT));
    assert_int_equal(lists[1].count, 0); /* at once */
    add(&receives[1], receiving(&joined.lanes[1], 2, small_to, SHORT));
    ct_transfers_advance(&receives[1], complete, &received[1]);
    assert_true(received[1].count == 1 && are_contents(small_to, SHORT, 2));

    add(&lists[0], sending(&joined.lanes[0], 1, contents, LONG));
    add(&lists[1], sending(&joined.lanes[0], 2, small, SHORT));
    add(&receives[1], receiving(&joined.lanes[1], 2, small_to, SHORT));
    add(&receives[0], receiving(&joined.lanes[1], 1, to, LONG));
    assert_int_equal(joined.lanes[0].sends_pending, 2);
    ct_transfers_advance(&lists[0], complete, &sent[0]);
    ct_transfers_advance(&lists[1], complete, &sent[1]);
    assert_true(lists[0].count == 1 && lists[1].count == 0 && joined.lanes[0].sends_pending == 1);
    ct_transfers_advance(&receives[1], complete, &received[1]);
    assert_true(received[1].count == 2 && received[0].count == 0);
    finish(&lists[0], &sent[0], &receives[0], &received[0]);
    assert_true(sent[0].count == 1 && received[0].count == 1 && are_contents(to, LONG, 1));
    finish(&lists[1], &sent[1], &receives[1], &received[1]);
    free(contents);
    free(small);
    free(to);
    part_lanes(&joined);
}

/* Other lanes and the other direction go on while a send stalls. */
static void only_its_own_lane_and_direction_stalls(void **state)
{
    struct joined_lanes stalled, free_one;
    struct ct_transfers list = {0}, peers = {0};
    struct record done = {0}, peers_done = {0};
    unsigned char *contents = new_contents(LONG, 1), *to = malloc(LONG), *small = new_contents(SHORT, 2);
    unsigned char smalls[2][SHORT];
    (void)state;
    join_lanes(RING_BYTES, 0, &stalled);
    join_lanes(RING_BYTES, 0, &free_one);
    add(&list, sending(&stalled.lanes[0], 1, contents, LONG));
    add(&list, receiving(&stalled.lanes[0], 1, smalls[0], SHORT));
    add(&list, receiving(&free_one.lanes[0], 1, smalls[1], SHORT));
    add(&peers, sending(&stalled.lanes[1], 1, small, SHORT));
    add(&peers, sending(&free_one.lanes[1], 1, small, SHORT));
    add(&list, sending(&free_one.lanes[0], 1, small, SHORT));
    assert_int_equal(peers.count, 0);
    assert_int_equal(list.count, 3);
    ct_transfers_advance(&list, complete, &done);
    assert_true(list.count == 1 && done.staging[0] == smalls[0] && done.staging[1] == smalls[1]);
    assert_true(are_contents(smalls[0], SHORT, 2) && are_contents(smalls[1], SHORT, 2));
    add(&peers, receiving(&stalled.lanes[1], 1, to, LONG));
    finish(&list, &done, &peers, &peers_done);
    assert_true(are_contents(to, LONG, 1));
    free(contents);
    free(to);
    free(small);
    part_lanes(&stalled);
    part_lanes(&free_one);
}

static void transfers_are_counted_by_their_end(void **state)
{
    struct joined_lanes joined;
    struct ct_transfers receives = {0}, none = {0};
    struct record received = {0};
    unsigned char to[3];
    (void)state;
    join_lanes(RING_BYTES, 0, &joined);
    for (unsigned i = 0; i < 3; i++) {
        struct ct_transfer in = receiving(&joined.lanes[1], 1, to + i, 1);
        in.until = i / 2;
        add(&receives, in);
    }
    assert_int_equal(ct_transfers_left(&receives, 0), 2);
    assert_int_equal(ct_transfers_left(&receives, 1), 1);
    add(&none, sending(&joined.lanes[0], 1, "x", 1));
    ct_transfers_advance(&receives, complete, &received);
    assert_int_equal(ct_transfers_left(&receives, 0), 1);
    add(&none, sending(&joined.lanes[0], 1, "y", 1));
    add(&none, sending(&joined.lanes[0], 1, "z", 1));
    finish(&receives, &received, &none, &received);
    assert_memory_equal(to, "xyz", sizeof to);
    part_lanes(&joined);
}

/* A transfer that cannot be added has sent nothing, not even a part. */
static void nothing_is_sent_without_memory(void **state)
{
    struct joined_lanes joined;
    struct ct_transfers sends = {0}, receives = {0};
    struct record done = {0};
    unsigned char *contents = new_contents(LONG, 1), *to = malloc(LONG);
    (void)state;
    join_lanes(RING_BYTES, 0, &joined);
    struct ct_transfer out = sending(&joined.lanes[0], 1, contents, LONG);
    has_no_memory = true;
    bool is_sent = false;
    int code = ct_transfers_add(&sends, &out, &is_sent);
    has_no_memory = false;
    assert_int_equal(code, CT_E_MEMORY);
    assert_true(sends.count == 0 && joined.lanes[0].sends_pending == 0);
    add(&sends, sending(&joined.lanes[0], 1, contents, SHORT));
    add(&receives, receiving(&joined.lanes[1], 1, to, SHORT));
    finish(&sends, &done, &receives, &done);
    assert_true(done.count == 1 && are_contents(to, SHORT, 1));
    free(contents);
    free(to);
    part_lanes(&joined);
}

/* Of a receive that cannot get past a message with another label. */
static void a_lack_of_memory_is_told(void **state)
{
    struct joined_lanes joined;
    struct ct_transfers sends = {0}, receives = {0};
    struct record sent = {0}, received = {0};
    char to = 0, other = 0;
    (void)state;
    join_lanes(RING_BYTES, 0, &joined);
    add(&sends, sending(&joined.lanes[0], 2, "b", 1));
    add(&sends, sending(&joined.lanes[0], 1, "a", 1));
    add(&receives, receiving(&joined.lanes[1], 1, &to, 1));
    has_no_memory = true;
    int code = ct_transfers_advance(&receives, complete, &received);
    has_no_memory = false;
    assert_int_equal(code, CT_E_MEMORY);
    assert_int_equal(received.count, 0);
    assert_int_equal(ct_transfers_advance(&receives, complete, &received), CT_OK);
    add(&receives, receiving(&joined.lanes[1], 2, &other, 1));
    finish(&sends, &sent, &receives, &received);
    assert_true(to == 'a' && other == 'b');
    part_lanes(&joined);
}

/* --- calls that end early --- */

enum { LABEL = 1 };

static int forgotten;

static void forget(const struct ct_transfer *transfer)
{
    assert_non_null(transfer->staging);
    forgotten++;
}

static void keep_flaw(void *context, const struct ct_transfer *transfer)
{
    *(enum ct_transfer_flaw *)context = transfer->flaw;
}

/* Moves a list until the call waits for none of it. */
static void move(struct ct_transfers *list, enum ct_transfer_flaw *ret_flaw)
{
    enum { LOOKS = 1000 };
    for (int i = 0; i < LOOKS && ct_transfers_first(list); i++)
        assert_int_equal(ct_transfers_advance(list, keep_flaw, ret_flaw), CT_OK);
    assert_null(ct_transfers_first(list));
}

/* The message after those of a call that has ended early is received whole. */
static void pass_next(struct joined_lanes *joined, struct ct_transfers *sends, struct ct_transfers *receives)
{
    enum { BYTES = 5000 };
    unsigned char *contents = new_contents(BYTES, 2), to[BYTES];
    enum ct_transfer_flaw sent = CT_TRANSFER_LOST, received = CT_TRANSFER_LOST;
    add(sends, sending(&joined->lanes[0], LABEL, contents, BYTES));
    add(receives, receiving(&joined->lanes[1], LABEL, to, BYTES));
    for (int i = 0; i < BYTES && (ct_transfers_first(sends) || ct_transfers_first(receives)); i++) {
        ct_transfers_advance(sends, keep_flaw, &sent);
        ct_transfers_advance(receives, keep_flaw, &received);
    }
    assert_int_equal(received, CT_TRANSFER_RIGHT);
    assert_true(are_contents(to, BYTES, 2));
    assert_int_equal(sends->count + receives->count, 0);
    assert_int_equal(joined->lanes[0].sends_pending, 0);
    free(contents);
}

/* A send is left after its first pieces, which fill the ring, and so is one that has not begun. */
static void half_a_message_is_ended(void **state)
{
    (void)state;
    for (int has_begun = 0; has_begun < 2; has_begun++) {
        struct joined_lanes joined;
        struct ct_transfers sends = {0}, receives = {0};
        enum ct_transfer_flaw flaw = CT_TRANSFER_RIGHT;
        unsigned char *contents = new_contents(LONG, 1), *to = malloc(LONG);
        join_lanes(RING_BYTES, 0, &joined);
        add(&sends, sending(&joined.lanes[0], LABEL, contents, LONG));
        add(&sends, sending(&joined.lanes[0], LABEL, contents, SHORT));
        add(&receives, receiving(&joined.lanes[1], LABEL, to, LONG));
        if (has_begun)
            ct_transfers_advance(&receives, keep_flaw, &flaw);
        forgotten = 0;
        assert_true(ct_transfers_abandon(&sends, true, forget));
        assert_int_equal(forgotten, 2);
        assert_int_equal(sends.count, 1);
        assert_null(ct_transfers_first(&sends));
        assert_int_equal(ct_transfers_left(&sends, 0), 0);
        free(contents); /* the call has ended */
        for (int i = 0; i < MOST && receives.count > 0; i++) {
            ct_transfers_advance(&receives, keep_flaw, &flaw);
            ct_transfers_advance(&sends, NULL, NULL);
        }
        assert_int_equal(receives.count, 0);
        assert_int_equal(flaw, CT_TRANSFER_TOO_SHORT);
        pass_next(&joined, &sends, &receives);
        free(to);
        free(sends.items);
        free(receives.items);
        part_lanes(&joined);
    }
}

/* A receive is left after its first pieces. */
static void the_rest_of_a_message_is_dropped(void **state)
{
    struct joined_lanes joined;
    struct ct_transfers sends = {0}, receives = {0};
    enum ct_transfer_flaw flaw = CT_TRANSFER_RIGHT;
    unsigned char *contents = new_contents(LONG, 1), *to = malloc(LONG);
    (void)state;
    join_lanes(RING_BYTES, 0, &joined);
    add(&sends, sending(&joined.lanes[0], LABEL, contents, LONG));
    add(&receives, receiving(&joined.lanes[1], LABEL, to, LONG));
    add(&receives, receiving(&joined.lanes[1], LABEL, to, LONG));
    ct_transfers_advance(&receives, keep_flaw, &flaw);
    forgotten = 0;
    assert_true(ct_transfers_abandon(&receives, false, forget));
    assert_int_equal(forgotten, 2);
    assert_int_equal(receives.count, 1); /* the other one has not begun */
    free(to);
    for (int i = 0; i < MOST && sends.count > 0; i++) {
        ct_transfers_advance(&sends, keep_flaw, &flaw);
        ct_transfers_advance(&receives, NULL, NULL);
    }
    move(&sends, &flaw);
    pass_next(&joined, &sends, &receives);
    free(contents);
    free(sends.items);
    free(receives.items);
    part_lanes(&joined);
}

static void count_bytes(void *context, const void *from, void *to, size_t bytes)
{
    (void)from;
    (void)to;
    *(size_t *)context += bytes;
}

/* A receive that reduces is left after its first pieces: nothing of the rest is combined. */
static void the_rest_of_a_message_is_not_reduced(void **state)
{
    size_t bytes = 0;
    const struct ct_reduction reduction = {.combine = count_bytes, .context = &bytes, .element = 8};
    struct joined_lanes joined;
    struct ct_transfers sends = {0}, receives = {0};
    enum ct_transfer_flaw flaw = CT_TRANSFER_RIGHT;
    unsigned char *contents = new_contents(LONG, 1), *to = malloc(LONG);
    (void)state;
    join_lanes(RING_BYTES, 0, &joined);
    add(&sends, sending(&joined.lanes[0], LABEL, contents, LONG));
    add(&receives, reducing(&joined.lanes[1], LABEL, to, NULL, LONG, &reduction));
    ct_transfers_advance(&receives, keep_flaw, &flaw);
    assert_true(bytes > 0 && bytes < LONG);
    const size_t before = bytes;
    forgotten = 0;
    assert_true(ct_transfers_abandon(&receives, false, forget));
    assert_true(forgotten == 1 && receives.count == 1);
    free(to);
    for (int i = 0; i < MOST && sends.count > 0; i++) {
        ct_transfers_advance(&sends, keep_flaw, &flaw);
        ct_transfers_advance(&receives, NULL, NULL);
    }
    move(&sends, &flaw);
    pass_next(&joined, &sends, &receives);
    assert_int_equal(bytes, before);
    free(contents);
    free(sends.items);
    free(receives.items);
    part_lanes(&joined);
}

/* The receiver may still copy out of the memory of a send that was left. */
static void memory_that_may_be_read_is_told(void **state)
{
    struct joined_lanes joined;
    struct ct_transfers sends = {0}, receives = {0};
    enum ct_transfer_flaw flaw = CT_TRANSFER_LOST;
    unsigned char *contents = new_contents(LONG, 1), *to = malloc(LONG);
    (void)state;
    join_lanes(RING_BYTES, 0, &joined);
    copy_from(&joined, LONG);
    add(&sends, sending(&joined.lanes[0], LABEL, contents, LONG));
    forgotten = 0;
    assert_false(ct_transfers_abandon(&sends, true, forget));
    assert_true(forgotten == 0 && sends.count == 0 && joined.lanes[0].sends_pending == 0);
    add(&receives, receiving(&joined.lanes[1], LABEL, to, LONG));
    move(&receives, &flaw);
    assert_int_equal(flaw, can_copy() ? CT_TRANSFER_RIGHT : CT_TRANSFER_LOST);
    pass_next(&joined, &sends, &receives);
    free(contents);
    free(to);
    free(sends.items);
    free(receives.items);
    part_lanes(&joined);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(order_is_kept),
                                       cmocka_unit_test(lists_do_not_wait_for_each_other),
                                       cmocka_unit_test(only_its_own_lane_and_direction_stalls),
                                       cmocka_unit_test(transfers_are_counted_by_their_end),
                                       cmocka_unit_test(nothing_is_sent_without_memory),
                                       cmocka_unit_test(a_lack_of_memory_is_told),
                                       cmocka_unit_test(half_a_message_is_ended),
                                       cmocka_unit_test(the_rest_of_a_message_is_dropped),
                                       cmocka_unit_test(the_rest_of_a_message_is_not_reduced),
                                       cmocka_unit_test(memory_that_may_be_read_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
