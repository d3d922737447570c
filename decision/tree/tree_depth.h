/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_DECISION_TREE_TREE_DEPTH_H
#define CT_DECISION_TREE_TREE_DEPTH_H

#include "decision/tree/tree.h"

/* How many tests lie before a leaf. */
struct ct_tree_depths {
    size_t least;
    size_t most; /* SIZE_MAX where memory is short; the others are 0 then */
    double mean; /* over the leaves */
};
struct ct_tree_depths ct_tree_depths(const struct ct_decision_tree *tree);

/* Tests on the longest path; SIZE_MAX where memory is short. */
size_t ct_tree_depth(const struct ct_decision_tree *tree);

#endif
