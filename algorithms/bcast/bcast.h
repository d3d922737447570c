/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_BCAST_BCAST_H
#define CT_ALGORITHMS_BCAST_BCAST_H

#include "algorithms/allgather/allgather_parts.h"
#include "algorithms/descriptor.h"

/* Shared by broadcasts. */

/* The generalized broadcast (Pjesivac-Grbovic 2007, section 4.1.2): a pipeline of segments down a tree of
 * virtual ranks. While a segment goes to the children the next one comes in. */
void ct_bcast_tree(struct ct_plan *plan, const struct ct_call *call, const struct ct_tree *tree);

/* This rank in such a tree. */
static inline int ct_bcast_virtual_rank(const struct ct_call *call)
{
    return ct_virtual(call->rank, call->root, call->size);
}

/* The call's data divided among the ranks as parts of CT_BUFFER_RECV, the root's first. */
struct ct_allgather_parts ct_bcast_parts(const struct ct_call *call);

/* Down a binomial tree from the root every rank gets its part and those of its subtree. Of the first ranks,
 * as many pairs as are `folded`, the odd ones are left out, and the even ones get the parts of both. */
void ct_bcast_scatter(struct ct_plan *plan, const struct ct_allgather_parts *group, int folded);

#endif
