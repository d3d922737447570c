/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/tuned_call.h"
#include "library/channel.h"
#include "library/profile.h"
#include "library/shadow.h"

#include <limits.h>

/* Can the side's elements be counted? What is wrong is for the MPI library to complain of: a negative count
 * of MPI's has become a huge one. */
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

/* Those that count at this rank. */
static bool are_sane(enum ct_collective collective, const struct ct_operands *operands,
                     const struct ct_channel *channel)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    bool elsewhere = about->has_root && channel->rank != operands->root;
    bool sends = about->input[elsewhere] != CT_CONTENTS_NOTHING && !about->one_buffer && !about->reduces;
    bool receives = about->result[elsewhere] != CT_CONTENTS_NOTHING || about->reduces;
    if (about->has_root && (operands->root < 0 || operands->root >= channel->size))
        return false;
    return (!sends || is_sane(&operands->send, channel->size)) &&
           (!about->has_data || !receives || is_sane(&operands->recv, channel->size)) &&
           (!about->reduces || operands->op != MPI_OP_NULL);
}

static int run(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
               struct ct_shadow *shadow)
{
    struct ct_call call;
    if (shadow->agreement == CT_AGREEMENT_AGREED && ct_tuner_leaves(collective)) {
        ct_tuner_count(ct_tuner_native(collective), 0);
        return ct_native_call(collective, operands, comm);
    }
    if (!are_sane(collective, operands, shadow->channel))
        return ct_native_call(collective, operands, comm);
    int code = ct_call_describe(shadow->channel, collective, operands, &call);
    if (code != MPI_SUCCESS)
        return ct_native_call(collective, operands, comm);

    struct ct_choice choice = ct_tuner_decide(shadow->agreement, collective, &call);
    struct ct_profile_entry entry = ct_profile_begin(collective, &call, choice.method);
    if (ct_is_native(choice.method->algorithm)) {
        ct_tuner_count(choice, 0);
        code = ct_native_call(collective, operands, comm);
    } else {
        uint64_t before = ct_channel_messages(shadow->channel);
        code = ct_execute_call(shadow->channel, choice.method, operands, &call);
        ct_tuner_count(choice, ct_channel_messages(shadow->channel) - before);
        if (code != MPI_SUCCESS)
            PMPI_Comm_call_errhandler(comm, code);
    }
    ct_profile_end(&entry);
    return code;
}

int ct_tuned_call(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm)
{
    struct ct_shadow *shadow = comm == MPI_COMM_NULL ? NULL : ct_shadow_of(comm);
    if (shadow && shadow->channel)
        return run(collective, operands, comm, shadow);
    if (ct_tuner_started())
        ct_tuner_count(ct_tuner_native(collective), 0);
    return ct_native_call(collective, operands, comm);
}
