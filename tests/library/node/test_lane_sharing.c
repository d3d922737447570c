/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of one rank to several others that share a copy on its board. */
#include "reduced_numbers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* Sends a message to all readers, of which the first `absent` look only when the others have all. Returns
 * what the sender has copied. */
static uint64_t send_to_all(struct starred_lanes *star, size_t bytes, uint64_t group, int absent)
{
    enum { LABEL = 3, LOOKS = 1 << 12 };
    struct ct_transfer outs[READERS], ins[READERS];
    unsigned char *contents = new_contents(bytes, group), *to[READERS];
    bool is_sent[READERS] = {false}, is_received[READERS] = {false};
    uint64_t copied = 0;
    for (int i = 0; i < READERS; i++) {
        copied -= star->pairs[i].lanes[0].copied;
        to[i] = malloc(bytes + 1);
        outs[i] = sending(&star->pairs[i].lanes[0], LABEL, contents, bytes);
        outs[i].group = group;
        ins[i] = receiving(&star->pairs[i].lanes[1], LABEL, to[i], bytes);
    }
    for (int look = 0; look < LOOKS; look++) {
        for (int i = 0; i < READERS; i++)
            is_sent[i] = is_sent[i] || ct_lane_send(&outs[i]);
        for (int i = absent; i < READERS; i++)
            is_received[i] = is_received[i] || ct_lane_receive(&ins[i]);
    }
    for (int i = absent; i < READERS; i++) { /* none has waited for those that are absent */
        assert_true(is_sent[i] && is_received[i]);
        assert_true(are_contents(to[i], bytes, group));
    }
    for (int i = 0; i < absent; i++) {
        finish_both(is_sent[i] ? NULL : &outs[i], &ins[i]);
        assert_true(are_contents(to[i], bytes, group));
    }
    for (int i = 0; i < READERS; i++) {
        copied += star->pairs[i].lanes[0].copied;
        free(to[i]);
    }
    free(contents);
    return copied;
}

/* However many pieces there are, and wherever the numbers of cells wrap. */
static void copies_are_shared(void **state)
{
    static const size_t rings[] = {SMALL, LARGE};
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct starred_lanes star;
        join_star(rings[i % 2], i / 2 ? UINT64_MAX - 20 : 0, &star);
        const size_t chunk = star.pairs[0].lanes[0].out.chunk_bytes;
        const size_t lengths[] = {49, 3000, chunk - 1, chunk, 4 * chunk + 1, 31 * chunk, 100 * chunk, 600000};
        uint64_t group = 1;
        for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
            const size_t bytes = lengths[k];
            uint64_t shared = send_to_all(&star, bytes, group++, 0);
            assert_true(shared >= bytes && shared < 2 * bytes);
            if (bytes <= 4 * chunk)
                assert_int_equal(shared, bytes);
            assert_int_equal(send_to_all(&star, bytes, 0, 0), READERS * bytes);
        }
        part_star(&star);
    }
}

/* Readers that do not look keep their pieces, and hold nobody up. */
static void readers_do_not_wait_for_each_other(void **state)
{
    (void)state;
    for (int absent = 1; absent < READERS; absent++) {
        struct starred_lanes star;
        join_star(SMALL, 7, &star);
        for (uint64_t group = 1; group < 20; group++)
            send_to_all(&star, 3000 + 20000 * (group % 3), group, group % 2 ? absent : 0);
        part_star(&star);
    }
}

/* A piece that was set aside is kept when its slot is used again; and one is reduced where it lies. */
static void shared_pieces_are_set_aside_and_reduced(void **state)
{
    enum { BYTES = 2000, N = BYTES / sizeof(uint64_t), LABEL = 3, OTHER = 4, MORE = 40 };
    struct starred_lanes star;
    uint64_t from[N], to[N] = {0};
    unsigned char copy[BYTES];
    (void)state;
    join_star(LARGE, 0, &star);
    for (uint64_t i = 0; i < N; i++)
        from[i] = i;
    for (int i = 0; i < 2; i++) {
        struct ct_transfer out = sending(&star.pairs[i].lanes[0], LABEL, from, BYTES);
        out.group = 1;
        assert_true(ct_lane_send(&out));
    }
    struct ct_transfer none = receiving(&star.pairs[0].lanes[1], OTHER, to, 1);
    assert_false(ct_lane_receive(&none));
    struct ct_transfer sum = reducing(&star.pairs[1].lanes[1], LABEL, to, NULL, BYTES, &numbers);
    assert_true(ct_lane_receive(&sum));
    assert_int_equal(star.pairs[1].lanes[1].copied, 0);
    for (uint64_t i = 0; i < N; i++)
        assert_int_equal(to[i], 3 * i);
    for (uint64_t group = 2; group < MORE; group++) {
        unsigned char *contents = new_contents(BYTES, group);
        struct ct_transfer out = sending(&star.pairs[2].lanes[0], LABEL, contents, BYTES);
        struct ct_transfer in = receiving(&star.pairs[2].lanes[1], LABEL, copy, BYTES);
        out.group = group;
        finish_both(&out, &in);
        assert_true(are_contents(copy, BYTES, group));
        free(contents);
    }
    struct ct_transfer early = receiving(&star.pairs[0].lanes[1], LABEL, copy, BYTES);
    assert_true(ct_lane_receive(&early));
    assert_memory_equal(copy, from, BYTES);
    part_star(&star);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_are_shared),
        cmocka_unit_test(readers_do_not_wait_for_each_other),
        cmocka_unit_test(shared_pieces_are_set_aside_and_reduced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
