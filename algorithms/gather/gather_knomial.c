/* SPDX-License-Identifier: BSD-3-Clause */
/* Up a k-nomial tree in rank order, flatter than the binomial one: each rank receives the blocks of its
 * children's subtrees, all at once, and passes them on with its own as one message. Where the root is not 0,
 * one message to it may be two.
 *
 * Source: MPICH 4.0, Igather tsp_tree with tree type knomial.
 * Cost:   (radix - 1) ceil(log_radix P) alpha + (P - 1) m beta, less alpha where messages from different
 * children overlap; one send a rank, of the largest power of the radix below P at most.
 * Memory: none at the root and at leaves, else a block for each rank of the subtree. */
#include "algorithms/gather/gather_tree.h"
#include "algorithms/registry.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    ct_gather_tree(plan, call, (int)call->values[0]);
}

/* The largest subtree is that of the first child at the largest distance, or, where few ranks are left for
 * it, that of a child one level below. */
const struct ct_descriptor ct_gather_knomial = {
    .text = "up a k-nomial tree, a subtree's blocks in one message",
    .source = "MPICH 4.0, Igather tsp_tree knomial",
    .cost = "(radix - 1) ceil(log_radix P) alpha + (P - 1) m beta",
    .sends = {"min(P - 1, 1)",
              "(P > 1) * max(min(radix^(lgr(radix, P) - 1), P - radix^(lgr(radix, P) - 1)), "
              "radix^(lgr(radix, P) - 2)) * m",
              "P - 1", "digits(radix, P) * m"},
    .parameters = {&ct_wide_radix_parameter},
    .build = build,
};
