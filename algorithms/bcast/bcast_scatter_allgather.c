/* SPDX-License-Identifier: BSD-3-Clause */
/* The root scatters the data as P parts down a binomial tree; then an allgather by recursive doubling gives
 * all parts to all. Where P is not a power of two, the first ranks pair up for both, and the even one of a
 * pair hands the whole to the odd one in the end. What the scatter left at a rank is not sent to it again.
 * Parts may be empty: any count will do.
 *
 * Source: Thakur, Rabenseifner, Gropp 2005, section on broadcast (van de Geijn's algorithm).
 * Cost:   2 log2 P alpha + 2 (P - 1) / P m beta; else floor(log2 P) twice, and alpha + m beta more.
 * Memory: none. */
#include "algorithms/bcast/bcast_scatter.h"
#include "algorithms/registry.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_allgather_parts group = ct_bcast_parts(call);
    ct_bcast_scatter(plan, &group, ct_allgather_folded(call->size));
    ct_allgather_parts_double(plan, &group);
}

const struct ct_descriptor ct_bcast_scatter_allgather = {
    .text = "binomial scatter of parts, then allgather by recursive doubling",
    .source = "Thakur, Rabenseifner, Gropp 2005",
    .cost = "2 log2 P alpha + 2 (P - 1) / P m beta; P no power of two: alpha + m beta more",
    .sends = {"2 * lg(P)", "2 * (1 + odd(P)) * (P - 1) * m / P", "P * lg(P)", "(P - 1) * m"},
    .build = build,
};
