/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks half the communicator apart swap the halves of the vector that are for the other's half and combine
 * what they keep; then those a quarter apart swap quarters, until each has its part. Where P is not a power
 * of two, the first ranks form pairs: the odd one sends its vector to the even one and gets its part at the
 * end, for P m (beta + gamma) more.
 * Memory: 3 / 4 P m, half the vector and a quarter to receive; twice that where ranks form pairs. */
#include "algorithms/descriptor.h"
#include "algorithms/reduce_scatter/reduce_scatter_halving.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    ct_halving_reduce_scatter(plan, call, CT_HALVING_FAR_FIRST);
}

const struct ct_descriptor ct_reduce_scatter_recursive_halving = {
    .text = "ranks P/2, P/4, ... 1 apart swap the halves of what they have",
    .source = "Thakur, Rabenseifner, Gropp 2005; Pjesivac-Grbovic 2007, section 4.1.2, table 4.9",
    .cost = "log2 P alpha + (P - 1) m (beta + gamma)",
    .constraints = CT_CONSTRAINT_COMMUTATIVE,
    .build = build,
};
