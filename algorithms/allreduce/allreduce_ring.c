/* SPDX-License-Identifier: BSD-3-Clause */
/* The data is divided into P blocks. Each block travels once around the ring while it is combined, then once
 * more as the result. Blocks may be empty, so any count will do.
 * Memory: none; in place one block. */
#include "algorithms/allreduce/allreduce.h"
#include "algorithms/descriptor.h"

const struct ct_descriptor ct_allreduce_ring = {
    .text = "blocks travel twice around the ring: first combined, then as the result",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.10",
    .cost = "2 (P - 1) (alpha + m / P beta) + (P - 1) / P m gamma",
    .constraints = CT_CONSTRAINT_COMMUTATIVE,
    .build = ct_allreduce_ring_blocks,
};
