/* SPDX-License-Identifier: BSD-3-Clause */
/* Recursive halving in which nearest ranks meet first: only sums of neighbours are combined, which keeps the
 * order of ranks. A rank then has the part whose number is its own with the bits reversed, and swaps it with
 * the rank that the part is for. Where P is not a power of two, the first ranks form pairs, and the odd one
 * sends its vector to the even one: P m (beta + gamma) more. The part of a pair is that of both ranks, and
 * each of them gets its own.
 * Memory: 3 / 4 P m, or P m where the operation does not commute; twice the former where ranks form pairs. */
#include "algorithms/descriptor.h"
#include "algorithms/reduce_scatter/reduce_scatter_halving.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    ct_halving_reduce_scatter(plan, call, CT_HALVING_NEAR_FIRST);
}

const struct ct_descriptor ct_reduce_scatter_butterfly = {
    .text = "ranks 1, 2, ... P/2 apart swap halves of what they have; parts are swapped at the end",
    .source = "Traeff 2005, with a swap of parts at the end in place of a permutation",
    .cost = "(log2 P + 1) alpha + P m beta + (P - 1) m gamma",
    .build = build,
};
