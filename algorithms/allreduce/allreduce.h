/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_ALLREDUCE_ALLREDUCE_H
#define CT_ALGORITHMS_ALLREDUCE_ALLREDUCE_H

#include "algorithms/algorithm.h"

/* Algorithms that others are a special case of. */

/* allreduce/recursive_multiplying: ranks form groups of `radix` (>= 2), then groups of groups, and so on; the
 * last step takes what is left of the size. In each step a rank swaps what it has combined with the ranks at
 * its place in the other groups. Where such steps do not cover the size, the first ranks form pairs: the even
 * one sends its data to the odd one and gets the result. Ranks combined together are always neighbours, which
 * keeps the order of ranks. */
void ct_allreduce_recursive(struct ct_plan *plan, const struct ct_call *call, int radix);

/* allreduce/ring_segmented, in segments of at most `segment_bytes`; 0 does not cut. */
void ct_allreduce_ring_blocks(struct ct_plan *plan, const struct ct_call *call, size_t segment_bytes);

#endif
