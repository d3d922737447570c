/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments run up a k-nomial tree in order. Children are combined nearest first: the smallest subtree first,
 * and in rank order.
 * Memory: that of ct_reduce_tree(). */
#include "algorithms/descriptor.h"
#include "algorithms/reduce/reduce_tree.h"
#include "algorithms/shared_parameters.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_tree tree;
    ct_tree_knomial(ct_reduce_virtual_rank(call), call->size, (int)ct_value(call, &ct_wide_radix_parameter),
                    &tree);
    ct_reduce_tree(plan, call, &tree);
}

const struct ct_descriptor ct_reduce_knomial = {
    .text = "segments run up a k-nomial tree, nearest child first",
    .source =
        "Open MPI, reduce algorithm 8 (knomial); Pjesivac-Grbovic 2007, section 4.1.2 (generalized reduce)",
    .cost = "ceil(log_k P) (k - 1) n_s (alpha + m_s (beta + gamma))",
    .parameters = {&ct_segment_parameter, &ct_wide_radix_parameter},
    .build = build,
};
