/* SPDX-License-Identifier: BSD-3-Clause */
/* In step k ranks 2^k apart swap all blocks they have, which are always consecutive. Where P is not a power
 * of two, the first ranks form pairs: the even one of a pair takes part for both and sends the whole to the
 * odd one in the end. Blocks of different lengths are packed.
 * Memory: none; P m where lengths differ. */
#include "algorithms/allgather/allgather_parts.h"
#include "algorithms/descriptor.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_allgather_parts group = ct_allgather_packed(plan, call);
    ct_allgather_parts_double(plan, &group, 0);
    ct_round_end(plan);
    if (group.buffer != CT_BUFFER_RECV)
        ct_allgather_unpack(plan, call, &group, 0);
}

const struct ct_descriptor ct_allgather_recursive_doubling = {
    .text = "in step k ranks 2^k apart swap all they have",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.6 (powers of two)",
    .cost = "log2 P alpha + (P - 1) m beta; 2 alpha and P m beta more where P is not a power of two",
    .build = build,
};

const struct ct_descriptor ct_allgatherv_recursive_doubling = {
    .text = "in step k ranks 2^k apart swap all they have, packed",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.6 (powers of two)",
    .cost = "log2 P alpha + (P - 1) m beta; 2 alpha and P m beta more where P is not a power of two",
    .build = build,
};
