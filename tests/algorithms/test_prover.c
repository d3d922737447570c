/* SPDX-License-Identifier: BSD-3-Clause */
/* The prover must be able to fail: each of these plans is wrong in one way. */
#include "hand_made.h"

static struct hand_made made;

#define PLAN(rank) (&made.plans[rank])

static int set_up(void **state)
{
    (void)state;
    hand_made_new(&made);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    hand_made_free(&made);
    return 0;
}

/* 0 -> 1 -> ... -> size - 1, the whole at once. */
static void chain(int size, size_t count)
{
    begin(&made, CT_BCAST, size, count);
    for (int rank = 0; rank < size; rank++) {
        if (rank > 0)
            ct_receive(PLAN(rank), rank - 1, CT_RECV, 0, count);
        ct_round_end(PLAN(rank));
        if (rank + 1 < size)
            ct_send(PLAN(rank), rank + 1, CT_RECV, 0, count);
    }
}

static void test_right_ones_pass(void **state)
{
    (void)state;
    chain(4, 10);
    expect_proven(&made);
    assert_int_equal(made.proof.messages, 3);
    assert_int_equal(made.proof.units, 30);
    assert_int_equal(made.proof.steps, 6);
    assert_int_equal(made.proof.traffic[1].messages, 1);
    assert_int_equal(made.proof.traffic[3].messages, 0);
    begin(&made, CT_BCAST, 1, 10);
    expect_proven(&made);
    begin(&made, CT_BARRIER, 1, 0);
    expect_proven(&made);
    begin(&made, CT_BCAST, 5, 0);
    expect_proven(&made);
}

static void test_deadlock(void **state)
{
    (void)state;
    begin(&made, CT_BARRIER, 3, 0);
    for (int rank = 0; rank < 3; rank++) {
        ct_send_token(PLAN(rank), (rank + 1) % 3);
        ct_round_end(PLAN(rank));
        ct_receive_token(PLAN(rank), (rank + 2) % 3);
    }
    expect_flaw(&made, CT_FLAW_DEADLOCK, 0, 0, 0);
    assert_non_null(
        strstr(made.error.text, "waits for rank 1, which waits for rank 2, which waits for rank 0"));
    assert_int_equal(made.proof.peer, 1);
}

static void test_unmatched(void **state)
{
    (void)state;
    begin(&made, CT_BCAST, 3, 4);
    ct_send(PLAN(0), 1, CT_RECV, 0, 4);
    ct_receive(PLAN(1), 0, CT_RECV, 0, 4);
    ct_receive(PLAN(2), 0, CT_RECV, 0, 4);
    expect_flaw(&made, CT_FLAW_UNMATCHED, 2, 0, 0);
    assert_non_null(strstr(made.error.text, "rank 0 never sends it"));

    begin(&made, CT_BCAST, 2, 4);
    ct_send(PLAN(0), 1, CT_RECV, 0, 4);
    ct_round_end(PLAN(0));
    ct_send(PLAN(0), 1, CT_RECV, 0, 4);
    ct_receive(PLAN(1), 0, CT_RECV, 0, 4);
    expect_flaw(&made, CT_FLAW_UNMATCHED, 0, 1, 0);
    assert_non_null(strstr(made.error.text, "rank 1 never receives it"));

    /* a whole message deferred to the end of the plan is no less lost */
    chain(2, 4);
    ct_post(PLAN(1), CT_STEP_SEND, 0, slice(CT_RECV, 0, 4), CT_AT_END);
    expect_flaw(&made, CT_FLAW_UNMATCHED, 1, 1, 0);
}

static void test_lengths(void **state)
{
    (void)state;
    begin(&made, CT_BCAST, 2, 4);
    ct_send(PLAN(0), 1, CT_RECV, 0, 3);
    ct_receive(PLAN(1), 0, CT_RECV, 0, 4);
    expect_flaw(&made, CT_FLAW_LENGTH, 1, 0, 0);

    /* a token meets only a token */
    begin(&made, CT_BCAST, 2, 4);
    ct_send_token(PLAN(0), 1);
    ct_receive(PLAN(1), 0, CT_RECV, 0, 4);
    expect_flaw(&made, CT_FLAW_LENGTH, 1, 0, 0);
}

