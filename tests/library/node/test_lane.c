/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages through a lane, both of whose ends are in this process: each form and length, with labels, lengths
 * that differ, and lanes that are full. */
#include "joined_lanes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

/* malloc() for the lane; there may be no memory. */
static bool has_no_memory;
void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes)
{
    return has_no_memory ? NULL : __real_malloc(bytes);
}

static void every_length_arrives(void **state)
{
    static const size_t rings[] = {SMALL, LARGE};
    static const uint64_t firsts[] = {0, 5, UINT64_MAX - 1};
    (void)state;
    for (int i = 0; i < 6 * (1 + can_copy()); i++) {
        struct joined_lanes joined;
        join_lanes(rings[i % 2], firsts[i / 2 % 3], &joined);
        if (i / 6)
            copy_from(&joined, 4096);
        const size_t chunk = joined.lanes[0].out.chunk_bytes;
        const size_t lengths[] = {0,         1,     CT_CELL_BYTES - 1, CT_CELL_BYTES, CT_CELL_BYTES + 1,
                                  2048,      2049,  chunk - 1,         chunk,         chunk + 1,
                                  4 * chunk, 65535, 10 * chunk,        1 << 20,       3};
        for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++)
            for (int from = 0; from < 2; from++)
                pass_message(&joined, from, lengths[k], lengths[k], k);
        part_lanes(&joined);
    }
}

/* A sender that waits for an answer fetches the lines of the next message, and no more than that; those of
 * chunks that the reader may still need it leaves alone. */
static void waiting_senders_fetch_lines(void **state)
{
    enum { LABEL = 1, BYTES = 1300, LOOKS = 3 };
    unsigned char *contents = new_contents(BYTES, 1), to[BYTES];
    _Atomic uint32_t asleep = 0;
    struct joined_lanes joined;
    (void)state;
    join_lanes(SMALL, 0, &joined);
    struct ct_lane *sender = &joined.lanes[0], *receiver = &joined.lanes[1];
    size_t looks = 0;
    for (unsigned sent = 1; sent <= sender->out.chunk_count; sent++) {
        struct ct_transfer out = sending(sender, LABEL, contents, BYTES),
                           in = receiving(sender, LABEL, to, 8);
        assert_true(ct_lane_send(&out));
        assert_int_equal(sender->ahead.left, BYTES);
        assert_int_equal(sender->ahead.chunk, sent);
        for (looks = 0; sender->ahead.left > 0; looks++)
            assert_false(ct_lane_receive(&in));
        assert_int_equal(looks, sent < sender->out.chunk_count ? LOOKS : 1);
    }
    struct ct_transfer in = receiving(receiver, LABEL, to, BYTES);
    assert_true(ct_lane_receive(&in) && are_contents(to, BYTES, 1));
    /* Ranks that share CPUs fetch none. */
    sender->asleep = &asleep;
    struct ct_transfer out = sending(sender, LABEL, contents, BYTES);
    sender->ahead.left = 0;
    assert_true(ct_lane_send(&out));
    assert_int_equal(sender->ahead.left, 0);
    part_lanes(&joined);
    free(contents);
}

/* A look with a pause counts for as many as take its time, and lines are fetched either way. */
static void pauses_count_as_looks(void **state)
{
    enum { LABEL = 1, BYTES = 1300 };
    unsigned char *contents = new_contents(BYTES, 1);
    struct joined_lanes joined;
    (void)state;
    join_lanes(SMALL, 0, &joined);
    for (int pauses = 0; pauses < 2; pauses++) {
        struct ct_lane *lane = &joined.lanes[0];
        struct ct_transfer out = sending(lane, LABEL, contents, BYTES);
        lane->pauses = pauses;
        assert_true(ct_lane_send(&out));
        const size_t left = lane->ahead.left;
        assert_int_equal(ct_lane_pass_time(lane), pauses ? CT_PAUSE_LOOKS : 1);
        assert_true(lane->ahead.left < left);
    }
    part_lanes(&joined);
    free(contents);
}

