/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_BCAST_BCAST_TREE_H
#define CT_ALGORITHMS_BCAST_BCAST_TREE_H

#include "algorithms/algorithm.h"
#include "plan/shapes.h"

/* The generalized broadcast (Pjesivac-Grbovic 2007, section 4.1.2): a pipeline of segments down a tree of
 * virtual ranks. While a segment goes to the children the next one comes in. */
void ct_bcast_tree(struct ct_plan *plan, const struct ct_call *call, const struct ct_tree *tree,
                   size_t segment_bytes);

#endif
