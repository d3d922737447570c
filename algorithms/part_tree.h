/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_PART_TREE_H
#define CT_ALGORITHMS_PART_TREE_H

#include "algorithms/descriptor.h"
#include "plan/plan.h"

/* Trees in which parts are gathered to rank 0 or scattered from there: a subtree holds ranks that follow one
 * another, its root first, so that its parts are one slice. */

/* The shape of the tree, of algorithms that gather and that scatter. */
extern const struct ct_parameter ct_gather_tree_parameter;
extern const struct ct_parameter ct_scatter_tree_parameter;

/* A rank's place. */
struct ct_part_tree {
    size_t shape; /* the parameter's value */
    int rank;
    int parent; /* -1 at rank 0 */
    int end;    /* of the subtree: one more than its last rank */
};

struct ct_part_tree ct_part_tree_place(size_t shape, int rank, int size);

/* The end of the subtree of the child that begins it, which is also the next child, if it is below the
 * tree's end. The first child is the next rank. */
int ct_part_tree_child_end(const struct ct_part_tree *tree, int child);

/* The children, nearest first; they lie in the plan's scratch memory. NULL without memory. */
int *ct_part_tree_children(struct ct_plan *plan, const struct ct_part_tree *tree, size_t *ret_count);

static inline bool ct_part_tree_is_leaf(const struct ct_part_tree *tree)
{
    return tree->end == tree->rank + 1;
}

#endif
