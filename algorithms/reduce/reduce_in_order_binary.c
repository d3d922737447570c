/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments run up a binary tree whose subtrees hold ranks that follow one another: whatever the operation, it
 * is applied in rank order. Where order counts the tree's top is rank 0, which passes each segment of the
 * result on to the root.
 *
 * Source: Pjesivac-Grbovic 2007, section 4.1.1 (in-order binary tree), section 4.1.2, table 4.8.
 * Cost:   2 (floor(log2 P) + n_s - 1) (alpha + m_s (beta + gamma)), with n_s segments of m_s bytes; at most
 *         two receives of m a rank, one send of m; one hop more where rank 0 passes the result on.
 * Memory: that of ct_reduce_tree(). */
#include "algorithms/reduce/reduce_tree.h"
#include "algorithms/registry.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_tree tree;
    ct_tree_in_order_binary(ct_reduce_virtual_rank(call), call->size, &tree);
    ct_reduce_tree(plan, call, &tree, call->values[0]);
}

const struct ct_descriptor ct_reduce_in_order_binary = {
    .text = "segments run up a binary tree that keeps the ranks' order",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "2 (floor(log2 P) + n_s - 1) (alpha + m_s (beta + gamma))",
    .sends = {"min(P - 1, 1) * S", "min(P - 1, 1) * m", "(P - 1) * S", "(P - 1) * m"},
    .parameters = {&ct_segment_parameter},
    .build = build,
};
