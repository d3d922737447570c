/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments run up a chain of all ranks to the root; each rank combines a segment with its own while the next
 * one arrives and the last one leaves.
 * Memory: that of ct_reduce_tree(). */
#include "algorithms/descriptor.h"
#include "algorithms/reduce/reduce_tree.h"
#include "algorithms/shared_parameters.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_tree tree;
    ct_tree_chain(ct_reduce_virtual_rank(call), call->size, 1, &tree);
    ct_reduce_tree(plan, call, &tree);
}

const struct ct_descriptor ct_reduce_pipeline = {
    .text = "segments run up a chain of all ranks",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.8",
    .cost = "(P + n_s - 2) (alpha + m_s (beta + gamma))",
    .parameters = {&ct_segment_parameter},
    .build = build,
};
