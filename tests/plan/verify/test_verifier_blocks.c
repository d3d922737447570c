/* SPDX-License-Identifier: BSD-3-Clause */
/* What plans must carry beyond the registered algorithms: blocks of unequal length, tokens as green lights,
 * steps waited for at the end of the plan, sliding windows. */
#include "hand_made.h"

enum { RANKS = 5 };

static const size_t lengths[RANKS] = {3, 0, 5, 1, 4}, begins[RANKS + 1] = {0, 3, 3, 8, 9, 13};

static struct ct_piece own[RANKS], gathered[RANKS][RANKS];

/* Rank r has lengths[r] units; rank 0 or everyone gathers all of them, block by block. */
static void begin_gather(bool everyone)
{
    made.task = (struct ct_task){.size = RANKS, .shares = made.shares};
    size_t total = 0;
    for (int i = 0; i < RANKS; i++)
        total += lengths[i];
    for (int rank = 0; rank < RANKS; rank++) {
        bool gets = everyone || rank == 0;
        own[rank] = (struct ct_piece){.n = lengths[rank]};
        size_t offset = 0;
        for (int other = 0; other < RANKS; other++) {
            gathered[rank][other] = (struct ct_piece){.offset = offset, .n = lengths[other], .origin = other};
            offset += lengths[other];
        }
        made.shares[rank] = (struct ct_share){.input_buffer = CT_BUFFER_SEND,
                                              .inputs = &own[rank],
                                              .input_count = 1,
                                              .results = gathered[rank],
                                              .result_count = gets ? RANKS : 0};
        made.shares[rank].buffers[CT_BUFFER_SEND].length = lengths[rank];
        if (gets) {
            made.shares[rank].buffers[CT_BUFFER_RECV].length = total;
            made.shares[rank].buffers[CT_BUFFER_RECV].blocks = begins;
            made.shares[rank].buffers[CT_BUFFER_RECV].block_count = RANKS;
        }
        ct_plan_reset(PLAN(rank));
    }
}

static struct ct_slice block_of(int block)
{
    return (struct ct_slice){.buffer = CT_BUFFER_RECV, .block = (size_t)block, .n = lengths[block]};
}

static void copy_own(int rank)
{
    ct_copy_slice(PLAN(rank), block_of(rank),
                  (struct ct_slice){.buffer = CT_BUFFER_SEND, .block = (size_t)rank, .n = lengths[rank]});
}

/* allgatherv: blocks go around a ring. */
static void ring(void)
{
    begin_gather(true);
    for (int rank = 0; rank < RANKS; rank++) {
        copy_own(rank);
        ct_round_end(PLAN(rank));
        for (int k = 0; k < RANKS - 1; k++) {
            int going = (rank + RANKS - k) % RANKS, coming = (going + RANKS - 1) % RANKS;
            ct_post(PLAN(rank), CT_STEP_RECEIVE, (rank + RANKS - 1) % RANKS, block_of(coming),
                    CT_DEFERRAL_IN_ROUND);
            ct_post(PLAN(rank), CT_STEP_SEND, (rank + 1) % RANKS, block_of(going), CT_DEFERRAL_IN_ROUND);
            ct_round_end(PLAN(rank));
        }
    }
}

static void test_allgatherv(void **state)
{
    (void)state;
    ring();
    expect_proven();
    assert_int_equal(made.verdict.messages, (RANKS - 1) * (RANKS - 1)); /* the empty block is not sent */
    assert_int_equal(made.verdict.units, 13 * (RANKS - 1));

    /* a slice may not reach into the next block */
    ring();
    ct_plan_finish(PLAN(0));
    for (size_t i = 0; i < PLAN(0)->step_count; i++) {
        if (PLAN(0)->steps[i].kind != CT_STEP_SEND)
            continue;
        PLAN(0)->steps[i].offset = 1;
        break;
    }
    expect_flaw(CT_FLAW_BOUNDS, 0, 1, 1);
    /* nor name a block that is not there */
    PLAN(0)->steps[2].offset = 0;
    PLAN(0)->steps[2].block = RANKS;
    expect_flaw(CT_FLAW_BOUNDS, 0, 1, 1);
    /* own data in a block where it does not belong */
    ring();
    ct_plan_reset(PLAN(1));
    ct_copy_slice(PLAN(1), (struct ct_slice){.buffer = CT_BUFFER_RECV, .block = 3},
                  (struct ct_slice){.buffer = CT_BUFFER_SEND, .block = 3, .n = 1});
    expect_flaw(CT_FLAW_BOUNDS, 1, 0, 0); /* its SEND is empty */
}

/* Gather with synchronisation: the root lets one rank after the other go, receives its first half, and waits
 * for the second halves only at the end. */