static void test_misplaced(void **state)
{
    (void)state;
    begin(&made, CT_BCAST, 2, 4);
    ct_send(PLAN(0), 1, CT_RECV, 0, 2);
    ct_send(PLAN(0), 1, CT_RECV, 2, 2);
    ct_receive(PLAN(1), 0, CT_RECV, 2, 2);
    ct_receive(PLAN(1), 0, CT_RECV, 0, 2);
    expect_flaw(&made, CT_FLAW_MISPLACED, 1, 0, 1);

    /* off by one within an allreduce */
    begin(&made, CT_REDUCE, 2, 4);
    ct_send(PLAN(1), 0, CT_SEND, 0, 4);
    ct_receive(PLAN(0), 1, CT_RECV, 0, 4);
    ct_round_end(PLAN(0));
    ct_reduce(PLAN(0), CT_RECV, 0, CT_SEND, 1, 3);
    expect_flaw(&made, CT_FLAW_MISPLACED, 0, 1, 0);
}

static void test_incomplete(void **state)
{
    (void)state;
    begin(&made, CT_BCAST, 2, 4);
    ct_send(PLAN(0), 1, CT_RECV, 0, 3);
    ct_receive(PLAN(1), 0, CT_RECV, 0, 3);
    expect_flaw(&made, CT_FLAW_UNDEFINED, 1, 0, 0);
    assert_non_null(strstr(made.error.text, "position 3 of RECV"));
}

/* Rank 0 combines what comes from `first` and then from `second` into its own. */
static void reduce_two(int first, int second, bool as_source)
{
    begin(&made, CT_REDUCE, 3, 5);
    unsigned work = ct_temporary(PLAN(0), 5);
    const int from[] = {first, second};
    ct_copy(PLAN(0), CT_RECV, 0, CT_SEND, 0, 5);
    ct_round_end(PLAN(0));
    for (int i = 0; i < 2; i++) {
        ct_receive(PLAN(0), from[i], work, 0, 5);
        ct_round_end(PLAN(0));
        if (as_source) {
            ct_reduce(PLAN(0), CT_RECV, 0, work, 0, 5);
        } else {
            ct_reduce(PLAN(0), work, 0, CT_RECV, 0, 5);
            ct_copy(PLAN(0), CT_RECV, 0, work, 0, 5);
        }
        ct_round_end(PLAN(0));
        ct_send(PLAN(from[i]), 0, CT_SEND, 0, 5);
        ct_round_end(PLAN(from[i]));
    }
}

static void test_lost_and_doubled(void **state)
{
    (void)state;
    reduce_two(1, 2, true);
    expect_proven(&made);
    reduce_two(2, 2, true);
    expect_flaw(&made, CT_FLAW_LOST, 0, 4, 0);

    begin(&made, CT_REDUCE, 3, 5);
    ct_send(PLAN(1), 0, CT_SEND, 0, 5);
    ct_receive(PLAN(0), 1, CT_RECV, 0, 5);
    ct_round_end(PLAN(0));
    ct_reduce(PLAN(0), CT_RECV, 0, CT_SEND, 0, 5);
    expect_flaw(&made, CT_FLAW_LOST, 0, 1, 0);
    assert_non_null(strstr(made.error.text, "lacks rank 2's data"));
}

static void test_order(void **state)
{
    (void)state;
    reduce_two(1, 2, false);
    made.task.commutative = false;
    expect_proven(&made);
    reduce_two(1, 2, true);
    made.task.commutative = false;
    expect_flaw(&made, CT_FLAW_ORDER, 0, 2, 0);
    /* a gap that is filled later is out of order too */
    reduce_two(2, 1, false);
    made.task.commutative = false;
    expect_flaw(&made, CT_FLAW_ORDER, 0, 2, 0);
}

