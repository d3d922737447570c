/* SPDX-License-Identifier: BSD-3-Clause */
/* Recursive halving that meets the nearest rank first: only neighbours' sums are ever combined, so order
 * holds. A rank then has the part whose number is its own with the bits reversed, and swaps it with the rank
 * that it is for. Where P is not a power of two, the first ranks pair up, the odd one handing its vector to
 * the even one; the part of a pair is that of both, and whoever has it sends each its own.
 *
 * Source: Traeff 2005, with a swap of parts at the end in place of a permutation of the vector.
 * Cost:   (log2 P + 1) alpha + P m beta + (P - 1) m gamma; for other P floor(log2 P) + 2 steps and
 * P m (beta + gamma) more.
 * Memory: 3 / 4 P m, or P m where the operation does not commute; twice the former where ranks pair up. */
#include "algorithms/reduce_scatter/reduce_scatter_halving.h"
#include "algorithms/registry.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    ct_reduce_scatter_by_halving(plan, call, CT_REDUCE_SCATTER_NEAR_FIRST);
}

const struct ct_descriptor ct_reduce_scatter_butterfly = {
    .text = "ranks 1, 2, ... P/2 apart swap halves of what they have; parts are swapped at the end",
    .source = "Traeff 2005",
    .cost = "(log2 P + 1) alpha + P m beta + (P - 1) m gamma",
    .sends = {"lg(P) + min(floor(P / 4), 1)", "(P - 1 + max(min(floor(P / 4), 1), odd(P))) * m",
              "P * lg(P) + P - 2 ^ ceil(lg(P) / 2)", "(P * P - (1 - odd(P)) * 2 ^ ceil(lg(P) / 2)) * m"},
    .build = build,
};
