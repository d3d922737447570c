/* SPDX-License-Identifier: BSD-3-Clause */
/* The verifier must be able to fail: plans that bring about something else than the collective does. */
#include "hand_made.h"

static void test_misplaced(void **state)
{
    (void)state;
    begin(CT_COLLECTIVE_BCAST, 2, 4);
    ct_send(PLAN(0), 1, CT_BUFFER_RECV, 0, 2);
    ct_send(PLAN(0), 1, CT_BUFFER_RECV, 2, 2);
    ct_receive(PLAN(1), 0, CT_BUFFER_RECV, 2, 2);
    ct_receive(PLAN(1), 0, CT_BUFFER_RECV, 0, 2);
    expect_flaw(CT_FLAW_MISPLACED, 1, 0, 1);

    /* off by one within an allreduce */
    begin(CT_COLLECTIVE_REDUCE, 2, 4);
    ct_send(PLAN(1), 0, CT_BUFFER_SEND, 0, 4);
    ct_receive(PLAN(0), 1, CT_BUFFER_RECV, 0, 4);
    ct_round_end(PLAN(0));
    ct_reduce(PLAN(0), CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 1, 3);
    expect_flaw(CT_FLAW_MISPLACED, 0, 1, 0);
}

static void test_incomplete(void **state)
{
    (void)state;
    begin(CT_COLLECTIVE_BCAST, 2, 4);
    ct_send(PLAN(0), 1, CT_BUFFER_RECV, 0, 3);
    ct_receive(PLAN(1), 0, CT_BUFFER_RECV, 0, 3);
    expect_flaw(CT_FLAW_UNDEFINED, 1, 0, 0);
    assert_non_null(strstr(made.error.text, "position 3 of RECV"));
}

/* Rank 0 combines what comes from `first` and then from `second` into its own. */
static void reduce_two(int first, int second, bool as_source)
{
    begin(CT_COLLECTIVE_REDUCE, 3, 5);
    unsigned work = ct_temporary(PLAN(0), 5);
    const int from[] = {first, second};
    ct_copy(PLAN(0), CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 0, 5);
    ct_round_end(PLAN(0));
    for (int i = 0; i < 2; i++) {
        ct_receive(PLAN(0), from[i], work, 0, 5);
        ct_round_end(PLAN(0));
        if (as_source) {
            ct_reduce(PLAN(0), CT_BUFFER_RECV, 0, work, 0, 5);
        } else {
            ct_reduce(PLAN(0), work, 0, CT_BUFFER_RECV, 0, 5);
            ct_copy(PLAN(0), CT_BUFFER_RECV, 0, work, 0, 5);
        }
        ct_round_end(PLAN(0));
        ct_send(PLAN(from[i]), 0, CT_BUFFER_SEND, 0, 5);
        ct_round_end(PLAN(from[i]));
    }
}

static void test_lost_and_doubled(void **state)
{
    (void)state;
    reduce_two(1, 2, true);
    expect_proven();
    reduce_two(2, 2, true);
    expect_flaw(CT_FLAW_LOST, 0, 4, 0);

    begin(CT_COLLECTIVE_REDUCE, 3, 5);
    ct_send(PLAN(1), 0, CT_BUFFER_SEND, 0, 5);
    ct_receive(PLAN(0), 1, CT_BUFFER_RECV, 0, 5);
    ct_round_end(PLAN(0));
    ct_reduce(PLAN(0), CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 0, 5);
    expect_flaw(CT_FLAW_LOST, 0, 1, 0);
    assert_non_null(strstr(made.error.text, "lacks rank 2's data"));
}

static void test_order(void **state)
{
    (void)state;
    reduce_two(1, 2, false);
    made.task.commutative = false;
    expect_proven();
    reduce_two(1, 2, true);
    made.task.commutative = false;
    expect_flaw(CT_FLAW_ORDER, 0, 2, 0);
    /* a gap that is filled later is out of order too */
    reduce_two(2, 1, false);
    made.task.commutative = false;
    expect_flaw(CT_FLAW_ORDER, 0, 2, 0);
}

static void test_undefined(void **state)
{
    (void)state;
    begin(CT_COLLECTIVE_BCAST, 2, 4);
    ct_send(PLAN(1), 0, CT_BUFFER_RECV, 0, 4);
    ct_receive(PLAN(0), 1, CT_BUFFER_RECV, 0, 4);
    expect_flaw(CT_FLAW_WRITE, 0, 0, 0);

    begin(CT_COLLECTIVE_BCAST, 3, 4);
    ct_send(PLAN(0), 1, CT_BUFFER_RECV, 0, 4);
    ct_receive(PLAN(1), 0, CT_BUFFER_RECV, 0, 4);
    ct_send(PLAN(1), 2, CT_BUFFER_RECV, 0, 4);
    ct_receive(PLAN(2), 1, CT_BUFFER_RECV, 0, 4);
    expect_flaw(CT_FLAW_CONFLICT, 1, 0, 1);

    begin(CT_COLLECTIVE_ALLREDUCE, 1, 4);
    unsigned work = ct_temporary(PLAN(0), 4);
    ct_copy(PLAN(0), work, 0, CT_BUFFER_SEND, 0, 3);
    ct_copy(PLAN(0), CT_BUFFER_RECV, 0, work, 0, 4);
    expect_flaw(CT_FLAW_UNDEFINED, 0, 0, 1);
    assert_non_null(strstr(made.error.text, "position 3 of TEMP0"));
}

