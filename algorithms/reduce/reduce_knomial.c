/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments run up a k-nomial tree in order. Children are combined nearest first: smallest subtree first, and
 * in rank order.
 *
 * Source: Open MPI, reduce algorithm 8 (knomial); Pjesivac-Grbovic 2007, section 4.1.2 (generalized reduce).
 * Cost:   at most ceil(log_k P) (k - 1) n_s (alpha + m_s (beta + gamma)), with k the radix and n_s segments
 *         of m_s bytes; at most (k - 1) ceil(log_k P) receives of m a rank, one send of m.
 * Memory: that of ct_reduce_tree(). */
#include "algorithms/reduce/reduce_tree.h"
#include "algorithms/registry.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_tree tree;
    ct_tree_knomial(ct_reduce_virtual_rank(call), call->size, (int)call->values[1], &tree);
    ct_reduce_tree(plan, call, &tree, call->values[0]);
}

const struct ct_descriptor ct_reduce_knomial = {
    .text = "segments run up a k-nomial tree, nearest child first",
    .source = "Open MPI, reduce algorithm 8; Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "ceil(log_k P) (k - 1) n_s (alpha + m_s (beta + gamma))",
    .sends = {"min(P - 1, 1) * S", "min(P - 1, 1) * m", "(P - 1) * S", "(P - 1) * m"},
    .parameters = {&ct_segment_parameter, &ct_wide_radix_parameter},
    .build = build,
};
