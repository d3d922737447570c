/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments run down a binary tree in order: subtrees are ranks that follow one another, so that most edges
 * stay within a node where neighbouring ranks share one.
 *
 * Source: Pjesivac-Grbovic 2007, section 4.1.2 (generalized broadcast), figure 4.2.
 * Cost:   (ceil(log2(P + 1)) + n_s - 2) 2 (alpha + m_s beta), with n_s segments of m_s bytes; one receive and
 * at most two sends of m a rank.
 * Memory: none. */
#include "algorithms/bcast/bcast_tree.h"
#include "algorithms/registry.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_tree tree;
    ct_tree_in_order_binary(ct_virtual(call->rank, call->root, call->size), call->size, &tree);
    ct_bcast_tree(plan, call, &tree, call->values[0]);
}

const struct ct_descriptor ct_bcast_in_order_binary = {
    .text = "segments run down a binary tree whose subtrees are neighbouring ranks",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "(ceil(log2(P + 1)) + n_s - 2) 2 (alpha + m_s beta)",
    .sends = {"min(P - 1, 2) * S", "min(P - 1, 2) * m", "(P - 1) * S", "(P - 1) * m"},
    .parameters = {&ct_segment_parameter},
    .build = build,
};
