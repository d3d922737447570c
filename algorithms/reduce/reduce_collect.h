/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_REDUCE_REDUCE_COLLECT_H
#define CT_ALGORITHMS_REDUCE_REDUCE_COLLECT_H

#include "algorithms/reduce_scatter/reduce_scatter_halving.h"

/* The end of a reduce by halving near first: the pieces that the group's members hold are gathered at the
 * root, up a binomial tree whose edges are the ways that halves went. A root that is no member stands in for
 * the first one, who gives it what it has. `group` is that of the pieces on all ranks; `is_member` says
 * whether this rank is in it. */
void ct_reduce_collect(struct ct_plan *plan, const struct ct_call *call,
                       const struct ct_reduce_scatter_group *group, bool is_member,
                       struct ct_reduce_scatter_sum *sum);

#endif
