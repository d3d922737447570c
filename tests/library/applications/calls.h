/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_CHECK_CALLS_H
#define CT_TESTS_CHECK_CALLS_H

#include "library/execute/operands.h"
#include "plan/collective.h"

#include <stdbool.h>
#include <stddef.h>

/* The parts of an application that calls every blocking collective, as MPI has them. It is not made for any
 * tuned library, and can tell whether one is there. */

struct calls {
    size_t made[CT_COLLECTIVES]; /* calls that MPI allows */
    size_t wrong;                /* what went wrong on this rank; told as it happens */
    bool all_tuned;              /* make calls that the MPI library itself gets wrong, too */
};

/* Calls the MPI function of a collective. */
int calls_call(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm);

/* Counts and tells a flaw. */
void calls_wrong(struct calls *calls, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* So many random calls of each collective, with results checked, among other messages. */
void calls_right(struct calls *calls, MPI_Comm comm, const char *name, int trials);

/* The same between two halves of MPI_COMM_WORLD, of some of the collectives. */
void calls_between(struct calls *calls);

/* Calls on MPI_COMM_WORLD that only large-count forms can make, where the MPI has them, and both forms in
 * turn.
 */
void calls_large(struct calls *calls);

/* Does the tuned library, where one is there, count the calls that were made, each once? Rank 0 prints what
 * it counts, of all ranks together: "used METHOD CALLS MESSAGES". Collective over MPI_COMM_WORLD. */
void calls_counted(struct calls *calls);

#endif
