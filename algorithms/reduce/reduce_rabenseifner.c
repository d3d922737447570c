/* SPDX-License-Identifier: BSD-3-Clause */
/* Recursive halving, after which each rank has a part of the result, then a binomial gather of the parts to
 * the root. Nearest ranks meet first, which keeps the order of ranks. Where P is not a power of two, the
 * first ranks form pairs and the odd one of a pair sends its data to the even one: a step and m (beta +
 * gamma) more. A root that is such an odd one takes the place of rank 0 in the gather.
 * Memory: 3 / 4 m, at the root m / 4, in place m / 2; m / 4 more where the operation does not commute; twice
 * all that where ranks form pairs. */
#include "algorithms/descriptor.h"
#include "algorithms/reduce/reduce_collect.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_halving_group group = ct_halving_group_of(call->rank, call->size);
    const struct ct_parts parts = ct_parts_dealt(call->count, group.size);
    struct ct_halving_sum sum = ct_halving_sum_of(call, &parts, group.size, call->rank == call->root);
    bool is_member = ct_halving_fold(plan, call, &group, &sum);
    if (is_member) {
        ct_halving_halve(plan, &group, CT_HALVING_NEAR_FIRST, &sum);
        ct_halving_settle(plan, &sum);
    }
    ct_reduce_collect(plan, call, &group, is_member, &sum);
}

const struct ct_descriptor ct_reduce_rabenseifner = {
    .text = "recursive halving to parts of the result, then a binomial gather to the root",
    .source = "Rabenseifner 2004; Thakur, Rabenseifner, Gropp 2005",
    .cost = "2 log2 P alpha + 2 (P - 1) / P m beta + (P - 1) / P m gamma",
    .build = build,
};