static void test_undefined(void **state)
{
    (void)state;
    begin(&made, CT_BCAST, 2, 4);
    ct_send(PLAN(1), 0, CT_RECV, 0, 4);
    ct_receive(PLAN(0), 1, CT_RECV, 0, 4);
    expect_flaw(&made, CT_FLAW_WRITE, 0, 0, 0);

    begin(&made, CT_BCAST, 3, 4);
    ct_send(PLAN(0), 1, CT_RECV, 0, 4);
    ct_receive(PLAN(1), 0, CT_RECV, 0, 4);
    ct_send(PLAN(1), 2, CT_RECV, 0, 4);
    ct_receive(PLAN(2), 1, CT_RECV, 0, 4);
    expect_flaw(&made, CT_FLAW_CONFLICT, 1, 0, 1);

    begin(&made, CT_ALLREDUCE, 1, 4);
    unsigned work = ct_temporary(PLAN(0), 4);
    ct_copy(PLAN(0), work, 0, CT_SEND, 0, 3);
    ct_copy(PLAN(0), CT_RECV, 0, work, 0, 4);
    expect_flaw(&made, CT_FLAW_UNDEFINED, 0, 0, 1);
    assert_non_null(strstr(made.error.text, "position 3 of TEMP0"));
}

static void test_dead_stores(void **state)
{
    (void)state;
    begin(&made, CT_ALLREDUCE, 1, 4);
    unsigned work = ct_temporary(PLAN(0), 4);
    ct_copy(PLAN(0), CT_RECV, 0, CT_SEND, 0, 4);
    ct_copy(PLAN(0), work, 0, CT_SEND, 0, 4);
    expect_flaw(&made, CT_FLAW_DEAD_STORE, 0, 0, 1);

    begin(&made, CT_ALLREDUCE, 1, 4);
    ct_copy(PLAN(0), CT_RECV, 0, CT_SEND, 0, 4);
    ct_round_end(PLAN(0));
    ct_copy(PLAN(0), CT_RECV, 1, CT_SEND, 1, 2);
    expect_flaw(&made, CT_FLAW_DEAD_STORE, 0, 1, 0);
    assert_non_null(strstr(made.error.text, "since round 0, step 0 stored it"));

    /* read in part only */
    begin(&made, CT_ALLREDUCE, 1, 4);
    work = ct_temporary(PLAN(0), 4);
    ct_copy(PLAN(0), work, 0, CT_SEND, 0, 4);
    ct_copy(PLAN(0), CT_RECV, 0, work, 0, 3);
    ct_copy(PLAN(0), CT_RECV, 3, CT_SEND, 3, 1);
    expect_flaw(&made, CT_FLAW_DEAD_STORE, 0, 0, 0);
}

/* Everyone tells the ranks `distances` further on, all in one round or each in its own. */
static void disseminate(int size, const int *distances, int count, bool at_once)
{
    begin(&made, CT_BARRIER, size, 0);
    for (int rank = 0; rank < size; rank++) {
        for (int i = 0; i < count; i++) {
            ct_receive_token(PLAN(rank), (rank + size - distances[i]) % size);
            ct_send_token(PLAN(rank), (rank + distances[i]) % size);
            if (!at_once)
                ct_round_end(PLAN(rank));
        }
    }
}

static void test_early_leave(void **state)
{
    (void)state;
    const int doubling[] = {1, 2}, single[] = {1}, repeated[] = {1, 1};
    disseminate(4, doubling, 2, false);
    expect_proven(&made);
    /* what comes in during a round does not go out in it */
    disseminate(4, doubling, 2, true);
    expect_flaw(&made, CT_FLAW_EARLY, 0, 0, 3);
    disseminate(3, single, 1, false);
    expect_flaw(&made, CT_FLAW_EARLY, 0, 0, 1);
    disseminate(4, repeated, 2, false);
    expect_flaw(&made, CT_FLAW_EARLY, 0, 1, 1);
    assert_int_equal(made.proof.peer, 1);

    /* nor does what is still to be waited for */
    disseminate(4, doubling, 2, false);
    PLAN(1)->steps[0].until = CT_PLAN_END;
    assert_int_equal(prove(&made), CT_E_ANSWER);
    assert_int_equal(made.proof.flaw, CT_FLAW_EARLY);
    assert_int_equal(made.proof.rank, 3);
    assert_int_equal(made.proof.peer, 0);

    /* nobody was told anything */
    begin(&made, CT_BARRIER, 3, 0);
    assert_int_equal(prove(&made), CT_E_ANSWER);
    assert_int_equal(made.proof.flaw, CT_FLAW_EARLY);
}

