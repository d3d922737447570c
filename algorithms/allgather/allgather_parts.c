/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/allgather/allgather_parts.h"

struct ct_allgather_parts ct_allgather_in_result(const struct ct_call *call)
{
    struct ct_slice input = {.buffer = CT_BUFFER_SEND, .n = call->count};
    return (struct ct_allgather_parts){
        .rank = call->rank,
        .size = call->size,
        .buffer = CT_BUFFER_RECV,
        .parts = ct_parts_equal(call->count),
        .block_counts = call->recv_counts,
        .own = call->in_place ? ct_recv_block(call, call->rank) : input,
    };
}

struct ct_allgather_parts ct_allgather_packed(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_allgather_parts group = ct_allgather_in_result(call);
    if (call->recv_counts) {
        group.block_counts = NULL;
        group.parts = ct_parts_of(plan, call->recv_counts, call->size, 0);
        group.buffer = ct_temporary(plan, ct_part_begin(&group.parts, call->size));
    }
    return group;
}

size_t ct_allgather_packed_begin(const struct ct_allgather_parts *group, int first, int i)
{
    if (first + i <= group->size)
        return ct_parts_length(&group->parts, first, first + i);
    return ct_parts_length(&group->parts, first, group->size) +
           ct_part_begin(&group->parts, first + i - group->size);
}

void ct_allgather_unpack(struct ct_plan *plan, const struct ct_call *call,
                         const struct ct_allgather_parts *group, int first)
{
    if (!call->recv_counts) {
        size_t begin = ct_part_begin(&group->parts, first), n = ct_part_begin(&group->parts, group->size);
        ct_copy(plan, CT_BUFFER_RECV, begin, group->buffer, 0, n - begin);
        ct_copy(plan, CT_BUFFER_RECV, 0, group->buffer, n - begin, begin);
        return;
    }
    for (int i = 0; i < group->size; i++) {
        struct ct_slice block = ct_recv_block(call, ct_actual(i, first, group->size));
        struct ct_slice packed = {
            .buffer = group->buffer, .offset = ct_allgather_packed_begin(group, first, i), .n = block.n};
        ct_copy_slice(plan, block, packed);
    }
}

struct ct_slice ct_allgather_part(const struct ct_allgather_parts *group, int rank)
{
    if (group->block_counts)
        return (struct ct_slice){
            .buffer = group->buffer, .block = (size_t)rank, .n = group->block_counts[rank]};
    return (struct ct_slice){.buffer = group->buffer,
                             .offset = ct_part_begin(&group->parts, rank),
                             .n = ct_parts_length(&group->parts, rank, rank + 1)};
}

void ct_allgather_place_own(struct ct_plan *plan, const struct ct_allgather_parts *group,
                            struct ct_slice place)
{
    if (group->own.buffer != group->buffer)
        ct_copy_slice(plan, place, group->own);
}

/* Does `rank` have this part from the beginning, in addition to its own? */
static bool has(const struct ct_allgather_parts *group, int rank, int part)
{
    return group->scattered && part > rank && part < ct_tree_knomial_end(rank, group->size, 2);
}

void ct_allgather_parts_ring(struct ct_plan *plan, const struct ct_allgather_parts *group)
{
    int next = ct_actual(group->rank, 1, group->size), previous = ct_virtual(group->rank, 1, group->size);
    struct ct_slice held = group->own;
    ct_allgather_place_own(plan, group, ct_allgather_part(group, group->rank));
    for (int part = group->rank; part != next;) {
        int coming = ct_virtual(part, 1, group->size);
        struct ct_slice slice = ct_allgather_part(group, coming);
        if (!has(group, group->rank, coming))
            ct_receive_slice(plan, ct_allgather_peer(group, previous), slice);
        if (!has(group, next, part))
            ct_send_slice(plan, ct_allgather_peer(group, next), held);
        ct_round_end(plan);
        part = coming;
        held = slice;
    }
}

static void send(struct ct_plan *plan, const struct ct_allgather_parts *group, int peer, int first, int last)
{
    ct_send_parts(plan, ct_allgather_peer(group, peer), group->buffer, &group->parts, first, last);
}

static void receive(struct ct_plan *plan, const struct ct_allgather_parts *group, int peer, int first,
                    int last)
{
    ct_receive_parts(plan, ct_allgather_peer(group, peer), group->buffer, &group->parts, first, last);
}

/* The odd one of a pair hands its part to the even one, which places its own meanwhile. */
static void fold(struct ct_plan *plan, const struct ct_allgather_parts *group)
{
    if (group->rank % 2 == 1) {
        ct_send_slice(plan, ct_allgather_peer(group, group->rank - 1), group->own);
    } else {
        ct_allgather_place_own(plan, group, ct_allgather_part(group, group->rank));
        receive(plan, group, group->rank + 1, group->rank + 1, group->rank + 2);
    }
    ct_round_end(plan);
}

/* What ranks of the core have: the parts of `width` of them that follow one another. A rank and the one whose
 * place differs by `bits` swap it. Where the parts were scattered, the one whose place 2 * width divides has
 * the other's. */
static void swap(struct ct_plan *plan, const struct ct_allgather_parts *group, int folded, int width,
                 int bits)
{
    int place = ct_allgather_core_place(group->rank, folded), partner = place ^ bits;
    int held = place & -width, coming = partner & -width;
    int peer = ct_allgather_core_rank(partner, folded);
    if (!group->scattered || place % (2 * width) != 0)
        receive(plan, group, peer, ct_allgather_core_rank(coming, folded),
                ct_allgather_core_rank(coming + width, folded));
    if (group->scattered && partner % (2 * width) == 0)
        return;
    if (width == 1 && group->rank >= 2 * folded)
        ct_send_slice(plan, ct_allgather_peer(group, peer), group->own);
    else
        send(plan, group, peer, ct_allgather_core_rank(held, folded),
             ct_allgather_core_rank(held + width, folded));
}

void ct_allgather_parts_double(struct ct_plan *plan, const struct ct_allgather_parts *group, int direct)
{
    assert(direct == 0 || !group->scattered);
    int folded = ct_allgather_folded(group->size), core = group->size - folded, width = 1;
    bool in_pair = group->rank < 2 * folded, in_core = !in_pair || group->rank % 2 == 0;
    if (!in_pair)
        ct_allgather_place_own(plan, group, ct_allgather_part(group, group->rank));
    else if (!group->scattered)
        fold(plan, group);
    for (; in_core && width < core >> direct; width *= 2) {
        swap(plan, group, folded, width, width);
        ct_round_end(plan);
    }
    for (int bits = width; in_core && bits < core; bits += width)
        swap(plan, group, folded, width, bits);
    ct_round_end(plan);
    if (!in_core)
        receive(plan, group, group->rank - 1, 0, group->size);
    else if (in_pair)
        send(plan, group, group->rank + 1, 0, group->size);
}
