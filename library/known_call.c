/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/known_call.h"
#include "library/channel.h"

static bool is_predefined_type(struct ct_channel *channel, unsigned which, const struct ct_side *side)
{
    const struct ct_layout *layout;
    if (side->buffer == MPI_IN_PLACE)
        return true;
    return ct_channel_layout(channel, which, side->type, &layout) == MPI_SUCCESS && layout->predefined;
}

bool ct_know_call(enum ct_collective collective, const struct ct_operands *operands,
                  struct ct_channel *channel, enum ct_agreement agreement, struct ct_known_call *ret_known)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    bool elsewhere = about->has_root && channel->rank != operands->root;
    /* A side that this rank does not use may hold anything. */
    bool sends = about->input[elsewhere] != CT_CONTENTS_NOTHING && !about->one_buffer && !about->reduces;
    bool receives = about->has_data && (about->reduces || about->result[elsewhere] != CT_CONTENTS_NOTHING);
    struct ct_known_call *known = ret_known;
    known->collective = CT_COLLECTIVES;
    if (!ct_arguments_are_sound(channel, collective, operands, &known->alias) ||
        ct_call_describe(channel, collective, operands, &known->call) != MPI_SUCCESS)
        return false;
    known->choice = ct_tuner_decide(agreement, collective, &known->call);
    known->adapted = NULL;
    known->operands = *operands;
    if (!about->varies && (!receives || is_predefined_type(channel, CT_BUFFER_RECV, &operands->recv)) &&
        (!sends || is_predefined_type(channel, CT_BUFFER_SEND, &operands->send)) &&
        (!about->reduces || ct_is_predefined_op(operands->op)))
        known->collective = collective;
    return true;
}
