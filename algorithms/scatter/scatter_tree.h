/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_SCATTER_SCATTER_TREE_H
#define CT_ALGORITHMS_SCATTER_SCATTER_TREE_H

#include "algorithms/algorithm.h"

/* Down a k-nomial tree: each rank receives the blocks of its subtree and sends each child those of its, the
 * largest first. */
void ct_scatter_tree(struct ct_plan *plan, const struct ct_call *call, int radix);

#endif