/* The short way of each message and the long one go together, and the short one leaves all else alone. */
static void try_short_ways(size_t ring)
{
    enum { LABEL = 1, OTHER = 2, FORM_BITS = 8 };
    const uint64_t label = LABEL << FORM_BITS, other = OTHER << FORM_BITS;
    unsigned char *contents = new_contents(CT_SHORT_BYTES + 1, 1), to[CT_SHORT_BYTES + 1];
    struct joined_lanes joined;
    join_lanes(ring, UINT64_MAX - 20, &joined);
    struct ct_lane *sender = &joined.lanes[0], *receiver = &joined.lanes[1];
    const size_t most = ct_lane_short_bytes(sender);
    assert_int_equal(most, ring == LARGE ? CT_SHORT_BYTES : sender->out.chunk_bytes);
    assert_false(ct_lane_send_short(sender, label, contents, most + 1));
    assert_false(ct_lane_receive_short(receiver, label, to, most));
    for (size_t bytes = 0; bytes <= most; bytes++) {
        struct ct_transfer out = sending(sender, LABEL, contents, bytes);
        struct ct_transfer in = receiving(receiver, LABEL, to, bytes);
        memset(to, 0, sizeof to);
        assert_true(ct_lane_send(&out));
        assert_false(ct_lane_receive_short(receiver, label, to, bytes + 1));
        assert_false(ct_lane_receive_short(receiver, other, to, bytes));
        assert_true(ct_lane_receive_short(receiver, label, to, bytes));
        assert_true(are_contents(to, bytes, 1) && to[bytes] == 0);
        memset(to, 0, sizeof to);
        assert_true(ct_lane_send_short(sender, label, contents, bytes));
        assert_true(ct_lane_receive(&in));
        assert_true(in.flaw == CT_TRANSFER_RIGHT && are_contents(to, bytes, 1) && to[bytes] == 0);
    }
    /* One that was set aside is older than what is in the ring. */
    struct ct_transfer other_in = receiving(receiver, OTHER, to, 1), in = receiving(receiver, LABEL, to, 1);
    assert_true(ct_lane_send_short(sender, label, "a", 1) && ct_lane_send_short(sender, other, "b", 1));
    assert_true(ct_lane_receive(&other_in) && to[0] == 'b' && receiver->early);
    assert_true(ct_lane_send_short(sender, label, "c", 1));
    assert_false(ct_lane_receive_short(receiver, label, to, 1));
    assert_true(ct_lane_receive(&in) && to[0] == 'a');
    assert_true(ct_lane_receive_short(receiver, label, to, 1) && to[0] == 'c');
    for (int i = 0; i < CT_RING_CELLS; i++)
        assert_true(ct_lane_send_short(sender, label, "d", 1));
    assert_false(ct_lane_send_short(sender, label, "d", 1));
    free(contents);
    part_lanes(&joined);
}

static void short_ways_are_for_whole_messages(void **state)
{
    (void)state;
    try_short_ways(SMALL);
    try_short_ways(LARGE);
}

static void empty_messages_have_no_memory(void **state)
{
    struct joined_lanes joined;
    (void)state;
    join_lanes(SMALL, 0, &joined);
    struct ct_transfer out = sending(&joined.lanes[0], 1, NULL, 0);
    struct ct_transfer in = receiving(&joined.lanes[1], 1, NULL, 0);
    finish_both(&out, &in);
    assert_int_equal(in.flaw, CT_TRANSFER_RIGHT);
    part_lanes(&joined);
}

/* The rest of a message that is too long is dropped, and the next one is right. */
static void wrong_lengths_are_noticed(void **state)
{
    static const size_t lengths[] = {0, 10, CT_CELL_BYTES, 49, 3000, 20000, 200000};
    enum { LENGTHS = sizeof lengths / sizeof lengths[0] };
    (void)state;
    for (int copies = 0; copies <= can_copy(); copies++) {
        struct joined_lanes joined;
        join_lanes(SMALL, 0, &joined);
        if (copies)
            copy_from(&joined, 10000);
        for (int i = 0; i < LENGTHS * LENGTHS; i++) {
            pass_message(&joined, 0, lengths[i / LENGTHS], lengths[i % LENGTHS], 1);
            pass_message(&joined, 0, lengths[i % LENGTHS], lengths[i % LENGTHS], 2);
        }
        part_lanes(&joined);
    }
}

/* Messages of other labels go past, before the first piece of a long one and between its pieces. */
static void labels_do_not_wait(void **state)
{
    enum { LONG = 100000, SHORT = 30, LONG_LABEL = 1, FIRST_SHORT = 2, SHORTS = 5 };
    unsigned char *contents = new_contents(LONG, LONG_LABEL), *to = malloc(LONG), small[SHORT];
    struct joined_lanes joined;
    (void)state;
    join_lanes(SMALL, 0, &joined);
    struct ct_transfer long_out = sending(&joined.lanes[0], LONG_LABEL, contents, LONG);
    struct ct_transfer long_in = receiving(&joined.lanes[1], LONG_LABEL, to, LONG);
    for (uint64_t label = FIRST_SHORT; label < FIRST_SHORT + SHORTS; label++) {
        unsigned char *own = new_contents(SHORT, label);
        assert_false(ct_lane_send(&long_out));
        struct ct_transfer out = sending(&joined.lanes[0], label, own, SHORT);
        struct ct_transfer in = receiving(&joined.lanes[1], label, small, SHORT);
        finish_both(&out, &in);
        assert_true(are_contents(small, SHORT, label));
        assert_non_null(joined.lanes[1].early);
        if (label > FIRST_SHORT)
            assert_false(ct_lane_receive(&long_in));
        free(own);
    }
    assert_true(long_in.left < LONG);
    finish_both(&long_out, &long_in);
    assert_true(are_contents(to, LONG, LONG_LABEL));
    assert_null(joined.lanes[1].early);
    free(contents);
    free(to);
    part_lanes(&joined);
}

