/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments run down one chain of all ranks. */
#include "algorithms/bcast/bcast.h"
#include "algorithms/descriptor.h"
#include "algorithms/shared_parameters.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_tree tree;
    ct_tree_chain(ct_bcast_virtual_rank(call), call->size, 1, &tree);
    ct_bcast_tree(plan, call, &tree);
}

const struct ct_descriptor ct_bcast_pipeline = {
    .text = "segments run down a chain of all ranks",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.3",
    .cost = "(P + n_s - 2) (alpha + m_s beta)",
    .parameters = {&ct_segment_parameter},
    .build = build,
};
