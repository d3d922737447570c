/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_PATTERN_SHARE_H
#define CT_PLAN_PATTERN_SHARE_H

#include "plan/call.h"
#include "plan/pattern_features.h"

/* How the features of a pattern are found: each rank knows its own share; sums and maxima over all ranks give
 * the features. In one process ct_pattern_features_of_all() takes them, over MPI
 * library/sparse/sparse_calls.h. */

/* Numbers are signed, since MPI_MAX of MPICH 4.0.2 compares unsigned ones as if they were. */
enum ct_pattern_sum { CT_PATTERN_EDGES, CT_PATTERN_EDGES_ON_NODE, CT_PATTERN_BYTES, CT_PATTERN_SUMS };
enum ct_pattern_maximum { CT_PATTERN_DEGREE, CT_PATTERN_VOLUME, CT_PATTERN_MAXIMA };

struct ct_pattern_share {
    int64_t sums[CT_PATTERN_SUMS];
    int64_t maxima[CT_PATTERN_MAXIMA];
};

/* What the rank of a call contributes. Its pattern has lengths, or one for all blocks. */
struct ct_pattern_share ct_pattern_share_of(enum ct_collective collective, const struct ct_call *call);

/* Adds a share to those of other ranks, which begin as all zeroes. */
void ct_pattern_share_add(struct ct_pattern_share *all, const struct ct_pattern_share *share);

/* The features, from the shares of all ranks. */
struct ct_pattern_features ct_pattern_features_of(const struct ct_pattern_share *all, int size);

/* The features of a call of all ranks, in one process. */
struct ct_pattern_features ct_pattern_features_of_all(enum ct_collective collective,
                                                      const struct ct_call *all);

#endif
