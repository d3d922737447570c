/* SPDX-License-Identifier: BSD-3-Clause */
/* Segments run up a chain of all ranks to the root; each rank combines its own with what comes in while the
 * next segment arrives and the last one leaves.
 *
 * Source: Pjesivac-Grbovic 2007, section 4.1.2, table 4.8.
 * Cost:   (P + n_s - 2) (alpha + m_s (beta + gamma)), with n_s segments of m_s bytes; one receive and one
 * send of m a rank.
 * Memory: three segments; two at the root in place, none at the root else. */
#include "algorithms/registry.h"
#include "algorithms/shapes.h"

enum { PIECES = 3 }; /* one arrives, one is combined, one leaves */

struct pipeline {
    struct ct_segments segments;
    unsigned input;
    unsigned work;
    int above; /* towards the root; -1 at the root */
    int below; /* -1 at the end of the chain */
    bool work_is_result;
};

static size_t work_offset(const struct pipeline *pipe, size_t s)
{
    return pipe->work_is_result ? ct_segment_offset(&pipe->segments, s) : s % PIECES * pipe->segments.length;
}

/* The end of the chain only sends. */
static void feed(struct ct_plan *plan, const struct pipeline *pipe)
{
    for (size_t s = 0; s < pipe->segments.count; s++) {
        ct_send(plan, pipe->above, pipe->input, ct_segment_offset(&pipe->segments, s),
                ct_segment_length(&pipe->segments, s));
        ct_round_end(plan);
    }
}

static unsigned receive(struct ct_plan *plan, const struct pipeline *pipe, size_t s)
{
    return ct_post(plan, CT_STEP_RECEIVE, pipe->below,
                   (struct ct_slice){.buffer = pipe->work,
                                     .offset = work_offset(pipe, s),
                                     .n = ct_segment_length(&pipe->segments, s)},
                   CT_LATER);
}

static void combine(struct ct_plan *plan, const struct pipeline *pipe, size_t s)
{
    size_t offset = ct_segment_offset(&pipe->segments, s), length = ct_segment_length(&pipe->segments, s);
    if (pipe->above < 0 && !pipe->work_is_result)
        ct_reduce(plan, CT_RECV, offset, pipe->work, work_offset(pipe, s), length);
    else
        ct_reduce(plan, pipe->work, work_offset(pipe, s), pipe->input, offset, length);
}

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    int rank = ct_virtual(call->rank, call->root, call->size);
    struct pipeline pipe = {
        .segments = ct_segments_cut(call->count, call->unit_bytes, call->values[0]),
        .input = call->in_place ? CT_RECV : CT_SEND,
        .work = CT_RECV,
        .above = rank == 0 ? -1 : ct_actual(rank - 1, call->root, call->size),
        .below = rank == call->size - 1 ? -1 : ct_actual(rank + 1, call->root, call->size),
        .work_is_result = rank == 0 && !call->in_place,
    };
    if (pipe.below < 0) {
        if (rank > 0)
            feed(plan, &pipe);
        else if (!call->in_place)
            ct_copy(plan, CT_RECV, 0, CT_SEND, 0, call->count);
        return;
    }
    if (!pipe.work_is_result) {
        size_t pieces = pipe.segments.count < PIECES ? pipe.segments.count : PIECES;
        pipe.work = ct_temporary(plan, pieces * pipe.segments.length);
    }
    unsigned arriving = pipe.segments.count ? receive(plan, &pipe, 0) : 0, leaving = 0, before = 0;
    for (size_t s = 0; s < pipe.segments.count; s++) {
        ct_round_end(plan);
        ct_wait(plan, arriving);
        ct_wait(plan, before); /* its piece is the one that the next segment arrives in */
        arriving = s + 1 < pipe.segments.count ? receive(plan, &pipe, s + 1) : 0;
        combine(plan, &pipe, s);
        ct_round_end(plan);
        before = leaving;
        leaving = pipe.above < 0 ? 0
                                 : ct_post(plan, CT_STEP_SEND, pipe.above,
                                           (struct ct_slice){.buffer = pipe.work,
                                                             .offset = work_offset(&pipe, s),
                                                             .n = ct_segment_length(&pipe.segments, s)},
                                           CT_LATER);
    }
    ct_round_end(plan);
    ct_wait(plan, before);
    ct_wait(plan, leaving);
}

const struct ct_algorithm reduce_pipeline = {
    .name = "pipeline",
    .collective = CT_REDUCE,
    .text = "segments run up a chain of all ranks",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "(P + n_s - 2) (alpha + m_s (beta + gamma))",
    .sends = {"min(P - 1, 1) * S", "min(P - 1, 1) * m", "(P - 1) * S", "(P - 1) * m"},
    .constraints = CT_COMMUTATIVE,
    .parameters = {&ct_segment_parameter},
    .build = build,
};
