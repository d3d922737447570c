/* SPDX-License-Identifier: BSD-3-Clause */
/* Down a k-nomial tree in rank order, flatter than the binomial one: each rank receives the blocks of its
 * subtree in one message and sends each child those of its, the largest subtree first. Where the root is not
 * 0, one message from it may be two.
 *
 * Source: MPICH 4.0, Iscatter tsp_tree with tree type knomial.
 * Cost:   (radix - 1) ceil(log_radix P) alpha + (P - 1) m beta, less alpha where messages to different
 * children overlap; one receive a rank.
 * Memory: none at the root and at leaves, else a block for each rank of the subtree. */
#include "algorithms/registry.h"
#include "algorithms/scatter/scatter_tree.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    ct_scatter_tree(plan, call, (int)call->values[0]);
}

/* The root has radix - 1 children at every distance but the largest. */
const struct ct_descriptor ct_scatter_knomial = {
    .text = "down a k-nomial tree, a subtree's blocks in one message",
    .source = "MPICH 4.0, Iscatter tsp_tree knomial",
    .cost = "(radix - 1) ceil(log_radix P) alpha + (P - 1) m beta",
    .sends = {"(radix - 1) * (lgr(radix, P) - 1) + ceil(P * radix / radix^lgr(radix, P)) - 1", "(P - 1) * m",
              "P - 1", "digits(radix, P) * m"},
    .parameters = {&ct_wide_radix_parameter},
    .build = build,
};
