/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_SUBTREE_H
#define CT_PLAN_SUBTREE_H

#include "plan/call.h"
#include "plan/shapes.h"

/* A rank's part in moving equal blocks along a k-nomial tree, up (gather) or down (scatter). Ranks are
 * virtual, 0 being the root. What passes between a parent and a child are the blocks of the child's subtree,
 * whose ranks follow one another.
 *
 * Below the root a buffer holds the blocks of a subtree in this order. At the root they lie by real rank:
 * there the subtree that goes on from the last rank to the first is in two places. It passes as two messages
 * between the root and that child, since that costs less than memory and a copy of up to half of the data. */
struct ct_subtree {
    const struct ct_call *call;
    struct ct_tree tree;
    int rank;        /* the subtree's root */
    int end;         /* behind its last rank */
    unsigned buffer; /* that holds its blocks */
};

/* The subtree of the call's rank; keeps `call`. Its blocks are at the root in `of_root`, at a leaf, which has
 * but its own, in `of_leaf`, at other ranks in a temporary buffer. */
void ct_subtree_knomial(struct ct_plan *plan, const struct ct_call *call, int radix, unsigned of_root,
                        unsigned of_leaf, struct ct_subtree *ret_subtree);

/* Where the rank's own block lies among them. */
size_t ct_subtree_own(const struct ct_subtree *subtree);

/* Posts the subtree's blocks to or from the parent; at the root nothing. */
void ct_subtree_post(struct ct_plan *plan, enum ct_step_kind kind, const struct ct_subtree *subtree);

/* Posts those of the subtree of child `index` to or from it. */
void ct_subtree_post_child(struct ct_plan *plan, enum ct_step_kind kind, const struct ct_subtree *subtree,
                           int index);

#endif