static void test_conflicts(void **state)
{
    (void)state;
    /* two receives into one place */
    begin(&made, CT_BCAST, 2, 4);
    for (int i = 0; i < 2; i++) {
        ct_send(PLAN(0), 1, CT_RECV, 0, 4);
        ct_receive(PLAN(1), 0, CT_RECV, 0, 4);
    }
    expect_flaw(&made, CT_FLAW_CONFLICT, 1, 0, 1);
    assert_non_null(strstr(made.error.text, "round 0, step 0"));

    /* local work on what is coming in */
    begin(&made, CT_REDUCE, 2, 4);
    ct_send(PLAN(1), 0, CT_SEND, 0, 4);
    ct_receive(PLAN(0), 1, CT_RECV, 0, 4);
    ct_reduce(PLAN(0), CT_RECV, 0, CT_SEND, 0, 4);
    expect_flaw(&made, CT_FLAW_CONFLICT, 0, 0, 1);

    /* and on what goes out, also with the step listed before */
    begin(&made, CT_ALLREDUCE, 2, 4);
    for (int rank = 0; rank < 2; rank++) {
        unsigned work = ct_temporary(PLAN(rank), 4);
        ct_copy(PLAN(rank), CT_RECV, 0, CT_SEND, 0, 4);
        ct_round_end(PLAN(rank));
        ct_copy(PLAN(rank), CT_RECV, 0, CT_SEND, 0, 4);
        ct_send(PLAN(rank), !rank, CT_RECV, 0, 4);
        ct_receive(PLAN(rank), !rank, work, 0, 4);
        ct_round_end(PLAN(rank));
        ct_reduce(PLAN(rank), CT_RECV, 0, work, 0, 4);
    }
    expect_flaw(&made, CT_FLAW_CONFLICT, 0, 1, 0);

    /* a source that overlaps its destination */
    begin(&made, CT_ALLREDUCE, 1, 4);
    unsigned work = ct_temporary(PLAN(0), 8);
    ct_copy(PLAN(0), work, 0, CT_SEND, 0, 4);
    ct_copy(PLAN(0), work, 2, work, 0, 4);
    expect_flaw(&made, CT_FLAW_CONFLICT, 0, 0, 1);
}

/* The receive is deferred by a round; rank 1 touches its buffer `late` or in time. */
static void defer(bool waits, bool late)
{
    begin(&made, CT_REDUCE, 2, 4);
    ct_send(PLAN(1), 0, CT_SEND, 0, 4);
    unsigned slot = ct_post(PLAN(0), CT_STEP_RECEIVE, 1, slice(CT_RECV, 0, 4), CT_LATER);
    ct_round_end(PLAN(0));
    if (late)
        ct_reduce(PLAN(0), CT_RECV, 0, CT_SEND, 0, 4);
    ct_round_end(PLAN(0));
    if (waits)
        ct_wait(PLAN(0), slot);
    if (!late)
        ct_reduce(PLAN(0), CT_RECV, 0, CT_SEND, 0, 4);
}

static void test_deferred(void **state)
{
    (void)state;
    defer(true, false);
    expect_proven(&made);
    defer(true, true);
    expect_flaw(&made, CT_FLAW_CONFLICT, 0, 1, 0);
    assert_non_null(strstr(made.error.text, "round 0, step 0"));
    defer(false, false);
    expect_flaw(&made, CT_FLAW_CONFLICT, 0, 1, 0);
}

