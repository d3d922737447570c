/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks half the communicator apart swap the halves of the vector that the other's half needs and combine
 * what they keep; then those a quarter apart swap quarters, until each has its part. Where P is not a power
 * of two, the first ranks pair up: the odd one hands its vector to the even one and gets its part at the end.
 *
 * Source: Thakur, Rabenseifner, Gropp 2005; Pjesivac-Grbovic 2007, section 4.1.2, table 4.9.
 * Cost:   log2 P alpha + (P - 1) m (beta + gamma); for other P floor(log2 P) + 2 steps and P m (beta + gamma)
 * more.
 * Memory: 3 / 4 P m, half the vector and a quarter to receive; twice that where ranks pair up. */
#include "algorithms/reduce_scatter/reduce_scatter_halving.h"
#include "algorithms/registry.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    ct_reduce_scatter_by_halving(plan, call, CT_REDUCE_SCATTER_FAR_FIRST);
}

const struct ct_descriptor ct_reduce_scatter_recursive_halving = {
    .text = "ranks P/2, P/4, ... 1 apart swap the halves of what they have",
    .source = "Thakur, Rabenseifner, Gropp 2005",
    .cost = "log2 P alpha + (P - 1) m (beta + gamma)",
    .sends = {"lg(P)", "(P - 1 + odd(P)) * m", "P * lg(P)", "(P * (P - 1) + odd(P) * P / 2) * m"},
    .constraints = CT_CONSTRAINT_COMMUTATIVE,
    .build = build,
};
