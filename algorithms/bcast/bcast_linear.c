/* SPDX-License-Identifier: BSD-3-Clause */
/* The root sends each segment to every rank, all sends of a segment at once. */
#include "algorithms/descriptor.h"
#include "algorithms/shared_parameters.h"

static void send_to_all(struct ct_plan *plan, const struct ct_call *call, size_t offset, size_t length)
{
    for (int peer = 0; peer < call->size; peer++)
        if (peer != call->root)
            ct_send(plan, peer, CT_BUFFER_RECV, offset, length);
}

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_segments segments = ct_call_segments(call, call->count);
    for (size_t s = 0; s < segments.count; s++) {
        const size_t offset = ct_segment_offset(&segments, s), length = ct_segment_length(&segments, s);
        if (call->rank == call->root)
            send_to_all(plan, call, offset, length);
        else
            ct_receive(plan, call->root, CT_BUFFER_RECV, offset, length);
        if (s + 1 < segments.count)
            ct_round_end(plan);
    }
}

const struct ct_descriptor ct_bcast_linear = {
    .text = "the root sends to every rank",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.3 (flat tree)",
    .cost = "(P - 1) n_s (alpha + m_s beta)",
    .parameters = {&ct_unswept_segment_parameter},
    .build = build,
};
