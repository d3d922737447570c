/* SPDX-License-Identifier: BSD-3-Clause */
/* In step k ranks 2^k apart swap all the blocks they have, which always are neighbours. Where P is not a
 * power of two, the first ranks pair up: the even one of a pair takes part for both and hands the whole to
 * the odd one in the end. Blocks that vary are packed.
 *
 * Source: Pjesivac-Grbovic 2007, section 4.1.2, table 4.6, for powers of two.
 * Cost:   log2 P alpha + (P - 1) m beta; else floor(log2 P) + 2 messages one after the other, and P m beta
 *         more.
 * Memory: none; P m where blocks vary. */
#include "algorithms/allgather/allgather_parts.h"
#include "algorithms/registry.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_allgather_parts group = ct_allgather_packed(plan, call);
    ct_allgather_parts_double(plan, &group);
    ct_round_end(plan);
    if (group.buffer != CT_BUFFER_RECV)
        ct_allgather_unpack(plan, call, &group, 0);
}

const struct ct_descriptor ct_allgather_recursive_doubling = {
    .text = "in step k ranks 2^k apart swap all they have",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "log2 P alpha + (P - 1) m beta; P no power of two: 2 alpha and P m beta more",
    .sends = {"lg(P)", "(1 + 2 * odd(P)) * (P - 1) * m", "P * lg(P)", "P * (P - 1 + odd(P)) * m"},
    .build = build,
};

const struct ct_descriptor ct_allgatherv_recursive_doubling = {
    .text = "in step k ranks 2^k apart swap all they have, packed",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "log2 P alpha + (P - 1) m beta; P no power of two: 2 alpha and P m beta more",
    .sends = {"lg(P)", "(1 + 2 * odd(P)) * (P - 1) * m", "P * lg(P)", "P * (P - 1 + odd(P)) * m"},
    .build = build,
};
