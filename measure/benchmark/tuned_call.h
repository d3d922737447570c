/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BENCHMARK_TUNED_CALL_H
#define CT_MEASURE_BENCHMARK_TUNED_CALL_H

#include "measure/benchmark/call_buffers.h"
#include "measure/benchmark/flight_call.h"
#include "measure/benchmark/sparse_call.h"
#include "measure/validation_side.h"

/* One call of a point that is validated, through the tuned library or natively (tuned_calls.c). */

struct ct_validation {
    struct ct_bench bench;
    const struct ct_bench_group *group;      /* of the current point */
    struct ct_bench_call dense;              /* calls of collectives without a pattern */
    struct ct_bench_sparse sparse;           /* those of the point, if it has one */
    struct ct_bench_call *call;              /* of the point, */
    struct ct_bench_call native;             /* the same while the point is timed, with memory of its own, */
    MPI_Comm comm;                           /* on this communicator, */
    struct ct_channel *channel;              /* whose channel describes them */
    struct ct_bench_computation computation; /* beside the calls of the point that are not blocking */
    int wrong;                               /* findings of this rank at the current point */
    bool *settled;                           /* by cell: this rank knows that no time is needed for it */
    size_t timed;                            /* points that were timed with this rank so far */
};

struct ct_validated_point {
    enum ct_collective collective;
    size_t id;
    size_t msg_bytes;
    char method[CT_METHOD_TEXT];
};

/* What is known of a call: on a rank, and then as agreed by the maxima over the ranks. */
enum ct_figure {
    CT_FIGURE_END,
    CT_FIGURE_MINUS_BEGIN,
    CT_FIGURE_LATE,
    CT_FIGURE_ADDED,
    CT_FIGURE_IN_MPI,
    CT_FIGURE_ALONE_END,
    CT_FIGURE_ALONE_MINUS_BEGIN,
    CT_FIGURES
};

/* A call that starts together on all ranks, as in a sweep, with `steps` of computation beside it where calls
 * are not blocking. */
void ct_validation_call(const struct ct_validation *validation, const struct ct_validated_point *point,
                        enum ct_validation_side side, size_t steps, double ret_figures[CT_FIGURES]);

/* The greatest of each number over the group's ranks, through our own plan. */
void ct_validation_agree(const struct ct_validation *validation, double *numbers, double *ret_most,
                         size_t count);

/* Reports `wrong ID`, or `same ID`. */
void ct_validation_report_word(const struct ct_validation *validation, const struct ct_validated_point *point,
                               const char *word);

#endif
