/* SPDX-License-Identifier: BSD-3-Clause */
/* The verifier must be able to fail: plans whose steps are in each other's way, or are no steps at all. */
#include "hand_made.h"

static void test_conflicts(void **state)
{
    (void)state;
    /* two receives into one place */
    begin(CT_COLLECTIVE_BCAST, 2, 4);
    for (int i = 0; i < 2; i++) {
        ct_send(PLAN(0), 1, CT_BUFFER_RECV, 0, 4);
        ct_receive(PLAN(1), 0, CT_BUFFER_RECV, 0, 4);
    }
    expect_flaw(CT_FLAW_CONFLICT, 1, 0, 1);
    assert_non_null(strstr(made.error.text, "round 0, step 0"));

    /* local work on what is coming in */
    begin(CT_COLLECTIVE_REDUCE, 2, 4);
    ct_send(PLAN(1), 0, CT_BUFFER_SEND, 0, 4);
    ct_receive(PLAN(0), 1, CT_BUFFER_RECV, 0, 4);
    ct_reduce(PLAN(0), CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 0, 4);
    expect_flaw(CT_FLAW_CONFLICT, 0, 0, 1);

    /* and on what goes out, also with the step listed before */
    begin(CT_COLLECTIVE_ALLREDUCE, 2, 4);
    for (int rank = 0; rank < 2; rank++) {
        unsigned work = ct_temporary(PLAN(rank), 4);
        ct_copy(PLAN(rank), CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 0, 4);
        ct_round_end(PLAN(rank));
        ct_copy(PLAN(rank), CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 0, 4);
        ct_send(PLAN(rank), !rank, CT_BUFFER_RECV, 0, 4);
        ct_receive(PLAN(rank), !rank, work, 0, 4);
        ct_round_end(PLAN(rank));
        ct_reduce(PLAN(rank), CT_BUFFER_RECV, 0, work, 0, 4);
    }
    expect_flaw(CT_FLAW_CONFLICT, 0, 1, 0);

    /* a source that overlaps its destination */
    begin(CT_COLLECTIVE_ALLREDUCE, 1, 4);
    unsigned work = ct_temporary(PLAN(0), 8);
    ct_copy(PLAN(0), work, 0, CT_BUFFER_SEND, 0, 4);
    ct_copy(PLAN(0), work, 2, work, 0, 4);
    expect_flaw(CT_FLAW_CONFLICT, 0, 0, 1);
}

/* The receive is deferred by a round; rank 1 touches its buffer `late` or in time. */
static void defer(bool waits, bool late)
{
    begin(CT_COLLECTIVE_REDUCE, 2, 4);
    ct_send(PLAN(1), 0, CT_BUFFER_SEND, 0, 4);
    unsigned slot = ct_post(PLAN(0), CT_STEP_RECEIVE, 1, slice(CT_BUFFER_RECV, 0, 4), CT_DEFERRAL_LATER);
    ct_round_end(PLAN(0));
    if (late)
        ct_reduce(PLAN(0), CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 0, 4);
    ct_round_end(PLAN(0));
    if (waits)
        ct_wait(PLAN(0), slot);
    if (!late)
        ct_reduce(PLAN(0), CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 0, 4);
}

static void test_deferred(void **state)
{
    (void)state;
    defer(true, false);
    expect_proven();
    defer(true, true);
    expect_flaw(CT_FLAW_CONFLICT, 0, 1, 0);
    assert_non_null(strstr(made.error.text, "round 0, step 0"));
    defer(false, false);
    expect_flaw(CT_FLAW_CONFLICT, 0, 1, 0);
}

