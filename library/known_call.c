/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/known_call.h"
#include "library/channel.h"

/* Can the side's elements be counted? */
static bool is_sane(const struct ct_side *side, int size)
{
    if (side->buffer == MPI_IN_PLACE)
        return true;
    if (!side->counts)
        return ct_is_count(side->count) && side->type != MPI_DATATYPE_NULL;
    for (int i = 0; i < size; i++)
        if (!ct_is_count(ct_side_count(side, (size_t)i)) ||
            (side->types && side->types[i] == MPI_DATATYPE_NULL))
            return false;
    return side->types || side->type != MPI_DATATYPE_NULL;
}

static bool is_predefined_type(struct ct_channel *channel, unsigned which, const struct ct_side *side)
{
    const struct ct_layout *layout;
    if (side->buffer == MPI_IN_PLACE)
        return true;
    return ct_channel_layout(channel, which, side->type, &layout) == MPI_SUCCESS && layout->predefined;
}

/* Those that collectives take. */
static bool is_predefined_op(MPI_Op op)
{
    const MPI_Op predefined[] = {MPI_SUM, MPI_MAX, MPI_MIN,  MPI_PROD, MPI_LAND,   MPI_BAND,
                                 MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC};
    for (size_t i = 0; i < sizeof predefined / sizeof predefined[0]; i++)
        if (op == predefined[i])
            return true;
    return false;
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
    if ((about->has_root && (operands->root < 0 || operands->root >= channel->size)) ||
        (sends && !is_sane(&operands->send, channel->size)) ||
        (receives && !is_sane(&operands->recv, channel->size)) ||
        (about->reduces && operands->op == MPI_OP_NULL) ||
        ct_call_describe(channel, collective, operands, &known->call) != MPI_SUCCESS)
        return false;
    known->choice = ct_tuner_decide(agreement, collective, &known->call);
    known->operands = *operands;
    if (!about->varies && (!receives || is_predefined_type(channel, CT_BUFFER_RECV, &operands->recv)) &&
        (!sends || is_predefined_type(channel, CT_BUFFER_SEND, &operands->send)) &&
        (!about->reduces || is_predefined_op(operands->op)))
        known->collective = collective;
    return true;
}
