/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments run up a binary tree whose subtrees are consecutive ranks: any operation is applied in rank order.
 * Where order counts the top of the tree is rank 0, which passes each segment of the result on to the root.
 * Memory: that of ct_reduce_tree(). */
#include "algorithms/descriptor.h"
#include "algorithms/reduce/reduce_tree.h"
#include "algorithms/shared_parameters.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_tree tree;
    ct_tree_in_order_binary(ct_reduce_virtual_rank(call), call->size, &tree);
    ct_reduce_tree(plan, call, &tree);
}

const struct ct_descriptor ct_reduce_in_order_binary = {
    .text = "segments run up a binary tree that keeps the order of ranks",
    .source = "Pjesivac-Grbovic 2007, section 4.1.1 (in-order binary tree), section 4.1.2, table 4.8",
    .cost = "2 (floor(log2 P) + n_s - 1) (alpha + m_s (beta + gamma))",
    .parameters = {&ct_segment_parameter},
    .build = build,
};
