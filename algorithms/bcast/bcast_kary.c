/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments run down a balanced k-ary tree: a rank sends the message at most `radix` times. With radix 2 it is
 * bcast/binary. */
#include "algorithms/bcast/bcast.h"
#include "algorithms/descriptor.h"
#include "algorithms/shared_parameters.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_tree tree;
    ct_tree_kary(ct_bcast_virtual_rank(call), call->size, (int)ct_value(call, &ct_children_parameter), &tree);
    ct_bcast_tree(plan, call, &tree);
}

const struct ct_descriptor ct_bcast_kary = {
    .text = "segments run down a balanced k-ary tree",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2 (generalized broadcast)",
    .cost = "(radix (ceil(log_radix((radix - 1) P + 1)) - 1) + radix (n_s - 1)) (alpha + m_s beta)",
    .parameters = {&ct_segment_parameter, &ct_children_parameter},
    .build = build,
};
