/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/allreduce/allreduce_ring_blocks.h"
#include "algorithms/parts.h"

struct ring {
    const struct ct_call *call;
    struct ct_parts blocks;
    struct ct_segments segments; /* of the longest block; the others have as many, the last one shorter */
    int next;
    int previous;
    int first;     /* the block that leaves here first; then those of the ranks before */
    unsigned work; /* in place: where segments come in; else CT_RECV, at their own places */
    size_t room;   /* in place: for so many, in turn */
};

struct piece {
    size_t offset; /* in the data */
    size_t n;
};

/* Segment s of the block `distance` before the first. */
static struct piece piece_of(const struct ring *ring, size_t distance, size_t s)
{
    int block = ct_virtual(ring->first, (int)distance, ring->call->size);
    size_t begin = ct_segment_offset(&ring->segments, s), end = begin + ring->segments.length;
    size_t length = ct_parts_length(&ring->blocks, block, block + 1);
    if (end > length)
        end = length;
    return (struct piece){ct_part_begin(&ring->blocks, block) + begin, end > begin ? end - begin : 0};
}

/* The t-th message brings a segment of the block before that of which one leaves. */
static struct piece arriving(const struct ring *ring, size_t t)
{
    return piece_of(ring, 1 + t / ring->segments.count, t % ring->segments.count);
}

static struct piece leaving(const struct ring *ring, size_t t)
{
    return piece_of(ring, t / ring->segments.count, t % ring->segments.count);
}

static size_t arrival_offset(const struct ring *ring, size_t t)
{
    return ring->call->in_place ? t % ring->room * ring->segments.length : arriving(ring, t).offset;
}

/* What a rank adds to a passing block is its input, so nothing need be copied before. */
static void combine(struct ct_plan *plan, const struct ring *ring, size_t t)
{
    struct piece piece = arriving(ring, t);
    if (ring->call->in_place)
        ct_reduce(plan, CT_RECV, piece.offset, ring->work, arrival_offset(ring, t), piece.n);
    else
        ct_reduce(plan, CT_RECV, piece.offset, CT_SEND, piece.offset, piece.n);
}

static void combine_around(struct ct_plan *plan, const struct ring *ring)
{
    size_t count = ring->segments.count, messages = ((size_t)ring->call->size - 1) * count;
    for (size_t t = 0; t < messages; t++) {
        unsigned from = t < count && !ring->call->in_place ? CT_SEND : CT_RECV;
        struct piece piece = leaving(ring, t);
        ct_receive(plan, ring->previous, ring->work, arrival_offset(ring, t), arriving(ring, t).n);
        ct_send(plan, ring->next, from, piece.offset, piece.n);
        if (count > 1 && t > 0)
            combine(plan, ring, t - 1);
        ct_round_end(plan);
        if (count == 1 || t == messages - 1)
            combine(plan, ring, t);
        ct_round_end(plan);
    }
}

static void spread(struct ct_plan *plan, const struct ring *ring)
{
    size_t count = ring->segments.count, messages = ((size_t)ring->call->size - 1) * count;
    for (size_t t = 0; t < messages; t++) {
        struct piece in = arriving(ring, t), out = leaving(ring, t);
        ct_receive(plan, ring->previous, CT_RECV, in.offset, in.n);
        ct_send(plan, ring->next, CT_RECV, out.offset, out.n);
        ct_round_end(plan);
    }
}

void ct_allreduce_ring_blocks(struct ct_plan *plan, const struct ct_call *call, size_t segment_bytes)
{
    if (call->size == 1 && !call->in_place)
        ct_copy(plan, CT_RECV, 0, CT_SEND, 0, call->count);
    if (call->size == 1 || call->count == 0)
        return;
    struct ring ring = {.call = call,
                        .blocks = ct_parts_dealt(call->count, call->size),
                        .next = ct_actual(call->rank, 1, call->size),
                        .previous = ct_virtual(call->rank, 1, call->size),
                        .first = call->rank,
                        .work = CT_RECV};
    ring.segments = ct_segments_cut(ct_part_begin(&ring.blocks, 1), call->unit_bytes, segment_bytes);
    ring.room = ring.segments.count > 1 ? 2 : 1;
    if (call->in_place)
        ring.work = ct_temporary(plan, ring.room * ring.segments.length);
    combine_around(plan, &ring);
    ring.first = ring.next; /* the block that is complete here */
    spread(plan, &ring);
}
