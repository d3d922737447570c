/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments run up a chain of all ranks to the root; each rank combines its own with what comes in while the
 * next segment arrives and the last one leaves.
 *
 * Source: Pjesivac-Grbovic 2007, section 4.1.2, table 4.8.
 * Cost:   (P + n_s - 2) (alpha + m_s (beta + gamma)), with n_s segments of m_s bytes; one receive and one
 *         send of m a rank.
 * Memory: that of ct_reduce_tree(). */
#include "algorithms/reduce/reduce_tree.h"
#include "algorithms/registry.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_tree tree;
    ct_tree_chain(ct_reduce_virtual_rank(call), call->size, 1, &tree);
    ct_reduce_tree(plan, call, &tree, call->values[0]);
}

const struct ct_descriptor ct_reduce_pipeline = {
    .text = "segments run up a chain of all ranks",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "(P + n_s - 2) (alpha + m_s (beta + gamma))",
    .sends = {"min(P - 1, 1) * S", "min(P - 1, 1) * m", "(P - 1) * S", "(P - 1) * m"},
    .parameters = {&ct_segment_parameter},
    .build = build,
};
