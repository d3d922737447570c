/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments run down a binary tree in order: subtrees are consecutive ranks, so that most edges stay within a
 * node where neighbouring ranks share one. */
#include "algorithms/bcast/bcast.h"
#include "algorithms/descriptor.h"
#include "algorithms/shared_parameters.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_tree tree;
    ct_tree_in_order_binary(ct_bcast_virtual_rank(call), call->size, &tree);
    ct_bcast_tree(plan, call, &tree);
}

const struct ct_descriptor ct_bcast_in_order_binary = {
    .text = "segments run down a binary tree whose subtrees are consecutive ranks",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2 (generalized broadcast), figure 4.2",
    .cost = "(ceil(log2(P + 1)) + n_s - 2) 2 (alpha + m_s beta)",
    .parameters = {&ct_segment_parameter},
    .build = build,
};
