/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments run down `radix` chains that start at the root. */
#include "algorithms/bcast/bcast.h"
#include "algorithms/descriptor.h"
#include "algorithms/shared_parameters.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_tree tree;
    ct_tree_chain(ct_bcast_virtual_rank(call), call->size, (int)ct_value(call, &ct_chains_parameter), &tree);
    ct_bcast_tree(plan, call, &tree);
}

const struct ct_descriptor ct_bcast_chain = {
    .text = "segments run down several chains that start at the root",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.3",
    .cost = "(ceil((P - 1) / radix) + radix (n_s - 1)) (alpha + m_s beta)",
    .parameters = {&ct_segment_parameter, &ct_chains_parameter},
    .build = build,
};