/* What was set aside is found by label, in the order in which it was sent, the last one first as well. */
static void early_messages_are_found(void **state)
{
    enum { LABELS = 3, EACH = 4, BYTES = 100 };
    struct joined_lanes joined;
    unsigned char to[BYTES];
    (void)state;
    for (uint64_t order = 0; order < LABELS; order++) {
        join_lanes(LARGE, 0, &joined);
        for (uint64_t message = 0; message < LABELS * EACH; message++) {
            unsigned char *contents = new_contents(BYTES, message);
            struct ct_transfer out = sending(&joined.lanes[0], message % LABELS, contents, BYTES);
            if (message < 8)
                assert_true(ct_lane_send(&out));
            else {
                struct ct_transfer none = receiving(&joined.lanes[1], LABELS, to, BYTES);
                assert_false(ct_lane_receive(&none));
                assert_true(ct_lane_send(&out));
            }
            free(contents);
        }
        for (uint64_t i = 0; i < LABELS * EACH; i++) {
            uint64_t label = (order + i / EACH * 2) % LABELS;
            struct ct_transfer in = receiving(&joined.lanes[1], label, to, BYTES);
            assert_true(ct_lane_receive(&in));
            assert_true(are_contents(to, BYTES, i % EACH * LABELS + label));
        }
        assert_null(joined.lanes[1].early);
        part_lanes(&joined);
    }
}

/* A piece that cannot be set aside stays where it is, and the receiver is told. */
static void nothing_is_lost_without_memory(void **state)
{
    struct joined_lanes joined;
    int first = 1, second = 2, to = 0;
    (void)state;
    join_lanes(SMALL, 0, &joined);
    struct ct_transfer first_out = sending(&joined.lanes[0], 1, &first, sizeof first);
    struct ct_transfer second_out = sending(&joined.lanes[0], 2, &second, sizeof second);
    struct ct_transfer first_in = receiving(&joined.lanes[1], 1, &to, sizeof to);
    struct ct_transfer second_in = receiving(&joined.lanes[1], 2, &to, sizeof to);
    assert_true(ct_lane_send(&first_out) && ct_lane_send(&second_out));
    has_no_memory = true;
    bool is_received = ct_lane_receive(&second_in);
    has_no_memory = false;
    assert_false(is_received);
    assert_int_equal(second_in.flaw, CT_TRANSFER_NO_MEMORY);
    assert_true(ct_lane_receive(&second_in) && to == second);
    assert_int_equal(second_in.flaw, CT_TRANSFER_RIGHT);
    assert_true(ct_lane_receive(&first_in) && to == first);
    part_lanes(&joined);
}

/* Sends messages until one must wait; then takes them, and each makes room for one more. */
static void fill_lane(size_t bytes, unsigned most, uint64_t first)
{
    enum { LABEL = 1, MORE = 100 };
    struct joined_lanes joined;
    unsigned char *to = malloc(bytes);
    join_lanes(SMALL, first, &joined);
    for (uint64_t i = 0; i < MORE; i++) {
        unsigned char *contents = new_contents(bytes, i);
        struct ct_transfer out = sending(&joined.lanes[0], LABEL, contents, bytes);
        struct ct_transfer in = receiving(&joined.lanes[1], LABEL, to, bytes);
        bool is_sent = ct_lane_send(&out);
        assert_int_equal(is_sent, i < most);
        if (!is_sent) {
            assert_true(ct_lane_receive(&in));
            assert_true(are_contents(to, bytes, i - most));
            assert_true(ct_lane_send(&out));
        }
        free(contents);
    }
    free(to);
    part_lanes(&joined);
}

static void full_lanes_wait(void **state)
{
    size_t chunk;
    unsigned chunks;
    (void)state;
    ct_ring_divide(SMALL, &chunk, &chunks);
    for (uint64_t first = UINT64_MAX - 50; first != 1; first++) {
        fill_lane(CT_CELL_BYTES, CT_RING_CELLS, first);
        fill_lane(chunk < 2048 ? chunk : 2048, chunks, first);
    }
}

