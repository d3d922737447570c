/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BENCHMARK_PAIRED_SAMPLES_H
#define CT_MEASURE_BENCHMARK_PAIRED_SAMPLES_H

#include "base/text.h"
#include "library/mpi/backend_mpi.h"
#include "measure/validation_side.h"

/* The timed calls of a point that is validated: blocks of pairs, a tuned and a native call each. The
 * speed-ups of the blocks give the confidence interval. Nothing varies in the simulator. */

enum { CT_PAIRS_MOST = 10, CT_BLOCKS_MOST = CT_SIMULATED ? 1 : 50 };

/* Seconds of calls, by call. */
enum ct_paired {
    CT_PAIRED_SECONDS,    /* what the speed-up compares: of the slowest rank, or what the call adds to the
                             computation */
    CT_PAIRED_COMPLETION, /* of calls that are not blocking: with the computation; */
    CT_PAIRED_IN_MPI,
    CT_PAIRED_ALONE, /* of the call without computation before it */
    CT_PAIRED_KINDS
};

struct ct_paired_block {
    double seconds[CT_VALIDATION_SIDES][CT_PAIRED_KINDS][CT_PAIRS_MOST];
    double elapsed;
    size_t late; /* calls that a rank came too late to */
};

/* Samples of both sides and the blocks' speed-ups. */
struct ct_paired_samples {
    double seconds[CT_VALIDATION_SIDES][CT_PAIRED_KINDS][CT_PAIRS_MOST * CT_BLOCKS_MOST];
    double speed_ups[CT_BLOCKS_MOST];
    size_t pairs;
    size_t blocks;
};

/* Adds a block of so many pairs, whose times it sorts. */
void ct_paired_samples_add(struct ct_paired_samples *samples, struct ct_paired_block *block, size_t pairs);

/* Appends " TUNED NATIVE LOW HIGH": the medians, and the 95 % confidence interval of the speed-up, of fewer
 * than six blocks its range. Sorts the samples. */
void ct_paired_samples_report(struct ct_paired_samples *samples, struct ct_text *text);

/* Appends " COMPUTATION" and " COMPLETION IN_MPI HIDDEN" of both sides, of calls that are not blocking. */
void ct_paired_samples_report_overlap(struct ct_paired_samples *samples, double computation,
                                      struct ct_text *text);

#endif
