/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_REDUCE_REDUCE_TREE_H
#define CT_ALGORITHMS_REDUCE_REDUCE_TREE_H

#include "algorithms/descriptor.h"
#include "plan/shapes.h"

/* The generalized reduction (Pjesivac-Grbovic 2007, section 4.1.2): a pipeline of segments up a tree. While a
 * segment is combined those of the next two children come in, or the next one of the only child, and the last
 * one leaves.
 *
 * A rank combines its own data with its children's in the order in which the tree lists them. Where subtrees
 * are ranks that follow one another, root first, and children are listed nearest first, that is rank order;
 * algorithms over other trees have the constraint CT_CONSTRAINT_COMMUTATIVE. */

/* The rank at the top of the tree: the root, or, where order counts, rank 0, which passes the result on. */
static inline int ct_reduce_top(const struct ct_call *call)
{
    return call->commutative ? call->root : 0;
}

/* This rank as trees count. */
static inline int ct_reduce_virtual_rank(const struct ct_call *call)
{
    return ct_virtual(call->rank, ct_reduce_top(call), call->size);
}

/* `tree` is the place of this virtual rank. Takes four segments of memory at most; three at the root in
 * place where the operation commutes, none there out of place where it has one child. */
void ct_reduce_tree(struct ct_plan *plan, const struct ct_call *call, const struct ct_tree *tree);

#endif
