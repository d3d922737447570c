/* SPDX-License-Identifier: BSD-3-Clause */
/* The data is dealt into P blocks. Each block travels once around the ring being combined, then once more as
 * the result. Blocks may be empty: any count will do.
 *
 * Source: Pjesivac-Grbovic 2007, section 4.1.2, table 4.10.
 * Cost:   2 (P - 1) (alpha + m / P beta) + (P - 1) / P m gamma.
 * Memory: none; in place one block. */
#include "algorithms/allreduce/allreduce_ring_blocks.h"
#include "algorithms/registry.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    ct_allreduce_ring_blocks(plan, call, 0);
}

const struct ct_descriptor ct_allreduce_ring = {
    .text = "blocks go twice around the ring: combined, then spread",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "2 (P - 1) (alpha + m / P beta) + (P - 1) / P m gamma",
    .sends = {"2 * (P - 1)", "2 * (P - 1) * m / P", "2 * P * (P - 1)", "2 * (P - 1) * m"},
    .constraints = CT_CONSTRAINT_COMMUTATIVE,
    .build = build,
};
