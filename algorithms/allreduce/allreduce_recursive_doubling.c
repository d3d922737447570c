/* SPDX-License-Identifier: BSD-3-Clause */
/* In step k ranks 2^k apart swap all they have combined and combine it. Where P is not a power of two, the
 * first ranks pair up before and after: the even one of a pair hands its data to the odd one and gets the
 * result. Ranks combined together are always neighbours, so order holds.
 *
 * Source: Pjesivac-Grbovic 2007, section 4.1.2, table 4.10.
 * Cost:   floor(log2 P) (+ 2 where P is no power of two) (alpha + m (beta + gamma)).
 * Memory: m. */
#include "algorithms/allreduce/allreduce_recursive.h"
#include "algorithms/registry.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    ct_allreduce_recursive(plan, call, 2);
}

const struct ct_descriptor ct_allreduce_recursive_doubling = {
    .text = "in step k ranks 2^k apart swap and combine all they have",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "floor(log2 P) (+ 2) (alpha + m (beta + gamma))",
    .sends = {"lg(P) + odd(P)", "(lg(P) + odd(P)) * m", "P * (lg(P) + odd(P))", "P * (lg(P) + odd(P)) * m"},
    .build = build,
};
