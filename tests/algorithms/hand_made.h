/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_HAND_MADE_H
#define CT_TESTS_HAND_MADE_H

#include "algorithms/prover.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Plans written by hand, to be proven or refused. */

enum { RANKS_MAX = 8 };

struct hand_made {
    struct ct_plan plans[RANKS_MAX];
    struct ct_share shares[RANKS_MAX];
    struct ct_task_memory memory;
    struct ct_task task;
    struct ct_prover *prover;
    struct ct_error error;
    struct ct_proof proof;
};

static inline void hand_made_new(struct hand_made *made)
{
    memset(made, 0, sizeof *made);
    made->prover = ct_prover_new();
    assert_non_null(made->prover);
}

static inline void hand_made_free(struct hand_made *made)
{
    for (int i = 0; i < RANKS_MAX; i++)
        ct_plan_free(&made->plans[i]);
    ct_task_memory_free(&made->memory);
    ct_prover_free(made->prover);
}

/* Empty plans for a call of one of the known collectives. */
static inline void begin(struct hand_made *made, enum ct_collective collective, int size, size_t count)
{
    const struct ct_call call = {.size = size, .count = count, .unit_bytes = 1, .commutative = true};
    assert_int_equal(ct_task_make(collective, &call, &made->memory, &made->task), CT_OK);
    memcpy(made->shares, made->task.shares, (size_t)size * sizeof *made->shares);
    made->task.shares = made->shares;
    for (int i = 0; i < size; i++)
        ct_plan_reset(&made->plans[i]);
}

/* Of plans that are finished, or broken behind that. */
static inline int prove_as_is(struct hand_made *made)
{
    memset(&made->error, 0, sizeof made->error);
    return ct_prove_plans(made->prover, &made->task, made->plans, &made->error, &made->proof);
}

static inline int prove(struct hand_made *made)
{
    for (int i = 0; i < made->task.size; i++)
        ct_plan_finish(&made->plans[i]);
    return prove_as_is(made);
}

static inline void expect_proven(struct hand_made *made)
{
    int status = prove(made);
    assert_string_equal(made->error.text, "");
    assert_int_equal(status, CT_OK);
    assert_int_equal(made->proof.flaw, CT_FLAW_NONE);
}

/* The flaw, where it is, and that the line names all of it. */
static inline void expect_flaw(struct hand_made *made, enum ct_flaw flaw, int rank, size_t round, size_t step)
{
    int status = prove(made);
    assert_string_equal(ct_flaw_names[made->proof.flaw], ct_flaw_names[flaw]);
    assert_int_equal(status, CT_E_ANSWER);
    assert_int_equal(made->proof.rank, rank);
    assert_int_equal(made->proof.round, round);
    assert_int_equal(made->proof.step, step);
    char where[80];
    snprintf(where, sizeof where, "%s: rank %d, round %zu, step %zu (", ct_flaw_names[flaw], rank, round,
             step);
    assert_int_equal(strncmp(made->error.text, where, strlen(where)), 0);
    assert_null(strchr(made->error.text, '\n'));
}

static inline struct ct_slice slice(unsigned buffer, size_t offset, size_t n)
{
    return (struct ct_slice){.buffer = buffer, .offset = offset, .n = n};
}

#endif
