/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments run down one chain of all ranks.
 *
 * Source: Pjesivac-Grbovic 2007, section 4.1.2, table 4.3.
 * Cost:   (P + n_s - 2) (alpha + m_s beta), with n_s segments of m_s bytes; one receive and one send of m a
 * rank.
 * Memory: none. */
#include "algorithms/bcast/bcast_tree.h"
#include "algorithms/registry.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_tree tree;
    ct_tree_chain(ct_virtual(call->rank, call->root, call->size), call->size, 1, &tree);
    ct_bcast_tree(plan, call, &tree, call->values[0]);
}

const struct ct_descriptor ct_bcast_pipeline = {
    .text = "segments run down a chain of all ranks",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "(P + n_s - 2) (alpha + m_s beta)",
    .sends = {"min(P - 1, 1) * S", "min(P - 1, 1) * m", "(P - 1) * S", "(P - 1) * m"},
    .parameters = {&ct_segment_parameter},
    .build = build,
};
