/* SPDX-License-Identifier: BSD-3-Clause */
/* Up a binomial tree in rank order: each rank receives the blocks of its children's subtrees, all at once,
 * and passes them on with its own as one message. Where the root is not 0, one message to it may be two.
 *
 * Source: Pjesivac-Grbovic 2007, section 4.1.2, table 4.5.
 * Cost:   ceil(log2 P) alpha + (P - 1) m beta; one send a rank, of P / 2 blocks at most.
 * Memory: none at the root and at leaves, else a block for each rank of the subtree. */
#include "algorithms/gather/gather_tree.h"
#include "algorithms/registry.h"

enum { RADIX = 2 };

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    ct_gather_tree(plan, call, RADIX);
}

const struct ct_descriptor ct_gather_binomial = {
    .text = "up a binomial tree, a subtree's blocks in one message",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "ceil(log2 P) alpha + (P - 1) m beta",
    .sends = {"min(P - 1, 1)", "min(P - 1, 2^(lg(P) - 1)) * m", "P - 1", "digits(2, P) * m"},
    .build = build,
};
