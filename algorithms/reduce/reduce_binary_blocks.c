/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks are divided into blocks of powers of two, the largest first. Each block halves recursively; the
 * sums climb from the smallest block to the largest, whose ranks then have a part of the result each. A
 * binomial gather brings the parts to the root, which takes the place of rank 0 there if it is in another
 * block. The order of ranks is kept. For powers of two this is rabenseifner; for other P each block but one
 * adds a step of m / p_k (beta + gamma) in the next larger block, whose size is p_k.
 * Memory: 3 / 4 m, at the root m / 4, in place m / 2; at most m / 4 more in a block of two and where the
 * operation does not commute. */
#include "algorithms/descriptor.h"
#include "algorithms/reduce/reduce_collect.h"
#include "algorithms/reduce_scatter/reduce_scatter_blocks.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_binary_blocks blocks = ct_binary_blocks_of(call->rank, call->size);
    const struct ct_halving_group top = {.size = blocks.pieces, .rank = call->rank};
    const struct ct_parts parts = ct_parts_dealt(call->count, blocks.pieces);
    struct ct_halving_sum sum = ct_halving_sum_of(call, &parts, blocks.pieces, call->rank == call->root);
    bool at_top = ct_binary_blocks_at_top(&blocks);
    ct_binary_blocks_climb(plan, &blocks, &sum);
    if (at_top)
        ct_halving_settle(plan, &sum);
    ct_reduce_collect(plan, call, &top, at_top, &sum);
}

const struct ct_descriptor ct_reduce_binary_blocks = {
    .text = "rabenseifner in blocks of powers of two, between which sums climb",
    .source = "Rabenseifner 2004; Rabenseifner and Traeff 2004",
    .cost = "2 log2 P alpha + 2 (P - 1) / P m beta + (P - 1) / P m gamma",
    .build = build,
};
