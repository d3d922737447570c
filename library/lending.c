/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/lending.h"
#include "base/memory.h"
#include "library/charge.h"

#include <limits.h>
#include <string.h>

/* Blocks of a side that lie alike in memory, one behind the other. */
struct span {
    char *user;
    char *bytes;
    size_t count; /* elements */
    MPI_Datatype type;
    const struct ct_layout *layout;
    MPI_Comm comm; /* where errors are raised */
};

/* Packs (or unpacks) a span, in pieces that MPI's int counts can carry. */
static int convert(struct span span, bool unpack)
{
    size_t size = span.layout->size;
    ct_charge_copy(span.count * size);
    if (span.layout->contiguous) {
        memcpy(unpack ? span.user : span.bytes, unpack ? span.bytes : span.user, span.count * size);
        return MPI_SUCCESS;
    }
    if (size > INT_MAX)
        return MPI_ERR_COUNT;
    size_t most = size ? INT_MAX / size : span.count;
    for (size_t left = size ? span.count : 0, n; left > 0; left -= n) {
        n = left < most ? left : most;
        int position = 0, length = (int)(n * size);
        int code = unpack
                       ? PMPI_Unpack(span.bytes, length, &position, span.user, (int)n, span.type, span.comm)
                       : PMPI_Pack(span.user, (int)n, span.type, span.bytes, length, &position, span.comm);
        if (code != MPI_SUCCESS)
            return code;
        span.user += (MPI_Aint)n * span.layout->extent;
        span.bytes += length;
    }
    return MPI_SUCCESS;
}

/* A side under work. */
struct work {
    struct ct_channel *channel;
    unsigned which; /* CT_BUFFER_SEND or CT_BUFFER_RECV: whose memory serves */
    const struct ct_side *side;
    size_t blocks;
    struct ct_lent *lent;
};

static int find_layout(const struct work *work, size_t block, const struct ct_layout **ret_layout)
{
    const struct ct_side *side = work->side;
    return ct_channel_layout(work->channel, work->which, side->types ? side->types[block] : side->type,
                             ret_layout);
}

/* Where a block's elements begin behind the side's buffer. */
static MPI_Aint displacement(const struct ct_side *side, size_t block, const struct ct_layout *layout)
{
    MPI_Aint places = side->displacements[block];
    return side->types ? places : places * layout->extent;
}

/* Converts blocks [first, last). */
static int convert_blocks(const struct work *work, size_t first, size_t last, bool unpack)
{
    const struct ct_side *side = work->side;
    char *user = side->buffer, *bytes = work->lent->base[work->which];
    MPI_Comm comm = work->channel->messages.comm;
    const struct ct_layout *layout;
    int code = MPI_SUCCESS;
    if (!side->counts) {
        code = find_layout(work, 0, &layout);
        size_t before = first * side->count;
        if (code == MPI_SUCCESS)
            code =
                convert((struct span){user + (MPI_Aint)before * layout->extent, bytes + before * layout->size,
                                      (last - first) * side->count, side->type, layout, comm},
                        unpack);
        return code;
    }
    for (size_t i = first; code == MPI_SUCCESS && i < last; i++) {
        if (side->counts[i] == 0)
            continue;
        code = find_layout(work, i, &layout);
        if (code == MPI_SUCCESS)
            code = convert((struct span){user + displacement(side, i, layout),
                                         bytes + work->lent->at[work->which][i], (size_t)side->counts[i],
                                         side->types ? side->types[i] : side->type, layout, comm},
                           unpack);
    }
    return code;
}

static int reserve_packed(const struct work *work, size_t bytes)
{
    char *memory = ct_memory_reserve(&work->channel->packed[work->which], bytes ? bytes : 1);
    if (!memory)
        return MPI_ERR_NO_MEM;
    work->lent->base[work->which] = memory;
    work->lent->packed[work->which] = true;
    return MPI_SUCCESS;
}

