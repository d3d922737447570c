/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments run up `radix` chains of neighbours to the root, which takes each segment from every chain in
 * turn. Chains hold ranks in order, and so does the sum.
 *
 * Source: Pjesivac-Grbovic 2007, section 4.1.1 (k-chain), section 4.1.2 (generalized reduce).
 * Cost:   (ceil((P - 1) / radix) + radix n_s - 1) (alpha + m_s (beta + gamma)), with n_s segments of m_s
 *         bytes; one receive and one send of m a rank, radix receives at the root.
 * Memory: that of ct_reduce_tree(). */
#include "algorithms/reduce/reduce_tree.h"
#include "algorithms/registry.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_tree tree;
    ct_tree_chain(ct_reduce_virtual_rank(call), call->size, (int)call->values[1], &tree);
    ct_reduce_tree(plan, call, &tree, call->values[0]);
}

const struct ct_descriptor ct_reduce_chain = {
    .text = "segments run up several chains to the root",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "(ceil((P - 1) / radix) + radix n_s - 1) (alpha + m_s (beta + gamma))",
    .sends = {"min(P - 1, 1) * S", "min(P - 1, 1) * m", "(P - 1) * S", "(P - 1) * m"},
    .parameters = {&ct_segment_parameter, &ct_chains_parameter},
    .build = build,
};
