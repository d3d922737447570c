/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments run down a k-nomial tree in order, the largest subtree first. Radix 2 is the in-order binomial
 * tree, whose long edges come first; those of bcast/binomial come last.
 *
 * Source: Pjesivac-Grbovic 2007, section 4.1.2 (generalized broadcast), figure 4.3, with radix 2.
 * Cost:   (radix - 1) ceil(log_radix P) n_s (alpha + m_s beta), with n_s segments of m_s bytes; at most
 * (radix - 1) ceil(log_radix P) sends of m a rank.
 * Memory: none. */
#include "algorithms/bcast/bcast_tree.h"
#include "algorithms/registry.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_tree tree;
    ct_tree_knomial(ct_virtual(call->rank, call->root, call->size), call->size, (int)call->values[1], &tree);
    ct_tree_reverse(&tree);
    ct_bcast_tree(plan, call, &tree, call->values[0]);
}

const struct ct_descriptor ct_bcast_knomial = {
    .text = "segments run down a k-nomial tree, largest subtree first",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "(radix - 1) ceil(log_radix P) n_s (alpha + m_s beta)",
    /* the root's children; lgr(radix, P + 1) - 1 is the rounded down logarithm: on so many levels all are
       there */
    .sends = {"((lgr(radix, P + 1) - 1) * (radix - 1) + floor((P - 1) / radix^(lgr(radix, P + 1) - 1))) * S",
              "((lgr(radix, P + 1) - 1) * (radix - 1) + floor((P - 1) / radix^(lgr(radix, P + 1) - 1))) * m",
              "(P - 1) * S", "(P - 1) * m"},
    .parameters = {&ct_segment_parameter, &ct_wide_radix_parameter},
    .build = build,
};
