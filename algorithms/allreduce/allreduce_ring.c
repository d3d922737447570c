/* SPDX-License-Identifier: BSD-3-Clause */
/* The data is dealt into P blocks. Each block travels once around the ring being combined, then once more as
 * the result. Blocks may be empty: any count will do.
 *
 * Source: Pjesivac-Grbovic 2007, section 4.1.2, table 4.10.
 * Cost:   2 (P - 1) (alpha + m / P beta) + (P - 1) / P m gamma.
 * Memory: none; in place one block. */
#include "algorithms/registry.h"
#include "algorithms/shapes.h"

struct ring {
    const struct ct_call *call;
    int next;
    int previous;
};

static size_t block_offset(const struct ring *ring, int block)
{
    return ct_part_offset(ring->call->count, (size_t)ring->call->size, (size_t)block);
}

static size_t block_length(const struct ring *ring, int block)
{
    return block_offset(ring, block + 1) - block_offset(ring, block);
}

/* Every block passes by once; what a rank adds to it is its input, so nothing need be copied before. */
static void combine_around(struct ct_plan *plan, const struct ring *ring)
{
    const struct ct_call *call = ring->call;
    unsigned input = call->in_place ? CT_RECV : CT_SEND;
    unsigned work = call->in_place ? ct_temporary(plan, block_length(ring, 0)) : CT_RECV;
    int block = call->rank;
    for (int k = 0; k < call->size - 1; k++) {
        int coming = ct_virtual(block, 1, call->size);
        size_t offset = block_offset(ring, coming), length = block_length(ring, coming);
        ct_receive(plan, ring->previous, work, call->in_place ? 0 : offset, length);
        ct_send(plan, ring->next, k == 0 ? input : CT_RECV, block_offset(ring, block),
                block_length(ring, block));
        ct_round_end(plan);
        if (call->in_place)
            ct_reduce(plan, CT_RECV, offset, work, 0, length);
        else
            ct_reduce(plan, CT_RECV, offset, CT_SEND, offset, length);
        ct_round_end(plan);
        block = coming;
    }
}

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    if (call->size == 1) {
        if (!call->in_place)
            ct_copy(plan, CT_RECV, 0, CT_SEND, 0, call->count);
        return;
    }
    const struct ring ring = {.call = call,
                              .next = ct_actual(call->rank, 1, call->size),
                              .previous = ct_virtual(call->rank, 1, call->size)};
    combine_around(plan, &ring);
    int block = ring.next; /* the one that is complete here */
    for (int k = 0; k < call->size - 1; k++) {
        int coming = ct_virtual(block, 1, call->size);
        ct_receive(plan, ring.previous, CT_RECV, block_offset(&ring, coming), block_length(&ring, coming));
        ct_send(plan, ring.next, CT_RECV, block_offset(&ring, block), block_length(&ring, block));
        ct_round_end(plan);
        block = coming;
    }
}

const struct ct_algorithm allreduce_ring = {
    .name = "ring",
    .collective = CT_ALLREDUCE,
    .text = "blocks go twice around the ring: combined, then spread",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "2 (P - 1) (alpha + m / P beta) + (P - 1) / P m gamma",
    .sends = {"2 * (P - 1)", "2 * (P - 1) * m / P", "2 * P * (P - 1)", "2 * (P - 1) * m"},
    .constraints = CT_COMMUTATIVE,
    .build = build,
};