static void gather_with_synchronisation(void)
{
    begin_gather(false);
    copy_own(0);
    ct_round_end(PLAN(0));
    for (int peer = 1; peer < RANKS; peer++) {
        struct ct_slice first = block_of(peer), second = first;
        first.n = (lengths[peer] + 1) / 2;
        second.offset = first.n;
        second.n = lengths[peer] - first.n;
        ct_post(PLAN(0), CT_STEP_RECEIVE, peer, first, CT_DEFERRAL_IN_ROUND);
        ct_send_token(PLAN(0), peer);
        ct_post(PLAN(0), CT_STEP_RECEIVE, peer, second, CT_DEFERRAL_AT_END);
        ct_round_end(PLAN(0));

        ct_receive_token(PLAN(peer), 0);
        ct_round_end(PLAN(peer));
        ct_send(PLAN(peer), 0, CT_BUFFER_SEND, 0, first.n);
        ct_round_end(PLAN(peer));
        ct_send(PLAN(peer), 0, CT_BUFFER_SEND, first.n, second.n);
    }
}

static void test_gather_with_synchronisation(void **state)
{
    (void)state;
    gather_with_synchronisation();
    expect_proven();

    /* the halves' order is part of the plan */
    gather_with_synchronisation();
    ct_plan_reset(PLAN(2));
    ct_receive_token(PLAN(2), 0);
    ct_round_end(PLAN(2));
    ct_send(PLAN(2), 0, CT_BUFFER_SEND, 3, 2);
    ct_send(PLAN(2), 0, CT_BUFFER_SEND, 0, 3);
    assert_int_equal(verify(), CT_E_ANSWER);
    assert_int_equal(made.verdict.flaw, CT_FLAW_LENGTH);
    assert_int_equal(made.verdict.peer, 2);

    /* a rank that does not wait for its green light leaves the token lying about */
    gather_with_synchronisation();
    ct_plan_reset(PLAN(3));
    ct_send(PLAN(3), 0, CT_BUFFER_SEND, 0, 1);
    expect_flaw(CT_FLAW_UNMATCHED, 0, 3, 1);

    /* what is in flight to the end may not be used before */
    gather_with_synchronisation();
    unsigned work = ct_temporary(PLAN(0), 5);
    ct_copy_slice(PLAN(0), (struct ct_slice){.buffer = work, .block = 2}, block_of(2));
    expect_flaw(CT_FLAW_CONFLICT, 0, 5, 0);
    assert_non_null(strstr(made.error.text, "round 2, step 2"));
}

/* alltoallv with at most `window` outstanding; rank i has lengths[j] units for rank j, wherever i is. */
static void exchange(unsigned window)
{
    static struct ct_piece received[RANKS][RANKS];
    static size_t coming[RANKS][RANKS + 1];
    made.task = (struct ct_task){.size = RANKS, .shares = made.shares};
    for (int rank = 0; rank < RANKS; rank++) {
        size_t offset = 0;
        for (int i = 0; i < rank; i++)
            offset += lengths[i];
        size_t n = lengths[rank];
        own[rank] = (struct ct_piece){.n = 13};
        for (int other = 0; other < RANKS; other++) {
            coming[rank][other + 1] = ((size_t)other + 1) * n;
            received[rank][other] =
                (struct ct_piece){.offset = (size_t)other * n, .n = n, .origin = other, .unit = offset};
        }
        made.shares[rank] =
            (struct ct_share){.buffers = {{13, begins, RANKS}, {RANKS * n, coming[rank], RANKS}},
                              .input_buffer = CT_BUFFER_SEND,
                              .inputs = &own[rank],
                              .input_count = 1,
                              .results = received[rank],
                              .result_count = RANKS};
        ct_plan_reset(PLAN(rank));
        ct_window(PLAN(rank), window);
        for (int k = 1; k < RANKS; k++) {
            int from = (rank + RANKS - k) % RANKS, to = (rank + k) % RANKS;
            ct_post(PLAN(rank), CT_STEP_RECEIVE, from,
                    (struct ct_slice){.buffer = CT_BUFFER_RECV, .block = (size_t)from, .n = n},
                    CT_DEFERRAL_IN_ROUND);
            ct_post(PLAN(rank), CT_STEP_SEND, to,
                    (struct ct_slice){.buffer = CT_BUFFER_SEND, .block = (size_t)to, .n = lengths[to]},
                    CT_DEFERRAL_IN_ROUND);
        }
        if (n > 0) {
            /* a copy between blocks of two numbers goes through a temporary buffer, one of the same does not
             */
            ct_copy_slice(PLAN(rank), (struct ct_slice){.buffer = CT_BUFFER_RECV, .block = (size_t)rank},
                          (struct ct_slice){.buffer = CT_BUFFER_SEND, .block = (size_t)rank, .n = n});
        }
    }
}

static void test_alltoallv_windows(void **state)
{
    (void)state;
    /* rank 1 receives nothing and so begins by sending: here even a window of 1 gets through */
    for (unsigned window = 0; window <= 9; window++) {
        exchange(window);
        expect_proven();
        assert_int_equal(made.verdict.messages, 4 * 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allgatherv),
        cmocka_unit_test(test_gather_with_synchronisation),
        cmocka_unit_test(test_alltoallv_windows),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
