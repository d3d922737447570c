/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments run up a balanced binary tree. Its subtrees hold every second, fourth ... rank, so the operation
 * must commute.
 * Memory: that of ct_reduce_tree(). */
#include "algorithms/descriptor.h"
#include "algorithms/reduce/reduce_tree.h"
#include "algorithms/shared_parameters.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_tree tree;
    ct_tree_binary(ct_reduce_virtual_rank(call), call->size, &tree);
    ct_reduce_tree(plan, call, &tree);
}

const struct ct_descriptor ct_reduce_binary = {
    .text = "segments run up a balanced binary tree",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.8",
    .cost = "2 (ceil(log2(P + 1)) + n_s - 2) (alpha + m_s (beta + gamma))",
    .constraints = CT_CONSTRAINT_COMMUTATIVE,
    .parameters = {&ct_segment_parameter},
    .build = build,
};
