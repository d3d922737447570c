/* SPDX-License-Identifier: BSD-3-Clause */
/* The ring in segments: no message exceeds a segment, and while segments of a block arrive, those before them
 * are combined. In the source each segment of all blocks goes around the ring before the next; here all
 * segments of a block travel before those of the next block, the result in segments too, with no pause
 * between. So up to eight messages are in flight each way, as far as a block has segments, and none waits for
 * another's latency.
 * Memory: none; in place nine segments, but no more than a block has. */
#include "algorithms/allreduce/allreduce.h"
#include "algorithms/descriptor.h"
#include "algorithms/shared_parameters.h"
#include "plan/parts.h"

/* So many messages may be begun each way before the first of them is waited for. */
enum { AHEAD = 8 };

struct ring {
    const struct ct_call *call;
    struct ct_parts blocks;
    struct ct_segments segments; /* of the longest block; the others have as many, the last one shorter */
    int next;
    int previous;
    size_t combined; /* so many messages bring what is combined, as many after them results */
    size_t lag;      /* a message is waited for when so many later ones follow */
    unsigned work;   /* in place: where first segments come in; else CT_BUFFER_RECV, at their own places */
    unsigned slots[AHEAD]
                  [2]; /* of the messages under way, in turn: the one that comes in and the one that leaves */
};

struct piece {
    size_t offset; /* in the data */
    size_t n;
};

/* The t-th message sends a segment of our own block, or of those of the ranks before it; the last block to
 * come in being combined is the first that leaves as a result. */
static struct piece piece_of(const struct ring *ring, size_t distance, size_t s)
{
    int size = ring->call->size, block = ct_virtual(ring->call->rank, (int)(distance % (size_t)size), size);
    size_t begin = ct_segment_offset(&ring->segments, s), end = begin + ring->segments.length;
    size_t length = ct_parts_length(&ring->blocks, block, block + 1);
    if (end > length)
        end = length;
    return (struct piece){ct_part_begin(&ring->blocks, block) + begin, end > begin ? end - begin : 0};
}

static struct piece leaving(const struct ring *ring, size_t t)
{
    return piece_of(ring, t / ring->segments.count, t % ring->segments.count);
}

static struct piece arriving(const struct ring *ring, size_t t)
{
    return piece_of(ring, 1 + t / ring->segments.count, t % ring->segments.count);
}

/* In place, data to combine come into a buffer of their own. */
static struct ct_slice arrival(const struct ring *ring, size_t t)
{
    struct piece piece = arriving(ring, t);
    if (ring->work == CT_BUFFER_RECV || t >= ring->combined)
        return (struct ct_slice){.buffer = CT_BUFFER_RECV, .offset = piece.offset, .n = piece.n};
    size_t place = t % (ring->lag + 1);
    return (struct ct_slice){.buffer = ring->work, .offset = place * ring->segments.length, .n = piece.n};
}

/* A rank adds its input to a passing block, so nothing has to be copied before. */
static void combine(struct ct_plan *plan, const struct ring *ring, size_t t)
{
    struct piece piece = arriving(ring, t);
    if (t >= ring->combined)
        return;
    if (ring->call->in_place)
        ct_reduce(plan, CT_BUFFER_RECV, piece.offset, ring->work, arrival(ring, t).offset, piece.n);
    else
        ct_reduce(plan, CT_BUFFER_RECV, piece.offset, CT_BUFFER_SEND, piece.offset, piece.n);
}

static void exchange(struct ct_plan *plan, struct ring *ring, size_t t)
{
    enum ct_deferral deferral = ring->lag > 0 ? CT_DEFERRAL_LATER : CT_DEFERRAL_IN_ROUND;
    bool is_input = t < ring->segments.count && !ring->call->in_place;
    struct piece piece = leaving(ring, t);
    struct ct_slice out = {
        .buffer = is_input ? CT_BUFFER_SEND : CT_BUFFER_RECV, .offset = piece.offset, .n = piece.n};
    unsigned *slots = ring->slots[t % AHEAD];
    slots[0] = ct_post(plan, CT_STEP_RECEIVE, ring->previous, arrival(ring, t), deferral);
    slots[1] = ct_post(plan, CT_STEP_SEND, ring->next, out, deferral);
}

static void await(struct ct_plan *plan, const struct ring *ring, size_t t)
{
    ct_wait(plan, ring->slots[t % AHEAD][0]);
    ct_wait(plan, ring->slots[t % AHEAD][1]);
}

/* A segment leaves again as many messages after it came in as a block has segments: by then it has been
 * waited for and combined, as the lag is less. */
static void go_around(struct ct_plan *plan, struct ring *ring)
{
    size_t messages = 2 * ring->combined, lag = ring->lag;
    for (size_t t = 0; t < messages; t++) {
        if (lag > 0 && t >= lag)
            await(plan, ring, t - lag);
        exchange(plan, ring, t);
        if (lag == 0)
            ct_round_end(plan);
        if (t >= lag)
            combine(plan, ring, t - lag);
        ct_round_end(plan);
    }
    for (size_t t = messages - lag; t < messages; t++)
        await(plan, ring, t);
}

void ct_allreduce_ring_blocks(struct ct_plan *plan, const struct ct_call *call)
{
    if (call->size == 1 && !call->in_place)
        ct_copy(plan, CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 0, call->count);
    if (call->size == 1 || call->count == 0)
        return;
    struct ring ring = {.call = call,
                        .blocks = ct_parts_dealt(call->count, call->size),
                        .next = ct_actual(call->rank, 1, call->size),
                        .previous = ct_virtual(call->rank, 1, call->size),
                        .work = CT_BUFFER_RECV};
    ring.segments = ct_segments_cut(ct_part_begin(&ring.blocks, 1), call->unit_bytes,
                                    ct_value_or(call, &ct_segment_parameter, 0));
    ring.combined = ((size_t)call->size - 1) * ring.segments.count;
    ring.lag = ring.segments.count - 1 < AHEAD ? ring.segments.count - 1 : AHEAD;
    if (call->in_place)
        ring.work = ct_temporary(plan, (ring.lag + 1) * ring.segments.length);
    go_around(plan, &ring);
}

const struct ct_descriptor ct_allreduce_ring_segmented = {
    .text = "the ring in segments, which are combined while the next ones arrive",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.10",
    .cost = "(P - 1) n_s (alpha + m_s beta + max(alpha + m_s beta, m_s gamma))",
    .constraints = CT_CONSTRAINT_COMMUTATIVE,
    .parameters = {&ct_segment_parameter},
    .build = ct_allreduce_ring_blocks,
};
