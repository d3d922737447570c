/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank sends its block to the root, which posts all receives at once.
 *
 * Source: Pjesivac-Grbovic 2007, section 4.1.2, table 4.5.
 * Cost:   P - 1 messages of m at the root; (P - 1) (alpha + m beta).
 * Memory: none. */
#include "algorithms/gather/gather_flat.h"
#include "algorithms/registry.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    ct_gather_flat(plan, call, 0);
}

const struct ct_descriptor ct_gather_linear = {
    .text = "every rank sends to the root",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "(P - 1) (alpha + m beta)",
    .sends = {"min(P - 1, 1)", "min(P - 1, 1) * m", "P - 1", "(P - 1) * m"},
    .build = build,
};
