/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks are divided into blocks of powers of two, the largest first. Each block halves recursively; the
 * sums climb from the smallest block to the largest, whose ranks then have a part of the result each. The
 * parts descend the same way, and recursive doubling in each block completes them. No rank works for another,
 * as where ranks form pairs, but where a block is much smaller than the next one its ranks send many
 * messages. The order of ranks is kept. For powers of two this is rabenseifner; for other P each block but
 * one adds two steps, of m / p_k (beta + gamma) and m / p_k beta in the next larger block, whose size is p_k.
 * Memory: m / 4; m / 2 in place, in a block of two and where the operation does not commute. */
#include "algorithms/descriptor.h"
#include "algorithms/reduce_scatter/reduce_scatter_blocks.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_binary_blocks blocks = ct_binary_blocks_of(call->rank, call->size);
    const struct ct_parts parts = ct_parts_dealt(call->count, blocks.pieces);
    struct ct_halving_sum sum = ct_halving_sum_of(call, &parts, blocks.pieces, true);
    ct_binary_blocks_climb(plan, &blocks, &sum);
    ct_binary_blocks_descend(plan, &blocks, &sum);
}

const struct ct_descriptor ct_allreduce_binary_blocks = {
    .text = "rabenseifner in blocks of powers of two, between which sums climb and results descend",
    .source = "Rabenseifner 2004; Rabenseifner and Traeff 2004",
    .cost = "2 log2 P alpha + 2 (P - 1) / P m beta + (P - 1) / P m gamma",
    .build = build,
};
