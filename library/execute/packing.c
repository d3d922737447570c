/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/execute/packing.h"
#include "base/memory.h"
#include "library/execute/channel.h"
#include "library/execute/self_message.h"
#include "library/execute/topology.h"
#include "library/mpi/backend_mpi.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

/* A side that is packed or unpacked. */
struct packing {
    struct ct_flight *flight;
    struct ct_buffers *buffers;
    unsigned which; /* CT_BUFFER_SEND or CT_BUFFER_RECV: whose memory serves */
    const struct ct_side *side;
    size_t blocks;
    const size_t *bytes; /* of each block, in v and w forms, or where blocks have places of their own */
    const struct ct_topology *topology; /* of a sparse collective; else NULL */
};

/* The number of a block among the user's. */
static size_t user_block(const struct packing *packing, size_t block)
{
    return ct_topology_place(packing->topology, packing->which, block);
}

static int find_layout(const struct packing *packing, size_t block, const struct ct_layout **ret_layout)
{
    return ct_channel_layout(packing->flight->channel, packing->which,
                             ct_side_type(packing->side, user_block(packing, block)), ret_layout);
}

/* Elements whose bytes are more than the int counts of MPI's pack functions. */
static int convert_large(const struct packing *packing, bool unpacks, char *user, char *bytes, size_t count,
                         MPI_Datatype type, const struct ct_layout *layout)
{
    int code = MPI_SUCCESS;
    for (size_t i = 0; code == MPI_SUCCESS && i < count; i++) {
        code = ct_convert_by_message(&packing->flight->messages, unpacks, user, 1, type, bytes, layout->size);
        user += layout->extent;
        bytes += layout->size;
    }
    return code;
}

/* Packs (or unpacks) `count` elements at `user`, in pieces that MPI's int counts can carry. */
static int convert_at(const struct packing *packing, bool unpacks, char *user, char *bytes, size_t count,
                      MPI_Datatype type, const struct ct_layout *layout)
{
    MPI_Comm comm = packing->flight->messages.comm;
    size_t size = layout->size;
    if (size > INT_MAX)
        return convert_large(packing, unpacks, user, bytes, count, type, layout);
    size_t most = INT_MAX / size;
    for (size_t left = count, n; left > 0; left -= n) {
        n = left < most ? left : most;
        int position = 0, length = (int)(n * size);
        int code = unpacks ? PMPI_Unpack(bytes, length, &position, user, (int)n, type, comm)
                           : PMPI_Pack(user, (int)n, type, bytes, length, &position, comm);
        if (code != MPI_SUCCESS)
            return code;
        user += (MPI_Aint)n * layout->extent;
        bytes += length;
    }
    return MPI_SUCCESS;
}

/* The same at MPI_BOTTOM. PMPI_Pack() and PMPI_Unpack() of MPICH refuse that address, so this passes the
 * address where the data begins, and a type whose data begins at 0. */
static int convert_at_bottom(const struct packing *packing, bool unpacks, char *bytes, size_t count,
                             MPI_Datatype type, const struct ct_layout *layout)
{
    const int one = 1;
    const MPI_Aint back = -layout->true_lb;
    MPI_Datatype shifted;
    int code = PMPI_Type_create_hindexed(1, &one, &back, type, &shifted);
    if (code != MPI_SUCCESS)
        return code;
    code = PMPI_Type_commit(&shifted);
    if (code == MPI_SUCCESS)
        code = convert_at(packing, unpacks, (char *)layout->true_lb, bytes, count, shifted, layout);
    PMPI_Type_free(&shifted);
    return code;
}

static int convert_elements(const struct packing *packing, bool unpacks, char *user, char *bytes,
                            size_t count, MPI_Datatype type, const struct ct_layout *layout)
{
    size_t length = count * layout->size;
    ct_charge_copy(length);
    if (length == 0)
        return MPI_SUCCESS;
    if (layout->contiguous)
        memcpy(unpacks ? user : bytes, unpacks ? bytes : user, length);
    else if (user == MPI_BOTTOM)
        return convert_at_bottom(packing, unpacks, bytes, count, type, layout);
    else
        return convert_at(packing, unpacks, user, bytes, count, type, layout);
    return MPI_SUCCESS;
}

