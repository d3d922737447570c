/* SPDX-License-Identifier: BSD-3-Clause */
/* Recursive halving, after which each rank has a part of the result, then recursive doubling back along the
 * same way, after which each has all of it. Nearest ranks meet first, which keeps the order of ranks. Where P
 * is not a power of two, the first ranks form pairs: the odd one of a pair sends its data to the even one
 * before and gets the result afterwards: two steps and m (2 beta + gamma) more.
 * Memory: m / 4, in place m / 2; m / 4 more where the operation does not commute; twice all that where ranks
 * form pairs. */
#include "algorithms/descriptor.h"
#include "algorithms/reduce_scatter/reduce_scatter_halving.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_halving_group group = ct_halving_group_of(call->rank, call->size);
    const struct ct_parts parts = ct_parts_dealt(call->count, group.size);
    struct ct_halving_sum sum = ct_halving_sum_of(call, &parts, group.size, true);
    if (!ct_halving_fold(plan, call, &group, &sum)) {
        ct_receive(plan, call->rank - 1, CT_BUFFER_RECV, 0, call->count);
        return;
    }
    ct_halving_halve(plan, &group, CT_HALVING_NEAR_FIRST, &sum);
    ct_halving_settle(plan, &sum);
    ct_halving_double(plan, &group, &sum);
    if (group.rank < group.pairs)
        ct_send(plan, call->rank + 1, CT_BUFFER_RECV, 0, call->count);
}

const struct ct_descriptor ct_allreduce_rabenseifner = {
    .text = "recursive halving to parts of the result, then recursive doubling to all of it",
    .source = "Rabenseifner 2004; Thakur, Rabenseifner, Gropp 2005",
    .cost = "2 log2 P alpha + 2 (P - 1) / P m beta + (P - 1) / P m gamma",
    .build = build,
};