static void test_slots(void **state)
{
    (void)state;
    /* waited for twice */
    defer(true, false);
    ct_wait(PLAN(0), 1);
    expect_flaw(&made, CT_FLAW_SLOT, 0, 1, 2);
    defer(true, false);
    ct_round_end(PLAN(0));
    ct_wait(PLAN(0), 1);
    expect_flaw(&made, CT_FLAW_SLOT, 0, 2, 0);
    /* never waited for */
    chain(2, 4);
    ct_plan_reset(PLAN(1));
    ct_post(PLAN(1), CT_STEP_RECEIVE, 0, slice(CT_RECV, 0, 4), CT_LATER);
    expect_flaw(&made, CT_FLAW_SLOT, 1, 0, 0);
    /* unknown, zero, or not a slot at all */
    const unsigned wrong[] = {7, CT_ROUND_END, CT_PLAN_END};
    for (int i = 0; i < 3; i++) {
        defer(true, false);
        ct_plan_finish(PLAN(0));
        PLAN(0)->steps[1].until = wrong[i] & CT_PLAN_END;
        expect_flaw(&made, CT_FLAW_SLOT, 0, 1, 0);
    }
    /* taken while it is held */
    begin(&made, CT_BCAST, 2, 4);
    ct_send(PLAN(0), 1, CT_RECV, 0, 2);
    ct_send(PLAN(0), 1, CT_RECV, 2, 2);
    unsigned slot = ct_post(PLAN(1), CT_STEP_RECEIVE, 0, slice(CT_RECV, 0, 2), CT_LATER);
    ct_post(PLAN(1), CT_STEP_RECEIVE, 0, slice(CT_RECV, 2, 2), CT_LATER);
    PLAN(1)->steps[1].until = slot & CT_PLAN_END;
    ct_round_end(PLAN(1));
    ct_wait(PLAN(1), slot);
    expect_flaw(&made, CT_FLAW_SLOT, 1, 0, 1);
}

static void test_windows(void **state)
{
    (void)state;
    for (unsigned window = 0; window <= 3; window++) {
        begin(&made, CT_ALLREDUCE, 2, 4);
        for (int rank = 0; rank < 2; rank++) {
            ct_window(PLAN(rank), window);
            ct_receive(PLAN(rank), !rank, CT_RECV, 0, 4);
            ct_send(PLAN(rank), !rank, CT_SEND, 0, 4);
            ct_round_end(PLAN(rank));
            ct_reduce(PLAN(rank), CT_RECV, 0, CT_SEND, 0, 4);
        }
        if (window == 1)
            expect_flaw(&made, CT_FLAW_DEADLOCK, 0, 0, 0);
        else
            expect_proven(&made);
    }
}

static void test_malformed(void **state)
{
    (void)state;
    chain(2, 4);
    PLAN(0)->steps[0].peer = 2;
    expect_flaw(&made, CT_FLAW_PEER, 0, 0, 0);
    PLAN(0)->steps[0].peer = -1;
    expect_flaw(&made, CT_FLAW_PEER, 0, 0, 0);
    PLAN(0)->steps[0].peer = 0;
    expect_flaw(&made, CT_FLAW_PEER, 0, 0, 0);
    PLAN(0)->steps[0].peer = 1;
    PLAN(0)->steps[0].offset = 1;
    expect_flaw(&made, CT_FLAW_BOUNDS, 0, 0, 0);
    PLAN(0)->steps[0].offset = SIZE_MAX;
    expect_flaw(&made, CT_FLAW_BOUNDS, 0, 0, 0);
    PLAN(0)->steps[0].offset = 0;
    PLAN(0)->steps[0].buffer = CT_TEMPORARY;
    expect_flaw(&made, CT_FLAW_BOUNDS, 0, 0, 0);
    PLAN(0)->steps[0].buffer = CT_RECV;
    expect_proven(&made);
    PLAN(0)->steps[0].kind = 9;
    expect_flaw(&made, CT_FLAW_STEP, 0, 0, 0);
    PLAN(0)->steps[0].kind = CT_STEP_REDUCE;
    expect_flaw(&made, CT_FLAW_STEP, 0, 0, 0);
    PLAN(0)->steps[0].kind = CT_STEP_COPY;
    PLAN(0)->steps[0].n = 0;
    expect_flaw(&made, CT_FLAW_STEP, 0, 0, 0);

    /* rounds that do not fit the steps */
    chain(3, 4);
    ct_plan_finish(PLAN(1));
    PLAN(1)->rounds[1].end = 1;
    assert_int_equal(prove_as_is(&made), CT_E_ANSWER);
    assert_int_equal(made.proof.flaw, CT_FLAW_PLAN);
    PLAN(1)->rounds[1].end = 2;
    PLAN(1)->rounds[0].end = 3;
    assert_int_equal(prove_as_is(&made), CT_E_ANSWER);
    assert_int_equal(made.proof.flaw, CT_FLAW_PLAN);
    PLAN(1)->rounds[0].end = 1;
    PLAN(1)->status = CT_E_LIMIT;
    assert_int_equal(prove_as_is(&made), CT_E_ANSWER);
    assert_int_equal(made.proof.flaw, CT_FLAW_PLAN);
}