static void test_slots(void **state)
{
    (void)state;
    /* waited for twice */
    defer(true, false);
    ct_wait(PLAN(0), 1);
    expect_flaw(CT_FLAW_SLOT, 0, 1, 2);
    defer(true, false);
    ct_round_end(PLAN(0));
    ct_wait(PLAN(0), 1);
    expect_flaw(CT_FLAW_SLOT, 0, 2, 0);
    /* never waited for */
    begin_chain(2, 4);
    ct_plan_reset(PLAN(1));
    ct_post(PLAN(1), CT_STEP_RECEIVE, 0, slice(CT_BUFFER_RECV, 0, 4), CT_DEFERRAL_LATER);
    expect_flaw(CT_FLAW_SLOT, 1, 0, 0);
    /* unknown, zero, or not a slot at all */
    const unsigned wrong[] = {7, CT_ROUND_END, CT_PLAN_END};
    for (int i = 0; i < 3; i++) {
        defer(true, false);
        ct_plan_finish(PLAN(0));
        PLAN(0)->steps[1].until = wrong[i] & CT_PLAN_END;
        expect_flaw(CT_FLAW_SLOT, 0, 1, 0);
    }
    /* taken while it is held */
    begin(CT_COLLECTIVE_BCAST, 2, 4);
    ct_send(PLAN(0), 1, CT_BUFFER_RECV, 0, 2);
    ct_send(PLAN(0), 1, CT_BUFFER_RECV, 2, 2);
    unsigned slot = ct_post(PLAN(1), CT_STEP_RECEIVE, 0, slice(CT_BUFFER_RECV, 0, 2), CT_DEFERRAL_LATER);
    ct_post(PLAN(1), CT_STEP_RECEIVE, 0, slice(CT_BUFFER_RECV, 2, 2), CT_DEFERRAL_LATER);
    PLAN(1)->steps[1].until = slot & CT_PLAN_END;
    ct_round_end(PLAN(1));
    ct_wait(PLAN(1), slot);
    expect_flaw(CT_FLAW_SLOT, 1, 0, 1);
}

static void test_malformed(void **state)
{
    (void)state;
    begin_chain(2, 4);
    PLAN(0)->steps[0].peer = 2;
    expect_flaw(CT_FLAW_PEER, 0, 0, 0);
    PLAN(0)->steps[0].peer = -1;
    expect_flaw(CT_FLAW_PEER, 0, 0, 0);
    PLAN(0)->steps[0].peer = 0;
    expect_flaw(CT_FLAW_PEER, 0, 0, 0);
    PLAN(0)->steps[0].peer = 1;
    PLAN(0)->steps[0].offset = 1;
    expect_flaw(CT_FLAW_BOUNDS, 0, 0, 0);
    PLAN(0)->steps[0].offset = SIZE_MAX;
    expect_flaw(CT_FLAW_BOUNDS, 0, 0, 0);
    PLAN(0)->steps[0].offset = 0;
    PLAN(0)->steps[0].buffer = CT_BUFFER_TEMPORARY;
    expect_flaw(CT_FLAW_BOUNDS, 0, 0, 0);
    PLAN(0)->steps[0].buffer = CT_BUFFER_RECV;
    expect_proven();
    PLAN(0)->steps[0].kind = 9;
    expect_flaw(CT_FLAW_STEP, 0, 0, 0);
    PLAN(0)->steps[0].kind = CT_STEP_REDUCE;
    expect_flaw(CT_FLAW_STEP, 0, 0, 0);
    PLAN(0)->steps[0].kind = CT_STEP_COPY;
    PLAN(0)->steps[0].n = 0;
    expect_flaw(CT_FLAW_STEP, 0, 0, 0);

    /* rounds that do not fit the steps */
    begin_chain(3, 4);
    ct_plan_finish(PLAN(1));
    PLAN(1)->rounds[1].end = 1;
    assert_int_equal(verify_as_is(), CT_E_ANSWER);
    assert_int_equal(made.verdict.flaw, CT_FLAW_PLAN);
    PLAN(1)->rounds[1].end = 2;
    PLAN(1)->rounds[0].end = 3;
    assert_int_equal(verify_as_is(), CT_E_ANSWER);
    assert_int_equal(made.verdict.flaw, CT_FLAW_PLAN);
    PLAN(1)->rounds[0].end = 1;
    PLAN(1)->status = CT_E_LIMIT;
    assert_int_equal(verify_as_is(), CT_E_ANSWER);
    assert_int_equal(made.verdict.flaw, CT_FLAW_PLAN);
}

/* Rank 0's plan, whose only message is a receive that reduces; rank 1's sends it. */
static struct ct_step *begin_fused(enum ct_step_kind kind)
{
    begin(CT_COLLECTIVE_REDUCE, 2, 4);
    ct_send(PLAN(1), 0, CT_BUFFER_SEND, 0, 4);
    if (kind == CT_STEP_RECEIVE_LOWER) {
        ct_copy(PLAN(0), CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 0, 4);
        ct_round_end(PLAN(0));
    }
    ct_receive(PLAN(0), 1, CT_BUFFER_RECV, 0, 4);
    struct ct_step *step = &PLAN(0)->steps[PLAN(0)->step_count - 1];
    step->kind = kind & 15;
    if (kind == CT_STEP_RECEIVE_UPPER)
        step->other = CT_BUFFER_SEND;
    return step;
}

