/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages through a lane that are reduced while they arrive. */
#include "reduced_numbers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* In order, each element once. What arrives in chunks is combined out of them, and copied only if there is an
 * operand. */
static void messages_are_reduced(void **state)
{
    static const size_t rings[] = {SMALL, LARGE};
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct joined_lanes joined;
        bool has_operand = i / 2 % 2;
        join_lanes(rings[i % 2], UINT64_MAX - 1, &joined);
        const size_t chunk = joined.lanes[0].out.chunk_bytes;
        const size_t lengths[] = {0,     8,         CT_CELL_BYTES, CT_CELL_BYTES + 8, 2048,   2056, chunk - 8,
                                  chunk, chunk + 8, 4 * chunk,     10 * chunk + 40,   100000, 1024, 1 << 20};
        for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
            uint64_t copied = reduce_message(&joined, lengths[k], lengths[k], has_operand);
            assert_int_equal(copied, has_operand ? lengths[k] : 0);
        }
        part_lanes(&joined);
    }
}

/* No part of an element is combined, and nothing beyond the end. */
static void wrong_lengths_are_not_reduced(void **state)
{
    static const size_t sent[] = {0, 3, 8, 44, 51, 3001, 20000, 20004, 200000};
    static const size_t expected[] = {0, 8, 48, 56, 3000, 20000, 200000};
    enum { SENT = sizeof sent / sizeof sent[0], EXPECTED = sizeof expected / sizeof expected[0] };
    (void)state;
    for (int copies = 0; copies <= can_copy(); copies++) {
        struct joined_lanes joined;
        join_lanes(SMALL, 0, &joined);
        if (copies)
            copy_from(&joined, 10000);
        for (int i = 0; i < 2 * SENT * EXPECTED; i++) {
            reduce_message(&joined, sent[i / 2 / EXPECTED], expected[i / 2 % EXPECTED], i % 2);
            pass_message(&joined, 0, 5000, 5000, 2);
        }
        part_lanes(&joined);
    }
}

/* Pieces that came before the receive are kept and combined then. */
static void early_pieces_are_reduced(void **state)
{
    enum { BYTES = 4000, N = BYTES / sizeof(uint64_t), LABEL = 1, OTHER = 2 };
    uint64_t from[N], to[N] = {0};
    struct joined_lanes joined;
    (void)state;
    for (uint64_t i = 0; i < N; i++)
        from[i] = i;
    join_lanes(SMALL, 0, &joined);
    struct ct_transfer out = sending(&joined.lanes[0], LABEL, from, BYTES);
    struct ct_transfer none = receiving(&joined.lanes[1], OTHER, to, 1);
    struct ct_transfer in = reducing(&joined.lanes[1], LABEL, to, NULL, BYTES, &numbers);
    assert_true(ct_lane_send(&out));
    assert_false(ct_lane_receive(&none));
    assert_non_null(joined.lanes[1].early);
    assert_true(ct_lane_receive(&in));
    for (uint64_t i = 0; i < N; i++)
        assert_int_equal(to[i], 3 * i);
    part_lanes(&joined);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_are_reduced),
        cmocka_unit_test(wrong_lengths_are_not_reduced),
        cmocka_unit_test(early_pieces_are_reduced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
