/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/known_call.h"
#include "library/channel.h"

#include <limits.h>

/* Can the side's elements be counted? A negative count of MPI's has become a huge one. */
static bool is_sane(const struct ct_side *side, int size)
{
    if (side->buffer == MPI_IN_PLACE)
        return true;
    if (!side->counts)
        return side->count <= INT_MAX && side->type != MPI_DATATYPE_NULL;
    for (int i = 0; i < size; i++)
        if (side->counts[i] < 0 || (side->types && side->types[i] == MPI_DATATYPE_NULL))
            return false;
    return side->types || side->type != MPI_DATATYPE_NULL;
}

/* Are the arguments that this rank uses sane? */
static bool are_sane(const struct ct_known_call *known, const struct ct_operands *operands,
                     const struct ct_channel *channel)
{
    const struct ct_collective_description *about = &ct_collectives[known->collective];
    if (about->has_root && (operands->root < 0 || operands->root >= channel->size))
        return false;
    return (!known->send.is_used || is_sane(&operands->send, channel->size)) &&
           (!known->recv.is_used || is_sane(&operands->recv, channel->size)) &&
           (!about->reduces || operands->op != MPI_OP_NULL);
}

static struct ct_known_side know_side(const struct ct_side *side, bool is_used)
{
    return (struct ct_known_side){.is_used = is_used,
                                  .is_in_place = side->buffer == MPI_IN_PLACE,
                                  .count = side->count,
                                  .type = side->type};
}

static bool is_predefined_type(struct ct_channel *channel, unsigned which, const struct ct_known_side *side)
{
    const struct ct_layout *layout;
    if (!side->is_used || side->is_in_place)
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
    bool sends = about->input[elsewhere] != CT_CONTENTS_NOTHING && !about->one_buffer && !about->reduces;
    bool receives = about->reduces || about->result[elsewhere] != CT_CONTENTS_NOTHING;
    struct ct_known_call *known = ret_known;
    known->repeats = false;
    known->collective = collective;
    known->root = operands->root;
    known->op = operands->op;
    known->send = know_side(&operands->send, sends && about->has_data);
    known->recv = know_side(&operands->recv, receives && about->has_data);
    if (!are_sane(known, operands, channel) ||
        ct_call_describe(channel, collective, operands, &known->call) != MPI_SUCCESS)
        return false;
    known->choice = ct_tuner_decide(agreement, collective, &known->call);
    known->repeats = !about->varies && is_predefined_type(channel, CT_BUFFER_RECV, &known->recv) &&
                     is_predefined_type(channel, CT_BUFFER_SEND, &known->send) &&
                     (!about->reduces || is_predefined_op(operands->op));
    return true;
}
