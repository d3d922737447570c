/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_GATHER_GATHER_TREE_H
#define CT_ALGORITHMS_GATHER_GATHER_TREE_H

#include "algorithms/algorithm.h"

/* Up a k-nomial tree: each rank receives the blocks of its children's subtrees, all at once, and passes them
 * on with its own. */
void ct_gather_tree(struct ct_plan *plan, const struct ct_call *call, int radix);

#endif
