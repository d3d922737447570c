/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "library/channel.h"

/* From what a rank passes to the call as plans and decisions see it. */

/* The side whose count and type say how long a block is at this rank. */
static const struct ct_side *counted_side(const struct ct_collective_description *about, bool elsewhere,
                                          const struct ct_operands *operands)
{
    bool has_no_result = about->result[elsewhere] == CT_CONTENTS_NOTHING;
    bool may_lack_result = about->in_place == CT_IN_PLACE_RESULT_IN_INPUT && !elsewhere;
    return !about->reduces && (has_no_result || may_lack_result) ? &operands->send : &operands->recv;
}

static bool is_in_place(const struct ct_collective_description *about, bool elsewhere,
                        const struct ct_operands *operands)
{
    if (about->in_place == CT_IN_PLACE_INPUT_IN_RESULT)
        return operands->send.buffer == MPI_IN_PLACE;
    return about->in_place == CT_IN_PLACE_RESULT_IN_INPUT && !elsewhere &&
           operands->recv.buffer == MPI_IN_PLACE;
}

/* Lengths of the side's blocks in units, in the channel's memory. */
static int count_blocks(struct ct_channel *channel, unsigned which, const struct ct_side *side, bool in_bytes,
                        const size_t **ret_counts)
{
    size_t size = (size_t)channel->size;
    size_t *counts = (void *)ct_memory_reserve(&channel->counts[which], size * sizeof *counts);
    if (!counts)
        return MPI_ERR_NO_MEM;
    for (size_t i = 0; i < size; i++) {
        const struct ct_layout *layout;
        counts[i] = (size_t)side->counts[i];
        if (!in_bytes || counts[i] == 0)
            continue;
        int code = ct_channel_layout(channel, which, side->types ? side->types[i] : side->type, &layout);
        if (code == MPI_SUCCESS && !ct_multiply(counts[i], layout->size, &counts[i]))
            code = MPI_ERR_COUNT;
        if (code != MPI_SUCCESS)
            return code;
    }
    *ret_counts = counts;
    return MPI_SUCCESS;
}

/* Blocks that differ: their lengths by rank, as far as this rank knows them, and its own. */
static int describe_blocks(struct ct_channel *channel, const struct ct_collective_description *about,
                           bool elsewhere, const struct ct_operands *operands, struct ct_call *call)
{
    int code = MPI_SUCCESS;
    bool saved = about->in_place == CT_IN_PLACE_INPUT_SAVED && operands->send.buffer == MPI_IN_PLACE;
    if (about->reduces) {
        code = count_blocks(channel, CT_BUFFER_SEND, &operands->recv, false, &call->send_counts);
    } else {
        if (about->input[elsewhere] == CT_CONTENTS_PARTS)
            code = count_blocks(channel, CT_BUFFER_SEND, saved ? &operands->recv : &operands->send, true,
                                &call->send_counts);
        if (code == MPI_SUCCESS && ct_contents_are_many(about->result[elsewhere]))
            code = count_blocks(channel, CT_BUFFER_RECV, &operands->recv, true, &call->recv_counts);
    }
    const size_t *counts = call->send_counts ? call->send_counts : call->recv_counts;
    if (code == MPI_SUCCESS && counts)
        call->count = counts[call->rank];
    return code;
}

/* Counts in elements of `unit_bytes` each, or in bytes of the signature. */
static int describe_data(struct ct_channel *channel, const struct ct_collective_description *about,
                         const struct ct_operands *operands, struct ct_call *call)
{
    bool elsewhere = about->has_root && call->rank != call->root;
    const struct ct_side *side = counted_side(about, elsewhere, operands);
    unsigned which = side == &operands->send ? CT_BUFFER_SEND : CT_BUFFER_RECV;
    call->in_place = is_in_place(about, elsewhere, operands);
    if (!side->types) {
        const struct ct_layout *layout;
        int code = ct_channel_layout(channel, which, side->type, &layout);
        if (code != MPI_SUCCESS)
            return code;
        if (!about->reduces && !ct_multiply(side->count, layout->size, &call->count))
            return MPI_ERR_COUNT;
        if (about->reduces && layout->size > 0) {
            call->count = side->count;
            call->unit_bytes = layout->size;
        }
    }
    return about->varies ? describe_blocks(channel, about, elsewhere, operands, call) : MPI_SUCCESS;
}

int ct_call_describe(struct ct_channel *channel, enum ct_collective collective,
                     const struct ct_operands *operands, struct ct_call *ret_call)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    int commutes = true, code = MPI_SUCCESS;
    *ret_call = (struct ct_call){.rank = channel->rank,
                                 .size = channel->size,
                                 .root = operands->root,
                                 .unit_bytes = 1,
                                 .nodes = channel->nodes.count ? &channel->nodes : NULL};
    if (about->has_data)
        code = describe_data(channel, about, operands, ret_call);
    if (code == MPI_SUCCESS && about->reduces)
        code = PMPI_Op_commutative(operands->op, &commutes);
    ret_call->commutative = commutes;
    return code;
}
