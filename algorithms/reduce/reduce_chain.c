/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments run up `radix` chains of neighbours to the root, which takes each segment from every chain in
 * turn. Chains and sums keep the order of ranks.
 * Memory: that of ct_reduce_tree(). */
#include "algorithms/descriptor.h"
#include "algorithms/reduce/reduce_tree.h"
#include "algorithms/shared_parameters.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_tree tree;
    ct_tree_chain(ct_reduce_virtual_rank(call), call->size, (int)ct_value(call, &ct_chains_parameter), &tree);
    ct_reduce_tree(plan, call, &tree);
}

const struct ct_descriptor ct_reduce_chain = {
    .text = "segments run up several chains to the root",
    .source = "Pjesivac-Grbovic 2007, sections 4.1.1 (k-chain) and 4.1.2 (generalized reduce)",
    .cost = "(ceil((P - 1) / radix) + radix n_s - 1) (alpha + m_s (beta + gamma))",
    .parameters = {&ct_segment_parameter, &ct_chains_parameter},
    .build = build,
};
