/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BENCHMARK_TURN_CALLS_H
#define CT_MEASURE_BENCHMARK_TURN_CALLS_H

#include "measure/benchmark/bench.h"

/* The calls of a turn (turns.c): first as this rank knows them, then as all ranks agree on them. */

struct ct_turn_call {
    size_t callee;     /* by the caller's numbers */
    double begin, end; /* here */
    bool warms;        /* it is no sample */
    bool late;         /* this rank came too late; then: a rank did */
    double in_mpi;     /* not blocking: seconds in MPI functions; then the most of all ranks */
    double added;      /* not blocking: seconds that it adds to the computation; then the most of all ranks */
    double seconds;    /* agreed: from the first begin to the last end */
};

struct ct_turn_calls {
    struct ct_turn_call *items;
    size_t count;
    double *mine, *agreed; /* what is agreed on */
};

/* Room for so many calls, and methods whose results may be wrong. */
void ct_turn_calls_make(struct ct_turn_calls *ret_calls, size_t calls, size_t methods);
void ct_turn_calls_free(struct ct_turn_calls *calls);

/* Agrees on all calls, and by method on whether a result is wrong: the maxima over the group's ranks, by our
 * own plan. `wrong` may be NULL. Returns the agreed seconds since `began`. */
double ct_turn_calls_agree(struct ct_turn_calls *calls, const struct ct_bench *bench,
                           const struct ct_bench_group *group, bool *wrong, size_t methods, double began);

#endif