static void test_forbidden_writes(void **state)
{
    (void)state;
    begin(&made, CT_ALLREDUCE, 1, 4);
    ct_copy(PLAN(0), CT_RECV, 0, CT_SEND, 0, 4);
    ct_copy(PLAN(0), CT_SEND, 0, CT_RECV, 0, 4);
    expect_flaw(&made, CT_FLAW_WRITE, 0, 0, 1);
    /* a rank without result has no RECV */
    reduce_two(1, 2, true);
    ct_copy(PLAN(1), CT_RECV, 0, CT_SEND, 0, 4);
    expect_flaw(&made, CT_FLAW_BOUNDS, 1, 1, 0);
    /* the result is part of RECV */
    reduce_two(1, 2, true);
    struct ct_piece part = {.n = 4, .ranks = 2};
    made.shares[0].results = &part;
    expect_flaw(&made, CT_FLAW_WRITE, 0, 0, 0);
}

/* (0 + 1) + 2 here, (1 + 2) + 0 there. */
static void test_unequal(void **state)
{
    (void)state;
    const int order[3][3] = {{0, 1, 2}, {1, 2, 0}, {0, 1, 2}};
    for (int same = 0; same < 2; same++) {
        begin(&made, CT_ALLREDUCE, 3, 4);
        for (int rank = 0; rank < 3; rank++) {
            unsigned all[3];
            for (int other = 0; other < 3; other++)
                all[other] = ct_temporary(PLAN(rank), 4);
            for (int other = 0; other < 3; other++) {
                if (other == rank)
                    continue;
                ct_send(PLAN(rank), other, CT_SEND, 0, 4);
                ct_receive(PLAN(rank), other, all[other], 0, 4);
            }
            ct_copy(PLAN(rank), all[rank], 0, CT_SEND, 0, 4);
            ct_round_end(PLAN(rank));
            const int *by = order[same ? 0 : rank];
            ct_copy(PLAN(rank), CT_RECV, 0, all[by[rank == 2]], 0, 4);
            ct_reduce(PLAN(rank), CT_RECV, 0, all[by[rank != 2]], 0, 4); /* rank 2 commutes */
            ct_reduce(PLAN(rank), CT_RECV, 0, all[by[2]], 0, 4);
        }
        if (same)
            expect_proven(&made);
        else
            expect_flaw(&made, CT_FLAW_UNEQUAL, 1, 1, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right_ones_pass),  cmocka_unit_test(test_deadlock),
        cmocka_unit_test(test_unmatched),        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_misplaced),        cmocka_unit_test(test_incomplete),
        cmocka_unit_test(test_lost_and_doubled), cmocka_unit_test(test_order),
        cmocka_unit_test(test_undefined),        cmocka_unit_test(test_dead_stores),
        cmocka_unit_test(test_early_leave),      cmocka_unit_test(test_conflicts),
        cmocka_unit_test(test_deferred),         cmocka_unit_test(test_slots),
        cmocka_unit_test(test_windows),          cmocka_unit_test(test_malformed),
        cmocka_unit_test(test_forbidden_writes), cmocka_unit_test(test_unequal),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
