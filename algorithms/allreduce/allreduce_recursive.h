/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_ALLREDUCE_ALLREDUCE_RECURSIVE_H
#define CT_ALGORITHMS_ALLREDUCE_ALLREDUCE_RECURSIVE_H

#include "plan/call.h"

/* Ranks form groups of `radix` (>= 2), then groups of groups, and so on, the last step taking what is left of
 * the size. In each step a rank swaps what it has combined with those of its group that stand where it
 * stands. Sizes that no such steps reach fold: among the first ranks the even one of a pair hands its data to
 * the odd one and gets the result. Ranks combined together are always neighbours, so order holds. */
void ct_allreduce_recursive(struct ct_plan *plan, const struct ct_call *call, int radix);

#endif
