/* SPDX-License-Identifier: BSD-3-Clause */
/* The root sends every rank its block, all sends at once.
 *
 * Source: Pjesivac-Grbovic 2007, section 4.1.2, table 4.4.
 * Cost:   P - 1 messages of m at the root; (P - 1) (alpha + m beta).
 * Memory: none. */
#include "algorithms/registry.h"
#include "algorithms/scatter/scatter_flat.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    ct_scatter_flat(plan, call, 0);
}

const struct ct_descriptor ct_scatter_linear = {
    .text = "the root sends to every rank",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "(P - 1) (alpha + m beta)",
    .sends = {"P - 1", "(P - 1) * m", "P - 1", "(P - 1) * m"},
    .build = build,
};
