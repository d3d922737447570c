/* SPDX-License-Identifier: BSD-3-Clause */
/* All messages are posted at once, each rank's to its successors in turn, so that nobody is the first of all.
 *
 * Source: Pjesivac-Grbovic 2007, section 4.1.2, table 4.7.
 * Cost:   (P - 1) (alpha + m beta), less what messages overlap.
 * Memory: none. */
#include "algorithms/alltoall/alltoall_blocks.h"
#include "algorithms/registry.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    ct_alltoall_at_once(plan, call, 0);
}

const struct ct_descriptor ct_alltoall_linear = {
    .text = "all messages at once",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "(P - 1) (alpha + m beta)",
    .sends = {"P - 1", "(P - 1) * m", "P * (P - 1)", "P * (P - 1) * m"},
    .build = build,
};