static void test_dead_stores(void **state)
{
    (void)state;
    begin(CT_COLLECTIVE_ALLREDUCE, 1, 4);
    unsigned work = ct_temporary(PLAN(0), 4);
    ct_copy(PLAN(0), CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 0, 4);
    ct_copy(PLAN(0), work, 0, CT_BUFFER_SEND, 0, 4);
    expect_flaw(CT_FLAW_DEAD_STORE, 0, 0, 1);

    begin(CT_COLLECTIVE_ALLREDUCE, 1, 4);
    ct_copy(PLAN(0), CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 0, 4);
    ct_round_end(PLAN(0));
    ct_copy(PLAN(0), CT_BUFFER_RECV, 1, CT_BUFFER_SEND, 1, 2);
    expect_flaw(CT_FLAW_DEAD_STORE, 0, 1, 0);
    assert_non_null(strstr(made.error.text, "since round 0, step 0 stored it"));

    /* read in part only */
    begin(CT_COLLECTIVE_ALLREDUCE, 1, 4);
    work = ct_temporary(PLAN(0), 4);
    ct_copy(PLAN(0), work, 0, CT_BUFFER_SEND, 0, 4);
    ct_copy(PLAN(0), CT_BUFFER_RECV, 0, work, 0, 3);
    ct_copy(PLAN(0), CT_BUFFER_RECV, 3, CT_BUFFER_SEND, 3, 1);
    expect_flaw(CT_FLAW_DEAD_STORE, 0, 0, 0);
}

static void test_forbidden_writes(void **state)
{
    (void)state;
    begin(CT_COLLECTIVE_ALLREDUCE, 1, 4);
    ct_copy(PLAN(0), CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 0, 4);
    ct_copy(PLAN(0), CT_BUFFER_SEND, 0, CT_BUFFER_RECV, 0, 4);
    expect_flaw(CT_FLAW_WRITE, 0, 0, 1);
    /* a rank without result has no RECV */
    reduce_two(1, 2, true);
    ct_copy(PLAN(1), CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 0, 4);
    expect_flaw(CT_FLAW_BOUNDS, 1, 1, 0);
    /* the result is part of RECV */
    reduce_two(1, 2, true);
    struct ct_piece part = {.n = 4, .ranks = 2};
    made.shares[0].results = &part;
    expect_flaw(CT_FLAW_WRITE, 0, 0, 0);
}

/* (0 + 1) + 2 here, (1 + 2) + 0 there. */
static void test_unequal(void **state)
{
    (void)state;
    const int order[3][3] = {{0, 1, 2}, {1, 2, 0}, {0, 1, 2}};
    for (int same = 0; same < 2; same++) {
        begin(CT_COLLECTIVE_ALLREDUCE, 3, 4);
        for (int rank = 0; rank < 3; rank++) {
            unsigned all[3];
            for (int other = 0; other < 3; other++)
                all[other] = ct_temporary(PLAN(rank), 4);
            for (int other = 0; other < 3; other++) {
                if (other == rank)
                    continue;
                ct_send(PLAN(rank), other, CT_BUFFER_SEND, 0, 4);
                ct_receive(PLAN(rank), other, all[other], 0, 4);
            }
            ct_copy(PLAN(rank), all[rank], 0, CT_BUFFER_SEND, 0, 4);
            ct_round_end(PLAN(rank));
            const int *by = order[same ? 0 : rank];
            ct_copy(PLAN(rank), CT_BUFFER_RECV, 0, all[by[rank == 2]], 0, 4);
            ct_reduce(PLAN(rank), CT_BUFFER_RECV, 0, all[by[rank != 2]], 0, 4); /* rank 2 commutes */
            ct_reduce(PLAN(rank), CT_BUFFER_RECV, 0, all[by[2]], 0, 4);
        }
        if (same)
            expect_proven();
        else
            expect_flaw(CT_FLAW_UNEQUAL, 1, 1, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_misplaced),        cmocka_unit_test(test_incomplete),
        cmocka_unit_test(test_lost_and_doubled), cmocka_unit_test(test_order),
        cmocka_unit_test(test_undefined),        cmocka_unit_test(test_dead_stores),
        cmocka_unit_test(test_forbidden_writes), cmocka_unit_test(test_unequal),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
