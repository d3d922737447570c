/* SPDX-License-Identifier: BSD-3-Clause */
/* The ring in segments: no message exceeds a segment, and while segments of a block come in, those before
 * them are combined. The source takes its segments one after another around the ring; here all of a block
 * travel before those of the next, and the result in segments too, with no pause between. So up to eight
 * messages are under way each way, as far as a block has segments, and none waits for another's latency.
 *
 * Source: Pjesivac-Grbovic 2007, section 4.1.2, table 4.10.
 * Cost:   (P - 1) n_s (alpha + m_s beta + max(alpha + m_s beta, m_s gamma)), with n_s segments of m_s
 *         bytes in a block of m / P; one alone is not combined while it comes in.
 * Memory: none; in place nine segments, but no more than a block has. */
#include "algorithms/allreduce/allreduce_ring_blocks.h"
#include "algorithms/registry.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    ct_allreduce_ring_blocks(plan, call, call->values[0]);
}

const struct ct_descriptor ct_allreduce_ring_segmented = {
    .text = "the ring in segments, which are combined while the next arrive",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "(P - 1) n_s (alpha + m_s beta + max(alpha + m_s beta, m_s gamma))",
    .sends = {"2 * (P - 1) * (seg > 0 ? ceil(m / P / seg) : 1)", "2 * (P - 1) * m / P",
              "2 * P * (P - 1) * (seg > 0 ? ceil(m / P / seg) : 1)", "2 * (P - 1) * m"},
    .constraints = CT_CONSTRAINT_COMMUTATIVE,
    .parameters = {&ct_segment_parameter},
    .build = build,
};