/* Where a block begins in the user's buffer, in bytes. */
static MPI_Aint displacement(const struct ct_side *side, size_t block, const struct ct_layout *layout)
{
    if (!side->counts)
        return (MPI_Aint)(block * side->count) * layout->extent;
    MPI_Aint place = ct_side_displacement(side, block);
    return side->types ? place : place * layout->extent;
}

/* Packs (or unpacks) blocks [first, last). */
static int convert_blocks(const struct packing *packing, size_t first, size_t last, bool unpacks)
{
    const struct ct_side *side = packing->side;
    char *user = side->buffer, *bytes = packing->buffers->base[packing->which];
    const struct ct_layout *layout;
    if (!packing->bytes) {
        int code = find_layout(packing, 0, &layout);
        if (code != MPI_SUCCESS)
            return code;
        size_t before = first * side->count;
        return convert_elements(packing, unpacks, user + (MPI_Aint)before * layout->extent,
                                bytes + before * layout->size, (last - first) * side->count, side->type,
                                layout);
    }
    for (size_t i = first; i < last; i++) {
        size_t place = user_block(packing, i), count = ct_side_elements(side, place);
        if (count == 0)
            continue;
        int code = find_layout(packing, i, &layout);
        if (code == MPI_SUCCESS)
            code = convert_elements(packing, unpacks, user + displacement(side, place, layout),
                                    bytes + packing->buffers->at[packing->which][i], count,
                                    ct_side_type(side, place), layout);
        if (code != MPI_SUCCESS)
            return code;
    }
    return MPI_SUCCESS;
}

static int reserve_packed(const struct packing *packing, size_t bytes)
{
    char *memory = ct_memory_reserve(&packing->flight->packed[packing->which], bytes ? bytes : 1);
    if (!memory)
        return MPI_ERR_NO_MEM;
    packing->buffers->base[packing->which] = memory;
    packing->buffers->packed[packing->which] = true;
    return MPI_SUCCESS;
}

/* Finds base and places of blocks that differ. */
static int place_blocks(const struct packing *packing, bool packs)
{
    const struct ct_side *side = packing->side;
    size_t bytes = (packing->blocks + 1) * sizeof(MPI_Aint), total = 0;
    MPI_Aint *at = (void *)ct_memory_reserve(&packing->flight->places[packing->which], bytes);
    if (!at)
        return MPI_ERR_NO_MEM;
    assert(packing->bytes);
    packing->buffers->at[packing->which] = at;
    const struct ct_layout *layout = NULL; /* of all blocks that have no types of their own */
    for (size_t i = 0; i < packing->blocks; i++) {
        size_t place = user_block(packing, i);
        at[i] = 0;
        if (ct_side_elements(side, place) == 0)
            continue;
        int code = layout && !side->types ? MPI_SUCCESS : find_layout(packing, i, &layout);
        if (code != MPI_SUCCESS)
            return code;
        packs |= !layout->contiguous;
        at[i] = displacement(side, place, layout);
    }
    if (!packs)
        return MPI_SUCCESS;
    for (size_t i = 0; i < packing->blocks; i++) {
        at[i] = (MPI_Aint)total;
        if (!ct_add(total, packing->bytes[i], &total))
            return MPI_ERR_COUNT;
    }
    return reserve_packed(packing, total);
}

/* Finds base and places of a side: the user's own where that will do, else memory to pack it into. */
static int place_side(const struct packing *packing, bool packs)
{
    const struct ct_side *side = packing->side;
    packing->buffers->base[packing->which] = side->buffer;
    if (packing->bytes)
        return place_blocks(packing, packs);
    if (packing->blocks == 0)
        return MPI_SUCCESS;
    const struct ct_layout *layout;
    size_t bytes;
    int code = find_layout(packing, 0, &layout);
    if (code != MPI_SUCCESS || (layout->contiguous && !packs))
        return code;
    if (!ct_multiply(side->count, layout->size, &bytes) || !ct_multiply(bytes, packing->blocks, &bytes))
        return MPI_ERR_COUNT;
    return reserve_packed(packing, bytes);
}

/* Are its bytes in memory those of the signature, as is known from the call before? */
static bool is_ready(const struct ct_channel *channel, unsigned which, const struct ct_side *side,
                     const size_t *counts)
{
    const struct ct_side_memory *memory = &channel->sides[which];
    return !side->counts && !counts && memory->layout.contiguous && ct_side_knows(memory, side->type);
}

