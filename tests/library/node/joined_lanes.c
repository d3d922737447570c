/* SPDX-License-Identifier: BSD-3-Clause */
#include "joined_lanes.h"
#include "base/memory.h"
#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cmocka.h>

static struct ct_ring_side make_side(unsigned char *memory, size_t bytes, uint64_t first)
{
    struct ct_ring_side side = {.ring = (struct ct_ring *)(void *)memory,
                                .chunks = memory + sizeof(struct ct_ring),
                                .cells = first,
                                .used_chunks = first,
                                .known_taken = first,
                                .known_chunks_taken = first};
    ct_ring_divide(bytes, &side.chunk_bytes, &side.chunk_count);
    return side;
}

/* What is there after `first` cells. */
static void fill_ring(struct ct_ring *ring, uint64_t first)
{
    memset(ring, 0, sizeof *ring);
    atomic_store(&ring->taken, first);
    atomic_store(&ring->chunks_taken, first);
    for (uint64_t i = 0; i < CT_RING_CELLS && i < first; i++)
        atomic_store(&ring->cells[(first - i - 1) % CT_RING_CELLS].number, first - i);
    for (int i = 0; i < CT_RING_COPIES; i++)
        atomic_store(&ring->copied[i], first);
}

void join_lanes(size_t bytes, uint64_t first, struct joined_lanes *ret_joined)
{
    struct ct_ring_side sides[2];
    for (int i = 0; i < 2; i++) {
        unsigned char *memory = ct_allocate_lines(1, bytes);
        if (!memory)
            abort();
        ret_joined->memory[i] = memory;
        sides[i] = make_side(memory, bytes, first);
        fill_ring(sides[i].ring, first);
    }
    for (int i = 0; i < 2; i++) {
        ct_lane_make(&ret_joined->lanes[i], &sides[!i], &sides[i]);
        ret_joined->lanes[i].process = getpid();
        for (int k = 0; k < CT_RING_COPIES; k++)
            ret_joined->lanes[i].copies_begun[k] = first;
    }
}

void part_lanes(struct joined_lanes *joined)
{
    for (int i = 0; i < 2; i++) {
        ct_lane_free(&joined->lanes[i]);
        free(joined->memory[i]);
    }
}

void join_star(size_t bytes, uint64_t first, struct starred_lanes *ret_star)
{
    ret_star->memory = ct_allocate_lines(1, bytes);
    for (int i = 0; i < READERS; i++)
        join_lanes(bytes, first, &ret_star->pairs[i]);
    if (!ret_star->memory ||
        ct_board_make(ret_star->memory, bytes, ret_star->pairs[0].lanes[0].out.chunk_bytes, READERS,
                      &ret_star->board) != CT_OK)
        abort();
    for (int i = 0; i < READERS; i++) {
        ret_star->pairs[i].lanes[0].board = &ret_star->board;
        ret_star->pairs[i].lanes[1].other_board = ret_star->memory;
    }
}

void part_star(struct starred_lanes *star)
{
    for (int i = 0; i < READERS; i++)
        part_lanes(&star->pairs[i]);
    ct_board_free(&star->board);
    free(star->memory);
}

bool can_copy(void)
{
    char from = 1, to = 0;
    const struct iovec remote = {&from, 1}, local = {&to, 1};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == 1;
}

void copy_from(struct joined_lanes *joined, size_t bytes)
{
    joined->lanes[0].copy_from = joined->lanes[1].copy_from = bytes;
}

struct ct_transfer sending(struct ct_lane *lane, uint64_t label, const void *from, size_t bytes)
{
    return (struct ct_transfer){.lane = lane,
                                .address = (char *)from,
                                .left = bytes,
                                .call.label = label << 8,
                                .sends = true,
                                .slot = CT_NO_SLOT};
}

struct ct_transfer receiving(struct ct_lane *lane, uint64_t label, void *to, size_t bytes)
{
    return (struct ct_transfer){
        .lane = lane, .address = to, .left = bytes, .call.label = label << 8, .slot = CT_NO_SLOT};
}

struct ct_transfer reducing(struct ct_lane *lane, uint64_t label, void *to, const void *operand, size_t bytes,
                            const struct ct_reduction *reduction)
{
    struct ct_transfer transfer = receiving(lane, label, to, bytes);
    transfer.reduction = reduction;
    transfer.operand = operand;
    return transfer;
}

static unsigned char content(size_t place, uint64_t message)
{
    uint64_t state = message << 32 | place;
    return (unsigned char)ct_random(&state);
}

unsigned char *new_contents(size_t bytes, uint64_t message)
{
    unsigned char *contents = malloc(bytes + (bytes == 0));
    if (!contents)
        abort();
    for (size_t i = 0; i < bytes; i++)
        contents[i] = content(i, message);
    return contents;
}

bool are_contents(const unsigned char *contents, size_t bytes, uint64_t message)
{
    size_t i = 0;
    while (i < bytes && contents[i] == content(i, message))
        i++;
    return i == bytes;
}

void finish_both(struct ct_transfer *out, struct ct_transfer *in)
{
    enum { LOOKS = 1 << 20 };
    bool is_sent = !out, is_received = !in;
    for (int i = 0; i < LOOKS && !(is_sent && is_received); i++) {
        is_received = is_received || ct_lane_receive(in);
        is_sent = is_sent || ct_lane_send(out);
    }
    assert_true(is_sent && is_received);
}

void pass_message(struct joined_lanes *joined, int from, size_t sent, size_t expected, uint64_t message)
{
    enum { LABEL = 7, UNTOUCHED = 0xa5 };
    unsigned char *contents = new_contents(sent, message), *to = malloc(expected + 1);
    struct ct_transfer out = sending(&joined->lanes[from], LABEL, contents, sent);
    struct ct_transfer in = receiving(&joined->lanes[!from], LABEL, to, expected);
    size_t common = sent < expected ? sent : expected;
    memset(to, UNTOUCHED, expected + 1);
    finish_both(&out, &in);
    assert_int_equal(in.flaw, sent > expected   ? CT_TRANSFER_TOO_LONG
                              : sent < expected ? CT_TRANSFER_TOO_SHORT
                                                : CT_TRANSFER_RIGHT);
    assert_true(are_contents(to, common, message));
    for (size_t i = common; i <= expected; i++)
        assert_int_equal(to[i], UNTOUCHED);
    free(contents);
    free(to);
}
