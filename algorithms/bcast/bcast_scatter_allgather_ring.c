/* SPDX-License-Identifier: BSD-3-Clause */
/* The root scatters the data as P parts down a binomial tree; then they travel around the ring of all ranks,
 * but none to a rank where the scatter left it. Parts may be empty: any count will do.
 *
 * Source: Thakur, Rabenseifner, Gropp 2005, section on broadcast (van de Geijn's algorithm).
 * Cost:   (ceil(log2 P) + P - 1) alpha + 2 (P - 1) / P m beta.
 * Memory: none. */
#include "algorithms/bcast/bcast_scatter.h"
#include "algorithms/registry.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_allgather_parts group = ct_bcast_parts(call);
    ct_bcast_scatter(plan, &group, 0);
    ct_allgather_parts_ring(plan, &group);
}

const struct ct_descriptor ct_bcast_scatter_allgather_ring = {
    .text = "binomial scatter of parts, then allgather around the ring",
    .source = "Thakur, Rabenseifner, Gropp 2005",
    .cost = "(ceil(log2 P) + P - 1) alpha + 2 (P - 1) / P m beta",
    .sends = {"lg(P) + P - 1", "2 * (P - 1) * m / P", "(P - 1) * (P + 1) - (1 - odd(P)) * P * lg(P) / 2",
              "(P - 1) * m"},
    .build = build,
};
