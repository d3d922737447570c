/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages that the receiver copies out of the sender's memory, where the kernel allows it. */
#include "reduced_numbers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Messages arrive right by each way that is wanted, which changes meanwhile, and reduced ones, too. */
static void all_ways_arrive(void **state)
{
    static const size_t lengths[] = {CT_WAYS_FROM - 8, CT_WAYS_FROM, 10008, 16376, 20000, 32768, 40008, 65536,
                                     300000,           1 << 20};
    const uint64_t every_class = UINT64_MAX / 15; /* one in four bits for each */
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct joined_lanes joined;
        join_lanes(i % 2 ? SMALL : LARGE, 0, &joined);
        copy_from(&joined, 2 << 20);
        for (int side = 0; side < 2; side++)
            joined.lanes[side].learns_ways = joined.lanes[side].arrival.can_copy = true;
        for (size_t k = 0; k < 40 * (sizeof lengths / sizeof lengths[0]); k++) {
            const size_t bytes = lengths[k % (sizeof lengths / sizeof lengths[0])];
            if (i / 2) /* whatever the times say */
                atomic_store(&joined.lanes[1].in.ring->wanted_ways, every_class * (k / 16 % CT_WAYS));
            pass_message(&joined, 0, bytes - k % 16, bytes - k % 16, k);
            reduce_message(&joined, bytes, bytes, k % 2);
        }
        const struct ct_ways_class *own =
            &joined.lanes[1].arrival.classes[ct_ways_class(CT_WAYS_COPIES_FROM, CT_MEANWHILE_NOTHING)];
        for (int way = 0; way < CT_WAYS; way++)
            assert_true(own->seen[way] > 0);
        part_lanes(&joined);
    }
}

/* Lines are fetched ahead for the way that fetches lines, and for no other one. */
static void one_way_fetches_ahead(void **state)
{
    enum { BYTES = 8000 };
    unsigned char *contents = new_contents(BYTES, 3), to[BYTES];
    struct joined_lanes joined;
    (void)state;
    join_lanes(LARGE, 0, &joined);
    struct ct_lane *lane = &joined.lanes[0];
    lane->learns_ways = true;
    for (uint64_t way = 0; way < CT_WAY_COPY; way++) {
        struct ct_transfer out = sending(lane, 1, contents, BYTES);
        struct ct_transfer in = receiving(&joined.lanes[1], 1, to, BYTES);
        atomic_store(&lane->out.ring->wanted_ways, UINT64_MAX / 15 * way);
        assert_true(ct_lane_send(&out));
        assert_int_equal(lane->ahead.left, way == CT_WAY_FETCHED ? BYTES : 0);
        assert_true(ct_lane_receive(&in));
        assert_true(are_contents(to, BYTES, 3));
    }
    free(contents);
    part_lanes(&joined);
}

/* Ranks that exchange messages send both of them the way that one of the ranks wants. */
static void one_rank_decides_for_both(void **state)
{
    enum { BYTES = 50000 };
    struct joined_lanes joined;
    unsigned char *contents = new_contents(BYTES, 3), to[BYTES];
    (void)state;
    join_lanes(SMALL, 0, &joined);
    for (int side = 0; side < 2; side++)
        joined.lanes[side].learns_ways = joined.lanes[side].arrival.can_copy = true;
    joined.lanes[0].decides = true;
    joined.lanes[0].arrival.wanted = UINT64_MAX / 15 * CT_WAY_COPY;
    atomic_store(&joined.lanes[0].in.ring->wanted_ways, joined.lanes[0].arrival.wanted);
    for (int i = 0; i < 4; i++) {
        const int side = i % 2;
        struct ct_transfer out = sending(&joined.lanes[side], 1, contents, BYTES);
        struct ct_transfer in = receiving(&joined.lanes[!side], 1, to, BYTES);
        out.meanwhile = i / 2 ? CT_MEANWHILE_REDUCES : CT_MEANWHILE_NOTHING;
        assert_false(ct_lane_send(&out));
        assert_int_equal(out.slot != CT_NO_SLOT, i / 2 || side == 1); /* the other rank wants chunks */
        finish_both(&out, &in);
        assert_true(are_contents(to, BYTES, 3));
    }
    free(contents);
    part_lanes(&joined);
}