/* Finds base and places of blocks that differ. */
static int lend_blocks(const struct work *work, bool always_packed)
{
    const struct ct_side *side = work->side;
    MPI_Aint *at = (void *)ct_memory_reserve(&work->channel->places[work->which], work->blocks * sizeof *at);
    if (!at)
        return MPI_ERR_NO_MEM;
    bool packs = always_packed;
    const struct ct_layout *layout;
    for (size_t i = 0; i < work->blocks; i++) {
        at[i] = 0;
        if (side->counts[i] == 0)
            continue;
        int code = find_layout(work, i, &layout);
        if (code != MPI_SUCCESS)
            return code;
        packs |= !layout->contiguous;
        at[i] = displacement(side, i, layout);
    }
    work->lent->at[work->which] = at;
    if (!packs) {
        work->lent->base[work->which] = side->buffer;
        return MPI_SUCCESS;
    }
    size_t total = 0;
    for (size_t i = 0; i < work->blocks; i++) {
        size_t bytes = 0;
        at[i] = (MPI_Aint)total;
        if (side->counts[i] == 0)
            continue;
        int code = find_layout(work, i, &layout);
        if (code != MPI_SUCCESS)
            return code;
        if (!ct_multiply((size_t)side->counts[i], layout->size, &bytes) || !ct_add(total, bytes, &total))
            return MPI_ERR_COUNT;
    }
    return reserve_packed(work, total);
}

static int lend_side(const struct work *work, bool always_packed)
{
    const struct ct_side *side = work->side;
    if (side->counts)
        return lend_blocks(work, always_packed);
    const struct ct_layout *layout;
    size_t bytes;
    int code = find_layout(work, 0, &layout);
    if (code != MPI_SUCCESS)
        return code;
    work->lent->at[work->which] = NULL;
    work->lent->base[work->which] = side->buffer;
    if (layout->contiguous && !always_packed)
        return MPI_SUCCESS;
    if (!ct_multiply(side->count, layout->size, &bytes) || !ct_multiply(bytes, work->blocks, &bytes))
        return MPI_ERR_COUNT;
    return reserve_packed(work, bytes);
}

static size_t blocks_of(enum ct_contents contents, const struct ct_call *call)
{
    return ct_contents_are_many(contents) ? (size_t)call->size : 1;
}

static bool is_elsewhere(const struct ct_collective_description *about, const struct ct_call *call)
{
    return about->has_root && call->rank != call->root;
}

int ct_lend(struct ct_channel *channel, const struct ct_collective_description *about,
            const struct ct_operands *operands, const struct ct_call *call, struct ct_lent *ret_lent)
{
    bool elsewhere = is_elsewhere(about, call);
    enum ct_contents input = about->input[elsewhere], result = about->result[elsewhere];
    bool saved = about->in_place == CT_IN_PLACE_INPUT_SAVED && operands->send.buffer == MPI_IN_PLACE;
    bool has_send = input != CT_CONTENTS_NOTHING && !about->one_buffer &&
                    !(call->in_place && about->in_place == CT_IN_PLACE_INPUT_IN_RESULT);
    bool has_recv =
        result != CT_CONTENTS_NOTHING && !(call->in_place && about->in_place == CT_IN_PLACE_RESULT_IN_INPUT);
    bool input_in_recv = input != CT_CONTENTS_NOTHING && !has_send;
    int code = MPI_SUCCESS;
    *ret_lent = (struct ct_lent){0};
    if (has_send) {
        const struct work work = {channel, CT_BUFFER_SEND, saved ? &operands->recv : &operands->send,
                                  blocks_of(input, call), ret_lent};
        code = lend_side(&work, saved);
        if (code == MPI_SUCCESS && ret_lent->packed[CT_BUFFER_SEND])
            code = convert_blocks(&work, 0, work.blocks, false);
    }
    if (has_recv && code == MPI_SUCCESS) {
        const struct work work = {channel, CT_BUFFER_RECV, &operands->recv, blocks_of(result, call),
                                  ret_lent};
        size_t own = ct_contents_are_many(result) ? (size_t)call->rank : 0;
        code = lend_side(&work, false);
        if (code == MPI_SUCCESS && ret_lent->packed[CT_BUFFER_RECV] && input_in_recv)
            code = convert_blocks(&work, own, own + 1, false);
    }
    return code;
}

int ct_take_back(struct ct_channel *channel, const struct ct_collective_description *about,
                 const struct ct_operands *operands, const struct ct_call *call, const struct ct_lent *lent)
{
    bool elsewhere = is_elsewhere(about, call);
    if (!lent->packed[CT_BUFFER_RECV] || (about->one_buffer && !elsewhere))
        return MPI_SUCCESS;
    struct ct_lent copy = *lent;
    const struct work work = {channel, CT_BUFFER_RECV, &operands->recv,
                              blocks_of(about->result[elsewhere], call), &copy};
    return convert_blocks(&work, 0, work.blocks, true);
}
