/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments run down a balanced binomial tree: in step k the first 2^k ranks send to the next 2^k. */
#include "algorithms/bcast/bcast.h"
#include "algorithms/descriptor.h"
#include "algorithms/shared_parameters.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_tree tree;
    ct_tree_binomial_balanced(ct_bcast_virtual_rank(call), call->size, &tree);
    ct_bcast_tree(plan, call, &tree);
}

const struct ct_descriptor ct_bcast_binomial = {
    .text = "segments run down a balanced binomial tree, largest subtree first",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, figure 4.3, table 4.3",
    .cost = "ceil(log2 P) n_s (alpha + m_s beta)",
    .parameters = {&ct_segment_parameter},
    .build = build,
};
