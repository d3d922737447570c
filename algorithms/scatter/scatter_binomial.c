/* SPDX-License-Identifier: BSD-3-Clause */
/* Down a binomial tree in rank order: each rank receives the blocks of its subtree in one message and sends
 * each child those of its, the largest subtree first. Where the root is not 0, one message from it may be
 * two.
 *
 * Source: Pjesivac-Grbovic 2007, section 4.1.2, table 4.4.
 * Cost:   ceil(log2 P) alpha + (P - 1) m beta; one receive a rank, of P / 2 blocks at most.
 * Memory: none at the root and at leaves, else a block for each rank of the subtree. */
#include "algorithms/registry.h"
#include "algorithms/scatter/scatter_tree.h"

enum { RADIX = 2 };

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    ct_scatter_tree(plan, call, RADIX);
}

const struct ct_descriptor ct_scatter_binomial = {
    .text = "down a binomial tree, a subtree's blocks in one message",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "ceil(log2 P) alpha + (P - 1) m beta",
    .sends = {"lg(P)", "(P - 1) * m", "P - 1", "digits(2, P) * m"},
    .build = build,
};
