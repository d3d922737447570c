/* SPDX-License-Identifier: BSD-3-Clause */
/* The verifier must be able to fail: plans whose messages do not meet, or tell too little. */
#include "hand_made.h"

static void test_right_ones_pass(void **state)
{
    (void)state;
    begin_chain(4, 10);
    expect_proven();
    assert_int_equal(made.verdict.messages, 3);
    assert_int_equal(made.verdict.units, 30);
    assert_int_equal(made.verdict.steps, 6);
    assert_int_equal(made.verdict.traffic[1].messages, 1);
    assert_int_equal(made.verdict.traffic[3].messages, 0);
    begin(CT_COLLECTIVE_BCAST, 1, 10);
    expect_proven();
    begin(CT_COLLECTIVE_BARRIER, 1, 0);
    expect_proven();
    begin(CT_COLLECTIVE_BCAST, 5, 0);
    expect_proven();
}

static void test_deadlock(void **state)
{
    (void)state;
    begin(CT_COLLECTIVE_BARRIER, 3, 0);
    for (int rank = 0; rank < 3; rank++) {
        ct_send_token(PLAN(rank), (rank + 1) % 3);
        ct_round_end(PLAN(rank));
        ct_receive_token(PLAN(rank), (rank + 2) % 3);
    }
    expect_flaw(CT_FLAW_DEADLOCK, 0, 0, 0);
    assert_non_null(
        strstr(made.error.text, "waits for rank 1, which waits for rank 2, which waits for rank 0"));
    assert_int_equal(made.verdict.peer, 1);
}

static void test_unmatched(void **state)
{
    (void)state;
    begin(CT_COLLECTIVE_BCAST, 3, 4);
    ct_send(PLAN(0), 1, CT_BUFFER_RECV, 0, 4);
    ct_receive(PLAN(1), 0, CT_BUFFER_RECV, 0, 4);
    ct_receive(PLAN(2), 0, CT_BUFFER_RECV, 0, 4);
    expect_flaw(CT_FLAW_UNMATCHED, 2, 0, 0);
    assert_non_null(strstr(made.error.text, "rank 0 never sends it"));

    begin(CT_COLLECTIVE_BCAST, 2, 4);
    ct_send(PLAN(0), 1, CT_BUFFER_RECV, 0, 4);
    ct_round_end(PLAN(0));
    ct_send(PLAN(0), 1, CT_BUFFER_RECV, 0, 4);
    ct_receive(PLAN(1), 0, CT_BUFFER_RECV, 0, 4);
    expect_flaw(CT_FLAW_UNMATCHED, 0, 1, 0);
    assert_non_null(strstr(made.error.text, "rank 1 never receives it"));

    /* a whole message deferred to the end of the plan is no less lost */
    begin_chain(2, 4);
    ct_post(PLAN(1), CT_STEP_SEND, 0, slice(CT_BUFFER_RECV, 0, 4), CT_DEFERRAL_AT_END);
    expect_flaw(CT_FLAW_UNMATCHED, 1, 1, 0);
}

static void test_lengths(void **state)
{
    (void)state;
    begin(CT_COLLECTIVE_BCAST, 2, 4);
    ct_send(PLAN(0), 1, CT_BUFFER_RECV, 0, 3);
    ct_receive(PLAN(1), 0, CT_BUFFER_RECV, 0, 4);
    expect_flaw(CT_FLAW_LENGTH, 1, 0, 0);

    /* a token meets only a token */
    begin(CT_COLLECTIVE_BCAST, 2, 4);
    ct_send_token(PLAN(0), 1);
    ct_receive(PLAN(1), 0, CT_BUFFER_RECV, 0, 4);
    expect_flaw(CT_FLAW_LENGTH, 1, 0, 0);
}

/* Everyone tells the ranks `distances` further on, all in one round or each in its own. */
static void disseminate(int size, const int *distances, int count, bool at_once)
{
    begin(CT_COLLECTIVE_BARRIER, size, 0);
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
    expect_proven();
    /* what comes in during a round does not go out in it */
    disseminate(4, doubling, 2, true);
    expect_flaw(CT_FLAW_EARLY, 0, 0, 3);
    disseminate(3, single, 1, false);
    expect_flaw(CT_FLAW_EARLY, 0, 0, 1);
    disseminate(4, repeated, 2, false);
    expect_flaw(CT_FLAW_EARLY, 0, 1, 1);
    assert_int_equal(made.verdict.peer, 1);

    /* nor does what is still to be waited for */
    disseminate(4, doubling, 2, false);
    PLAN(1)->steps[0].until = CT_PLAN_END;
    assert_int_equal(verify(), CT_E_ANSWER);
    assert_int_equal(made.verdict.flaw, CT_FLAW_EARLY);
    assert_int_equal(made.verdict.rank, 3);
    assert_int_equal(made.verdict.peer, 0);

    /* nobody was told anything */
    begin(CT_COLLECTIVE_BARRIER, 3, 0);
    assert_int_equal(verify(), CT_E_ANSWER);
    assert_int_equal(made.verdict.flaw, CT_FLAW_EARLY);
}

static void test_windows(void **state)
{
    (void)state;
    for (unsigned window = 0; window <= 3; window++) {
        begin(CT_COLLECTIVE_ALLREDUCE, 2, 4);
        for (int rank = 0; rank < 2; rank++) {
            ct_window(PLAN(rank), window);
            ct_receive(PLAN(rank), !rank, CT_BUFFER_RECV, 0, 4);
            ct_send(PLAN(rank), !rank, CT_BUFFER_SEND, 0, 4);
            ct_round_end(PLAN(rank));
            ct_reduce(PLAN(rank), CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 0, 4);
        }
        if (window == 1)
            expect_flaw(CT_FLAW_DEADLOCK, 0, 0, 0);
        else
            expect_proven();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right_ones_pass), cmocka_unit_test(test_deadlock),
        cmocka_unit_test(test_unmatched),       cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_early_leave),     cmocka_unit_test(test_windows),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
