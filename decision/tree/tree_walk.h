/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_DECISION_TREE_TREE_WALK_H
#define CT_DECISION_TREE_TREE_WALK_H

#include "decision/tree/tree.h"

/* Walks a tree in preorder without recursion, however deep it is: for all that writes trees. */

enum ct_walk_event {
    CT_WALK_LEAF,
    CT_WALK_SPLIT, /* a test; its low branch follows */
    CT_WALK_HIGH,  /* between the branches of a test */
    CT_WALK_CLOSE, /* behind the branches of a test */
    CT_WALK_END,   /* the tree is done; then the walk holds no memory */
    CT_WALK_FAILED /* out of memory; the walk holds none, too */
};

struct ct_walk_step {
    uint32_t node;
    bool in_high;
};

/* Starts as all zeroes but for `tree`. */
struct ct_tree_walk {
    const struct ct_decision_tree *tree;
    struct ct_walk_step *steps; /* tests above the current node */
    size_t depth;
    size_t capacity;
    bool returned; /* the last event ended a subtree */
};

/* The next event; *ret_node (untouched at the end) is the node that it is about, *ret_depth the tests above
 * that node. */
enum ct_walk_event ct_tree_walk_next(struct ct_tree_walk *walk, const struct ct_tree_node **ret_node,
                                     size_t *ret_depth);

#endif
