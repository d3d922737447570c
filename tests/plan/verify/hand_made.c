/* SPDX-License-Identifier: BSD-3-Clause */
#include "hand_made.h"
#include "plan/verify/verifier_task_make.h"

struct hand_made made;

int set_up(void **state)
{
    (void)state;
    made.verifier = ct_verifier_new();
    return made.verifier ? 0 : -1;
}

int tear_down(void **state)
{
    (void)state;
    for (int i = 0; i < RANKS_MAX; i++)
        ct_plan_free(PLAN(i));
    ct_task_memory_free(&made.memory);
    ct_verifier_free(made.verifier);
    return 0;
}

void begin(enum ct_collective collective, int size, size_t count)
{
    const struct ct_call call = {.size = size, .count = count, .unit_bytes = 1, .commutative = true};
    assert_int_equal(ct_task_make(collective, &call, &made.memory, &made.task), CT_OK);
    memcpy(made.shares, made.task.shares, (size_t)size * sizeof *made.shares);
    made.task.shares = made.shares;
    for (int i = 0; i < size; i++)
        ct_plan_reset(PLAN(i));
}

void begin_chain(int size, size_t count)
{
    begin(CT_COLLECTIVE_BCAST, size, count);
    for (int rank = 0; rank < size; rank++) {
        if (rank > 0)
            ct_receive(PLAN(rank), rank - 1, CT_BUFFER_RECV, 0, count);
        ct_round_end(PLAN(rank));
        if (rank + 1 < size)
            ct_send(PLAN(rank), rank + 1, CT_BUFFER_RECV, 0, count);
    }
}

int verify_as_is(void)
{
    memset(&made.error, 0, sizeof made.error);
    return ct_verify_plans(made.verifier, &made.task, made.plans, &made.error, &made.verdict);
}

int verify(void)
{
    for (int i = 0; i < made.task.size; i++)
        ct_plan_finish(PLAN(i));
    return verify_as_is();
}

void expect_proven(void)
{
    int status = verify();
    assert_string_equal(made.error.text, "");
    assert_int_equal(status, CT_OK);
    assert_int_equal(made.verdict.flaw, CT_FLAW_NONE);
}

void expect_flaw(enum ct_flaw flaw, int rank, size_t round, size_t step)
{
    int status = verify();
    assert_string_equal(ct_flaw_names[made.verdict.flaw], ct_flaw_names[flaw]);
    assert_int_equal(status, CT_E_ANSWER);
    assert_int_equal(made.verdict.rank, rank);
    assert_int_equal(made.verdict.round, round);
    assert_int_equal(made.verdict.step, step);
    char where[80];
    snprintf(where, sizeof where, "%s: rank %d, round %zu, step %zu (", ct_flaw_names[flaw], rank, round,
             step);
    assert_int_equal(strncmp(made.error.text, where, strlen(where)), 0);
    assert_null(strchr(made.error.text, '\n'));
}