static void slots_of_copies_are_limited(void **state)
{
    enum { BYTES = 50000, SENDS = CT_RING_COPIES + 2 };
    struct joined_lanes joined;
    struct ct_transfer outs[SENDS];
    unsigned char *contents[SENDS], to[BYTES];
    (void)state;
    join_lanes(SMALL, UINT64_MAX, &joined);
    copy_from(&joined, BYTES);
    for (uint64_t i = 0; i < SENDS; i++) {
        contents[i] = new_contents(BYTES, i);
        outs[i] = sending(&joined.lanes[0], i, contents[i], BYTES);
        assert_false(ct_lane_send(&outs[i]));
        assert_int_equal(outs[i].slot != CT_NO_SLOT, i < CT_RING_COPIES);
    }
    for (uint64_t i = SENDS; i-- > 0;) { /* the last ones do not wait for the others */
        struct ct_transfer in = receiving(&joined.lanes[1], i, to, BYTES);
        finish_both(&outs[i], &in);
        assert_true(are_contents(to, BYTES, i));
        free(contents[i]);
    }
    part_lanes(&joined);
}

/* A sender that leaves its call no longer waits for its copies. Their slots are free when they are done. */
static void slots_of_forgotten_copies_are_free(void **state)
{
    enum { BYTES = 5000, LABEL = 1 };
    struct joined_lanes joined;
    struct ct_transfer outs[CT_RING_COPIES];
    unsigned char *contents = new_contents(BYTES, 0), to[BYTES];
    (void)state;
    join_lanes(SMALL, UINT64_MAX, &joined);
    copy_from(&joined, BYTES);
    for (int i = 0; i < CT_RING_COPIES; i++) {
        outs[i] = sending(&joined.lanes[0], LABEL, contents, BYTES);
        assert_false(ct_lane_send(&outs[i]));
    }
    for (int i = 0; i < CT_RING_COPIES; i++) {
        struct ct_transfer in = receiving(&joined.lanes[1], LABEL, to, BYTES);
        assert_true(ct_lane_receive(&in));
    }
    pass_message(&joined, 0, BYTES, BYTES, 1);
    /* One that looks later than the next copy in its slot begins finds its own done. */
    struct ct_transfer later = sending(&joined.lanes[0], LABEL, contents, BYTES);
    assert_false(ct_lane_send(&later));
    assert_int_equal(later.slot, outs[0].slot);
    assert_true(ct_lane_send(&outs[0]));
    free(contents);
    part_lanes(&joined);
}

/* The receiver learns that memory could not be read, the sender goes on, and so does the lane. */
static void unreadable_memory_is_noticed(void **state)
{
    enum { BYTES = 3 << 14, PAGE = 1 << 14 };
    struct joined_lanes joined;
    unsigned char *to = malloc(BYTES);
    unsigned char *from = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    (void)state;
    join_lanes(SMALL, 0, &joined);
    copy_from(&joined, BYTES);
    assert_int_equal(munmap(from + PAGE, PAGE), 0);
    struct ct_transfer out = sending(&joined.lanes[0], 1, from, BYTES);
    struct ct_transfer in = receiving(&joined.lanes[1], 1, to, BYTES);
    finish_both(&out, &in);
    assert_int_equal(in.flaw, CT_TRANSFER_LOST);
    pass_message(&joined, 0, BYTES, BYTES, 2);
    munmap(from, BYTES);
    free(to);
    part_lanes(&joined);
}

/* The sender was killed after it had offered its memory. */
static void killed_sender_is_noticed(void **state)
{
    enum { BYTES = 5000 };
    struct joined_lanes joined;
    unsigned char *contents = new_contents(BYTES, 1), to[BYTES];
    int status;
    (void)state;
    join_lanes(SMALL, 0, &joined);
    copy_from(&joined, BYTES);
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    assert_int_equal(waitpid(child, &status, 0), child);
    joined.lanes[1].process = child;
    struct ct_transfer out = sending(&joined.lanes[0], 1, contents, BYTES);
    struct ct_transfer in = receiving(&joined.lanes[1], 1, to, BYTES);
    finish_both(&out, &in);
    assert_int_equal(in.flaw, CT_TRANSFER_LOST);
    free(contents);
    part_lanes(&joined);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ways_arrive),
        cmocka_unit_test(one_way_fetches_ahead),
        cmocka_unit_test(one_rank_decides_for_both),
        cmocka_unit_test(slots_of_copies_are_limited),
        cmocka_unit_test(slots_of_forgotten_copies_are_free),
        cmocka_unit_test(unreadable_memory_is_noticed),
        cmocka_unit_test(killed_sender_is_noticed),
    };
    return can_copy() ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}
