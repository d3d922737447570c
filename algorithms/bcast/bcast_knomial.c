/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments run down a k-nomial tree in order, to the largest subtree first. Radix 2 is the in-order binomial
 * tree, whose long edges come first; those of bcast/binomial come last. */
#include "algorithms/bcast/bcast.h"
#include "algorithms/descriptor.h"
#include "algorithms/shared_parameters.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_tree tree;
    ct_tree_knomial(ct_bcast_virtual_rank(call), call->size, (int)ct_value(call, &ct_wide_radix_parameter),
                    &tree);
    ct_tree_reverse(&tree);
    ct_bcast_tree(plan, call, &tree);
}

const struct ct_descriptor ct_bcast_knomial = {
    .text = "segments run down a k-nomial tree, largest subtree first",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2 (generalized broadcast), figure 4.3 (radix 2)",
    .cost = "(radix - 1) ceil(log_radix P) n_s (alpha + m_s beta)",
    .parameters = {&ct_segment_parameter, &ct_wide_radix_parameter},
    .build = build,
};
