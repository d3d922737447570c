/* SPDX-License-Identifier: BSD-3-Clause */
/* Down a binomial tree in rank order: each rank receives the blocks of its subtree in one message and sends
 * each child the blocks of the child's subtree, the largest first. Where the root is not 0, one message from
 * it may be cut in two.
 * Memory: none at the root and at leaves, else a block for each rank of the subtree. */
#include "algorithms/descriptor.h"
#include "algorithms/gather_scatter.h"

const struct ct_descriptor ct_scatter_binomial = {
    .text = "down a binomial tree, a subtree's blocks in one message",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.4",
    .cost = "ceil(log2 P) alpha + (P - 1) m beta",
    .build = ct_scatter_tree,
};