/* Moves a transfer while the other rank sleeps. Returns true if that has woken it. */
static bool wakes(bool (*move)(struct ct_transfer *), struct ct_transfer *transfer, bool completes)
{
    atomic_store(transfer->lane->asleep, 1);
    assert_int_equal(move(transfer), completes);
    return atomic_load(transfer->lane->asleep) == 0;
}

/* Whatever the other rank may wait for wakes it, and nothing else does. */
static void sleeping_ranks_are_woken(void **state)
{
    static const size_t lengths[] = {0, 8, 3000, 20000};
    unsigned char *contents = new_contents(20000, 1), *to = malloc(20000);
    (void)state;
    for (int i = 0; i < 2 * (int)(sizeof lengths / sizeof lengths[0]); i++) {
        struct joined_lanes joined;
        _Atomic uint32_t asleep[2] = {0, 0};
        bool is_early = i % 2, is_copy = can_copy() && lengths[i / 2] == 20000;
        join_lanes(LARGE, 0, &joined);
        copy_from(&joined, can_copy() ? 10000 : SIZE_MAX);
        for (int k = 0; k < 2; k++)
            joined.lanes[k].asleep = &asleep[!k];
        struct ct_transfer none = receiving(&joined.lanes[1], 2, to, 0);
        struct ct_transfer out = sending(&joined.lanes[0], 1, contents, lengths[i / 2]);
        struct ct_transfer in = receiving(&joined.lanes[1], 1, to, lengths[i / 2]);
        assert_false(wakes(ct_lane_receive, &none, false));
        assert_true(wakes(ct_lane_send, &out, !is_copy));
        if (is_early)
            assert_true(wakes(ct_lane_receive, &none, false));
        assert_int_equal(wakes(ct_lane_receive, &in, true), !is_early || is_copy);
        part_lanes(&joined);
    }
    free(contents);
    free(to);
}

/* `bytes` of address space, which the same memory fills again and again; its last block is of its own. */
static unsigned char *new_huge(size_t bytes, size_t block, int fill, int last)
{
    int file = memfd_create("huge", MFD_CLOEXEC);
    unsigned char *huge = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(huge != MAP_FAILED && file >= 0 && ftruncate(file, (off_t)(2 * block)) == 0);
    for (size_t at = 0; at < bytes; at += block)
        assert_true(mmap(huge + at, block, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
                         at + block < bytes ? 0 : (off_t)block) != MAP_FAILED);
    close(file);
    memset(huge, fill, block);
    memset(huge + bytes - block, last, block);
    return huge;
}

/* More than 2^31 bytes, which the kernel copies in several parts. */
static void huge_messages_arrive(void **state)
{
    const size_t block = 16 << 20, bytes = 130 * block;
    struct joined_lanes joined;
    unsigned char *from = new_huge(bytes, block, 1, 2), *to = new_huge(bytes, block, 0, 0);
    (void)state;
    join_lanes(LARGE, 0, &joined);
    if (can_copy())
        copy_from(&joined, block);
    struct ct_transfer out = sending(&joined.lanes[0], 1, from, bytes);
    struct ct_transfer in = receiving(&joined.lanes[1], 1, to, bytes);
    finish_both(&out, &in);
    assert_int_equal(in.flaw, CT_TRANSFER_RIGHT);
    assert_int_equal(in.left, 0);
    assert_memory_equal(to, from, block);
    assert_memory_equal(to + bytes - block, from + bytes - block, block);
    munmap(from, bytes);
    munmap(to, bytes);
    part_lanes(&joined);
}

/* Chunks lie within the memory, on lines of their own, and their numbers wrap with the ring's. */
static void rings_are_divided(void **state)
{
    (void)state;
    for (size_t bytes = SMALL; bytes <= LARGE; bytes += CT_LINE) {
        size_t chunk;
        unsigned count;
        ct_ring_divide(bytes, &chunk, &count);
        assert_true(chunk >= CT_CELL_BYTES && chunk % CT_LINE == 0 && count >= 2);
        assert_true((count & (count - 1)) == 0 && sizeof(struct ct_ring) + count * chunk <= bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length_arrives),
        cmocka_unit_test(waiting_senders_fetch_lines),
        cmocka_unit_test(pauses_count_as_looks),
        cmocka_unit_test(short_ways_are_for_whole_messages),
        cmocka_unit_test(empty_messages_have_no_memory),
        cmocka_unit_test(wrong_lengths_are_noticed),
        cmocka_unit_test(labels_do_not_wait),
        cmocka_unit_test(early_messages_are_found),
        cmocka_unit_test(nothing_is_lost_without_memory),
        cmocka_unit_test(full_lanes_wait),
        cmocka_unit_test(sleeping_ranks_are_woken),
        cmocka_unit_test(huge_messages_arrive),
        cmocka_unit_test(rings_are_divided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