static void test_fused(void **state)
{
    (void)state;
    begin_fused(CT_STEP_RECEIVE_LOWER);
    expect_proven();
    begin_fused(CT_STEP_RECEIVE_UPPER);
    expect_proven();

    /* in the wrong order */
    begin_fused(CT_STEP_RECEIVE_LOWER);
    made.task.commutative = false;
    expect_flaw(CT_FLAW_ORDER, 0, 1, 0);
    begin_fused(CT_STEP_RECEIVE_UPPER);
    made.task.commutative = false;
    expect_proven();

    /* the operand is not there, or not all of it is */
    begin_fused(CT_STEP_RECEIVE_UPPER)->kind = CT_STEP_RECEIVE_LOWER;
    expect_flaw(CT_FLAW_UNDEFINED, 0, 0, 0);
    begin_fused(CT_STEP_RECEIVE_UPPER)->other = CT_BUFFER_RECV;
    expect_flaw(CT_FLAW_CONFLICT, 0, 0, 0);
    begin_fused(CT_STEP_RECEIVE_UPPER)->other_offset = 1;
    expect_flaw(CT_FLAW_BOUNDS, 0, 0, 0);
    begin_fused(CT_STEP_RECEIVE_LOWER)->n = 0;
    expect_flaw(CT_FLAW_STEP, 0, 1, 0);

    /* while it arrives, the destination is read, or the operand written */
    begin_fused(CT_STEP_RECEIVE_LOWER);
    unsigned work = ct_temporary(PLAN(0), 8);
    ct_copy(PLAN(0), work, 0, CT_BUFFER_RECV, 0, 4);
    expect_flaw(CT_FLAW_CONFLICT, 0, 1, 1);
    begin(CT_COLLECTIVE_REDUCE, 2, 4);
    ct_send(PLAN(1), 0, CT_BUFFER_SEND, 0, 4);
    work = ct_temporary(PLAN(0), 4);
    ct_copy(PLAN(0), work, 0, CT_BUFFER_SEND, 0, 4);
    ct_round_end(PLAN(0));
    ct_receive(PLAN(0), 1, CT_BUFFER_RECV, 0, 4);
    PLAN(0)->steps[1].kind = CT_STEP_RECEIVE_UPPER;
    PLAN(0)->steps[1].other = work & (CT_BUFFERS_MAX - 1);
    expect_proven();
    PLAN(0)->round_count--;
    PLAN(0)->round_begin = PLAN(0)->rounds[0].end;
    ct_copy(PLAN(0), work, 0, CT_BUFFER_SEND, 0, 4);
    expect_flaw(CT_FLAW_CONFLICT, 0, 1, 1);

    /* where nothing is reduced */
    begin_chain(2, 4);
    PLAN(1)->steps[0].kind = CT_STEP_RECEIVE_LOWER;
    expect_flaw(CT_FLAW_STEP, 1, 0, 0);
}

/* Sends that share a copy read one slice. */
static void test_shared(void **state)
{
    (void)state;
    for (int way = 0; way < 3; way++) {
        begin(CT_COLLECTIVE_BCAST, 3, 4);
        for (int peer = 1; peer < 3; peer++) {
            ct_send(PLAN(0), peer, CT_BUFFER_RECV, 0, 3);
            ct_send(PLAN(0), peer, CT_BUFFER_RECV, 3, 1);
            ct_receive(PLAN(peer), 0, CT_BUFFER_RECV, 0, 3);
            ct_receive(PLAN(peer), 0, CT_BUFFER_RECV, 3, 1);
        }
        PLAN(0)->steps[0].other = PLAN(0)->steps[2].other = 1;
        if (way == 0)
            expect_proven();
        PLAN(0)->steps[1].other = way == 1 ? 1 : 2;
        PLAN(0)->steps[3].other = 2;
        if (way == 1)
            expect_flaw(CT_FLAW_STEP, 0, 0, 0);
        else if (way == 2)
            expect_proven();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conflicts), cmocka_unit_test(test_deferred), cmocka_unit_test(test_slots),
        cmocka_unit_test(test_malformed), cmocka_unit_test(test_fused),    cmocka_unit_test(test_shared),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
