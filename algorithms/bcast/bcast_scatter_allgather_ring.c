/* SPDX-License-Identifier: BSD-3-Clause */
/* The root scatters the data as P parts down a binomial tree; then the parts travel around the ring of all
 * ranks, but not to ranks that have them from the scatter. Parts may be empty, so any count will do. */
#include "algorithms/bcast/bcast.h"
#include "algorithms/descriptor.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_allgather_parts group = ct_bcast_parts(call);
    ct_bcast_scatter(plan, &group, 0);
    ct_allgather_parts_ring(plan, &group);
}

const struct ct_descriptor ct_bcast_scatter_allgather_ring = {
    .text = "binomial scatter of parts, then allgather around the ring",
    .source = "Thakur, Rabenseifner, Gropp 2005 (van de Geijn's broadcast)",
    .cost = "(ceil(log2 P) + P - 1) alpha + 2 (P - 1) / P m beta",
    .build = build,
};
