/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_REDUCE_REDUCE_COLLECT_H
#define CT_ALGORITHMS_REDUCE_REDUCE_COLLECT_H

#include "algorithms/reduce_scatter/reduce_scatter_halving.h"

/* The end of a reduce by halving near first: the pieces that the members hold are gathered at the root, up a
 * binomial tree along whose edges halves were swapped. A root that is not a member takes the place of the
 * first one, which sends it what it has. `is_member` says whether this rank is in the group. */
void ct_reduce_collect(struct ct_plan *plan, const struct ct_call *call, const struct ct_halving_group *group,
                       bool is_member, struct ct_halving_sum *sum);

#endif
