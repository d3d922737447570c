/* SPDX-License-Identifier: BSD-3-Clause */
/* Every block travels once around the ring: in each step a rank passes on the block that it received last. */
#include "algorithms/allgather/allgather_parts.h"
#include "algorithms/descriptor.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_allgather_parts group = ct_allgather_in_result(call);
    ct_allgather_parts_ring(plan, &group);
}

const struct ct_descriptor ct_allgather_ring = {
    .text = "blocks travel around the ring",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.6",
    .cost = "(P - 1) (alpha + m beta)",
    .build = build,
};
