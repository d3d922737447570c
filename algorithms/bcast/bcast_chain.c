/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments run down `radix` chains that hang from the root.
 *
 * Source: Pjesivac-Grbovic 2007, section 4.1.2, table 4.3.
 * Cost:   (ceil((P - 1) / radix) + radix (n_s - 1)) (alpha + m_s beta), with n_s segments of m_s bytes; one
 * receive and one send of m a rank, radix sends at the root.
 * Memory: none. */
#include "algorithms/bcast/bcast_tree.h"
#include "algorithms/registry.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_tree tree;
    ct_tree_chain(ct_virtual(call->rank, call->root, call->size), call->size, (int)call->values[1], &tree);
    ct_bcast_tree(plan, call, &tree, call->values[0]);
}

const struct ct_descriptor ct_bcast_chain = {
    .text = "segments run down several chains that hang from the root",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "(ceil((P - 1) / radix) + radix (n_s - 1)) (alpha + m_s beta)",
    .sends = {"min(radix, P - 1) * S", "min(radix, P - 1) * m", "(P - 1) * S", "(P - 1) * m"},
    .parameters = {&ct_segment_parameter, &ct_chains_parameter},
    .build = build,
};
