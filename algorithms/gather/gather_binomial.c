/* SPDX-License-Identifier: BSD-3-Clause */
/* Up a binomial tree in rank order: each rank receives the blocks of its children's subtrees, all at once,
 * and sends them on with its own as one message. Where the root is not 0, one message to it may be cut in
 * two.
 * Memory: none at the root and at leaves, else a block for each rank of the subtree. */
#include "algorithms/descriptor.h"
#include "algorithms/gather_scatter.h"

const struct ct_descriptor ct_gather_binomial = {
    .text = "up a binomial tree, a subtree's blocks in one message",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.5",
    .cost = "ceil(log2 P) alpha + (P - 1) m beta",
    .build = ct_gather_tree,
};
