/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_HAND_MADE_H
#define CT_TESTS_HAND_MADE_H

#include "plan/verify/verifier.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Plans written by hand, to be verified or refused: one task at a time. */

enum { RANKS_MAX = 8 };

struct hand_made {
    struct ct_plan plans[RANKS_MAX];
    struct ct_share shares[RANKS_MAX];
    struct ct_task_memory memory;
    struct ct_task task;
    struct ct_verifier *verifier;
    struct ct_error error;
    struct ct_verdict verdict;
};

extern struct hand_made made;

#define PLAN(rank) (&made.plans[rank])

/* Of the group of tests. */
int set_up(void **state);
int tear_down(void **state);

/* Empty plans for a call of one of the known collectives. */
void begin(enum ct_collective collective, int size, size_t count);

/* A bcast 0 -> 1 -> ... -> size - 1, the whole at once. */
void begin_chain(int size, size_t count);

int verify(void);
/* Of plans that are finished, or broken behind that. */
int verify_as_is(void);

void expect_proven(void);
/* The flaw, where it is, and that the line names all of it. */
void expect_flaw(enum ct_flaw flaw, int rank, size_t round, size_t step);

static inline struct ct_slice slice(unsigned buffer, size_t offset, size_t n)
{
    return (struct ct_slice){.buffer = buffer, .offset = offset, .n = n};
}

#endif
