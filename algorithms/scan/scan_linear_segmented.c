/* SPDX-License-Identifier: BSD-3-Clause */
/* The chain of scan/linear, segment by segment: each rank combines a segment with its own while the next one
 * arrives and the last one leaves.
 * Memory: scan: none where the operation commutes, else, and in place, two segments; exscan: four. */
#include "algorithms/descriptor.h"
#include "algorithms/shared_parameters.h"
#include "plan/shapes.h"

/* Where the segments of one kind lie: all of them in a buffer of the whole length, or in `pieces` in turn. */
struct place {
    unsigned buffer;
    size_t pieces; /* 0: the whole */
};

struct chain {
    const struct ct_call *call;
    struct ct_segments segments;
    unsigned input;
    struct place arriving; /* sums of the ranks before */
    struct place sum;      /* those and the input; `arriving` itself where the order does not count */
    enum ct_deferral deferral;
    bool is_last;
};

static struct ct_slice slice_of(const struct chain *chain, const struct place *place, size_t s)
{
    return (struct ct_slice){.buffer = place->buffer,
                             .offset =
                                 ct_segment_offset(&chain->segments, place->pieces ? s % place->pieces : s),
                             .n = ct_segment_length(&chain->segments, s)};
}

static struct place in_pieces(struct ct_plan *plan, const struct chain *chain, size_t pieces)
{
    if (pieces > chain->segments.count)
        pieces = chain->segments.count;
    return (struct place){.buffer = ct_temporary(plan, pieces * chain->segments.length), .pieces = pieces};
}

static unsigned receive(struct ct_plan *plan, const struct chain *chain, size_t s)
{
    if (s >= chain->segments.count)
        return 0;
    return ct_post(plan, CT_STEP_RECEIVE, chain->call->rank - 1, slice_of(chain, &chain->arriving, s),
                   chain->deferral);
}

/* Puts our own where it will be added to. */
static void prepare(struct ct_plan *plan, const struct chain *chain, size_t s)
{
    unsigned to = chain->sum.buffer;
    if (s < chain->segments.count && to != chain->input && to != chain->arriving.buffer)
        ct_copy_slice(plan, slice_of(chain, &chain->sum, s),
                      slice_of(chain, &(struct place){.buffer = chain->input}, s));
}

static void combine(struct ct_plan *plan, const struct chain *chain, size_t s)
{
    const struct place input = {.buffer = chain->input};
    bool in_order = chain->sum.buffer != chain->arriving.buffer;
    struct ct_slice to = slice_of(chain, &chain->sum, s);
    struct ct_slice from = slice_of(chain, in_order ? &chain->arriving : &input, s);
    ct_reduce(plan, to.buffer, to.offset, from.buffer, from.offset, from.n);
}

/* The first rank sends its input, which in scan is its result too. */
static void feed(struct ct_plan *plan, const struct chain *chain, bool exclusive)
{
    const struct place input = {.buffer = chain->input}, result = {.buffer = CT_BUFFER_RECV};
    for (size_t s = 0; s < chain->segments.count; s++) {
        struct ct_slice slice = slice_of(chain, &input, s);
        if (!chain->is_last)
            ct_send_slice(plan, 1, slice);
        if (!exclusive && chain->input != CT_BUFFER_RECV)
            ct_copy_slice(plan, slice_of(chain, &result, s), slice);
        ct_round_end(plan);
    }
}

/* The last rank of an exscan adds nothing. */
static void drain(struct ct_plan *plan, const struct chain *chain)
{
    for (size_t s = 0; s < chain->segments.count; s++) {
        ct_receive_slice(plan, chain->call->rank - 1, slice_of(chain, &chain->arriving, s));
        ct_round_end(plan);
    }
}

static void relay(struct ct_plan *plan, const struct chain *chain)
{
    prepare(plan, chain, 0);
    if (chain->arriving.buffer == chain->input) /* it is overwritten */
        ct_round_end(plan);
    unsigned arriving = receive(plan, chain, 0), leaving = 0, before = 0;
    prepare(plan, chain, 1);
    for (size_t s = 0; s < chain->segments.count; s++) {
        ct_round_end(plan);
        ct_wait(plan, arriving);
        ct_wait(plan, before);
        arriving = receive(plan, chain, s + 1);
        combine(plan, chain, s);
        ct_round_end(plan);
        before = leaving;
        leaving = chain->is_last ? 0
                                 : ct_post(plan, CT_STEP_SEND, chain->call->rank + 1,
                                           slice_of(chain, &chain->sum, s), chain->deferral);
        prepare(plan, chain, s + 2);
    }
    ct_round_end(plan);
    ct_wait(plan, before);
    ct_wait(plan, leaving);
}

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    bool exclusive = call->descriptor == &ct_exscan_linear_segmented;
    struct chain chain = {
        .call = call,
        .segments = ct_call_segments(call, call->count),
        .input = ct_input(call),
        .arriving = {.buffer = CT_BUFFER_RECV},
        .sum = {.buffer = CT_BUFFER_RECV},
        .is_last = call->rank == call->size - 1,
    };
    chain.deferral =
        chain.segments.count > 1 ? CT_DEFERRAL_LATER : CT_DEFERRAL_IN_ROUND; /* one overlaps with nothing */
    if (call->rank == 0) {
        feed(plan, &chain, exclusive);
        return;
    }
    if (exclusive && chain.is_last) {
        drain(plan, &chain);
        return;
    }
    /* a sum is prepared, the next one combined and two are sent at the same time */
    if (exclusive)
        chain.sum = in_pieces(plan, &chain, 4);
    else if (call->in_place || !call->commutative)
        chain.arriving = in_pieces(plan, &chain, 2);
    relay(plan, &chain);
}

const struct ct_descriptor ct_scan_linear_segmented = {
    .text = "segments run along a chain of all ranks",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.11",
    .cost = "(P + n_s - 2) (alpha + m_s (beta + gamma))",
    .parameters = {&ct_segment_parameter},
    .build = build,
};

const struct ct_descriptor ct_exscan_linear_segmented = {
    .text = "segments run along a chain of all ranks",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.11",
    .cost = "(P + n_s - 2) (alpha + m_s (beta + gamma))",
    .parameters = {&ct_segment_parameter},
    .build = build,
};