/* How many blocks a side has. */
static size_t blocks_of(enum ct_contents contents, unsigned which, const struct ct_call *call)
{
    bool is_many = ct_contents_are_many(contents) || contents == CT_CONTENTS_PARTS_FOR_DESTINATIONS ||
                   contents == CT_CONTENTS_OF_SOURCES || contents == CT_CONTENTS_PARTS_OF_SOURCES;
    return is_many ? ct_call_blocks(call, which) : 1;
}

static struct packing packing_of(struct ct_flight *flight, unsigned which, const struct ct_side *side,
                                 enum ct_contents contents, const struct ct_call *call,
                                 struct ct_buffers *buffers)
{
    return (struct packing){.flight = flight,
                            .buffers = buffers,
                            .which = which,
                            .side = side,
                            .blocks = blocks_of(contents, which, call),
                            .topology = call->neighbors ? flight->channel->topology : NULL,
                            .bytes = which == CT_BUFFER_SEND ? call->send_counts : call->recv_counts};
}

int ct_buffers_pack(struct ct_flight *flight, const struct ct_collective_description *about,
                    const struct ct_operands *operands, const struct ct_call *call,
                    struct ct_buffers *ret_buffers)
{
    bool elsewhere = ct_is_elsewhere(about, call->rank, call->root),
         saved = ct_is_saved_input(about, operands);
    enum ct_contents input = about->input[elsewhere], result = about->result[elsewhere];
    bool has_input = input != CT_CONTENTS_NOTHING, has_result = result != CT_CONTENTS_NOTHING;
    bool has_send = has_input && !about->one_buffer &&
                    !(call->in_place && about->in_place == CT_IN_PLACE_INPUT_IN_RESULT);
    bool has_recv = has_result && !(call->in_place && about->in_place == CT_IN_PLACE_RESULT_IN_INPUT);
    for (int side = 0; side < 2; side++) {
        ret_buffers->base[side] = NULL;
        ret_buffers->at[side] = NULL;
        ret_buffers->packed[side] = false;
    }
    int code = MPI_SUCCESS;
    if (has_send && !saved && is_ready(flight->channel, CT_BUFFER_SEND, &operands->send, call->send_counts)) {
        ret_buffers->base[CT_BUFFER_SEND] = operands->send.buffer;
    } else if (has_send) {
        const struct packing send = packing_of(
            flight, CT_BUFFER_SEND, saved ? &operands->recv : &operands->send, input, call, ret_buffers);
        code = place_side(&send, saved);
        if (code == MPI_SUCCESS && ret_buffers->packed[CT_BUFFER_SEND])
            code = convert_blocks(&send, 0, send.blocks, false);
    }
    if (code != MPI_SUCCESS || !has_recv)
        return code;
    if (is_ready(flight->channel, CT_BUFFER_RECV, &operands->recv, call->recv_counts)) {
        ret_buffers->base[CT_BUFFER_RECV] = operands->recv.buffer;
        return MPI_SUCCESS;
    }
    const struct packing recv =
        packing_of(flight, CT_BUFFER_RECV, &operands->recv, result, call, ret_buffers);
    code = place_side(&recv, false);
    if (code != MPI_SUCCESS || !ret_buffers->packed[CT_BUFFER_RECV] || !has_input || has_send)
        return code;
    /* The input lies where the result is to be. */
    size_t own = ct_contents_are_many(result) ? (size_t)call->rank : 0;
    return convert_blocks(&recv, own, own + 1, false);
}

int ct_buffers_unpack(struct ct_flight *flight, const struct ct_collective_description *about,
                      const struct ct_operands *operands, const struct ct_call *call,
                      struct ct_buffers *buffers)
{
    bool elsewhere = ct_is_elsewhere(about, call->rank, call->root);
    if (!buffers->packed[CT_BUFFER_RECV] || (about->one_buffer && !elsewhere))
        return MPI_SUCCESS;
    const struct packing recv =
        packing_of(flight, CT_BUFFER_RECV, &operands->recv, about->result[elsewhere], call, buffers);
    return convert_blocks(&recv, 0, recv.blocks, true);
}
