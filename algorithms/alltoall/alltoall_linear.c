/* SPDX-License-Identifier: BSD-3-Clause */
/* All messages are posted at once, each rank's in the order of the ranks after it, so that no rank is first
 * in all lists. */
#include "algorithms/alltoall/alltoall_blocks.h"
#include "algorithms/registry.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    ct_alltoall_at_once(plan, call, 0);
}

const struct ct_descriptor ct_alltoall_linear = {
    .text = "all messages at once",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.7",
    .cost = "(P - 1) (alpha + m beta)",
    .build = build,
};
