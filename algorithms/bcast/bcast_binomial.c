/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments run down a balanced binomial tree: in step k the first 2^k ranks serve the next 2^k.
 *
 * Source: Pjesivac-Grbovic 2007, section 4.1.2, figure 4.3, table 4.3.
 * Cost:   ceil(log2 P) n_s (alpha + m_s beta), with n_s segments of m_s bytes; at most ceil(log2 P) sends of
 * m a rank.
 * Memory: none. */
#include "algorithms/bcast/bcast_tree.h"
#include "algorithms/registry.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_tree tree;
    ct_tree_binomial_balanced(ct_virtual(call->rank, call->root, call->size), call->size, &tree);
    ct_bcast_tree(plan, call, &tree, call->values[0]);
}

const struct ct_descriptor ct_bcast_binomial = {
    .text = "segments run down a balanced binomial tree, largest subtree first",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "ceil(log2 P) n_s (alpha + m_s beta)",
    .sends = {"lg(P) * S", "lg(P) * m", "(P - 1) * S", "(P - 1) * m"},
    .parameters = {&ct_segment_parameter},
    .build = build,
};
