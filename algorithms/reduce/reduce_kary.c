/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments run up a balanced k-ary tree. Its subtrees hold ranks that do not follow one another, so the
 * operation must commute. With radix 2 it is reduce/binary.
 * Memory: that of ct_reduce_tree(). */
#include "algorithms/descriptor.h"
#include "algorithms/reduce/reduce_tree.h"
#include "algorithms/shared_parameters.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_tree tree;
    ct_tree_kary(ct_reduce_virtual_rank(call), call->size, (int)ct_value(call, &ct_children_parameter),
                 &tree);
    ct_reduce_tree(plan, call, &tree);
}

const struct ct_descriptor ct_reduce_kary = {
    .text = "segments run up a balanced k-ary tree",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2 (generalized reduce)",
    .cost = "(radix (ceil(log_radix((radix - 1) P + 1)) - 1) + radix (n_s - 1)) (alpha + m_s (beta + gamma))",
    .constraints = CT_CONSTRAINT_COMMUTATIVE,
    .parameters = {&ct_segment_parameter, &ct_children_parameter},
    .build = build,
};
