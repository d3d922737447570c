/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/decide/known_call.h"
#include "base/memory.h"
#include "library/execute/channel.h"
#include "library/execute/describe_call.h"
#include "library/mpi/predefined_ops.h"

#include <stdlib.h>
#include <string.h>

/* What this rank uses of the arrays of a side. */
struct array_copies {
    size_t counts_bytes; /* 0: the side has none, or this rank does not use it */
    size_t displacements_bytes;
    size_t types_bytes;
    char *counts;
    char *displacements;
    char *types;
};

struct ct_known_arrays {
    size_t room;                  /* blocks */
    struct array_copies sides[2]; /* CT_BUFFER_SEND, CT_BUFFER_RECV */
    size_t *lengths[2];           /* send_counts and recv_counts of the call */
    size_t units[2];              /* of an element in these; 0: blocks have types of their own */
    size_t memory[];              /* for all of them */
};

/* --- arrays of v and w forms --- */

/* Room for arrays of either form. */
static struct ct_known_arrays *make_arrays(size_t size)
{
    enum { LENGTHS, COUNTS, DISPLACEMENTS, TYPES, ARRAYS };
    _Static_assert(sizeof(MPI_Count) <= sizeof(size_t) && sizeof(MPI_Aint) <= sizeof(size_t) &&
                       sizeof(MPI_Datatype) <= sizeof(size_t),
                   "room");
    struct ct_known_arrays *arrays;
    size_t numbers, bytes;
    if (!ct_multiply(size, 2 * (size_t)ARRAYS, &numbers) ||
        !ct_multiply(numbers, sizeof arrays->memory[0], &bytes) || !ct_add(bytes, sizeof *arrays, &bytes) ||
        !(arrays = malloc(bytes)))
        return NULL;
    size_t *place = arrays->memory;
    arrays->room = size;
    for (int i = 0; i < 2; i++, place += ARRAYS * size) {
        arrays->lengths[i] = place + LENGTHS * size;
        arrays->sides[i].counts = (char *)(place + COUNTS * size);
        arrays->sides[i].displacements = (char *)(place + DISPLACEMENTS * size);
        arrays->sides[i].types = (char *)(place + TYPES * size);
    }
    return arrays;
}

static void copy_side(const struct ct_side *side, bool is_used, size_t size, struct array_copies *copies)
{
    copies->counts_bytes = copies->displacements_bytes = copies->types_bytes = 0;
    if (!is_used || !side->counts)
        return;
    copies->counts_bytes = size * (side->is_large ? sizeof(MPI_Count) : sizeof(int));
    memcpy(copies->counts, side->counts, copies->counts_bytes);
    if (side->types) {
        copies->types_bytes = size * sizeof(MPI_Datatype);
        memcpy(copies->types, side->types, copies->types_bytes);
    }
    if (!side->displacements)
        return;
    copies->displacements_bytes = size * (ct_side_has_large_places(side) ? sizeof(MPI_Aint) : sizeof(int));
    memcpy(copies->displacements, side->displacements, copies->displacements_bytes);
}

/* Returns a copy of the lengths, as call->send_counts and recv_counts are. */
static const size_t *copy_lengths(const size_t *lengths, size_t size, size_t *copy)
{
    return lengths ? memcpy(copy, lengths, size * sizeof *copy) : NULL;
}

/* The side whose counts give these lengths. */
static const struct ct_side *measured_side(enum ct_collective collective, const struct ct_operands *operands,
                                           unsigned which)
{
    return which == CT_BUFFER_SEND ? ct_parts_side(&ct_collectives[collective], operands) : &operands->recv;
}

static const size_t *lengths_of(const struct ct_call *call, unsigned which)
{
    return which == CT_BUFFER_SEND ? call->send_counts : call->recv_counts;
}

/* 0 also if the call has no such lengths. */
static size_t units_of_element(const struct ct_known_call *known, struct ct_channel *channel,
                               enum ct_collective collective, unsigned which)
{
    const struct ct_side *side = measured_side(collective, &known->operands, which);
    const struct ct_layout *layout;
    if (!lengths_of(&known->call, which) || side->types ||
        ct_channel_layout(channel, which, side->type, &layout) != MPI_SUCCESS)
        return 0;
    return ct_collectives[collective].reduces && layout->size > 0 ? 1 : layout->size;
}

/* A rank that has none of the arrays, as one that is not the root, keeps nothing. False without memory. */
static bool keep_arrays(struct ct_known_call *known, struct ct_channel *channel,
                        enum ct_collective collective, bool sends, bool receives)
{
    const size_t blocks[] = {ct_channel_blocks(channel, collective, CT_BUFFER_SEND),
                             ct_channel_blocks(channel, collective, CT_BUFFER_RECV)};
    size_t most = blocks[0] > blocks[1] ? blocks[0] : blocks[1];
    if (known->arrays && known->arrays->room < most) {
        free(known->arrays);
        known->arrays = NULL;
    }
    if (!known->arrays && !(known->arrays = make_arrays(most)))
        return false;
    struct ct_known_arrays *arrays = known->arrays;
    copy_side(&known->operands.send, sends, blocks[CT_BUFFER_SEND], &arrays->sides[CT_BUFFER_SEND]);
    copy_side(&known->operands.recv, receives, blocks[CT_BUFFER_RECV], &arrays->sides[CT_BUFFER_RECV]);
    known->call.send_counts =
        copy_lengths(known->call.send_counts, ct_call_blocks(&known->call, CT_BUFFER_SEND),
                     arrays->lengths[CT_BUFFER_SEND]);
    known->call.recv_counts =
        copy_lengths(known->call.recv_counts, ct_call_blocks(&known->call, CT_BUFFER_RECV),
                     arrays->lengths[CT_BUFFER_RECV]);
    for (unsigned which = CT_BUFFER_SEND; which <= CT_BUFFER_RECV; which++)
        arrays->units[which] = units_of_element(known, channel, collective, which);
    return true;
}

bool ct_known_call_may_be_measured(const struct ct_known_call *known)
{
    for (unsigned which = CT_BUFFER_SEND; which <= CT_BUFFER_RECV; which++)
        if (lengths_of(&known->call, which) && known->arrays->units[which] == 0)
            return false;
    return true;
}

bool ct_known_call_measure(struct ct_known_call *known, enum ct_collective collective,
                           const struct ct_operands *operands)
{
    for (unsigned which = CT_BUFFER_SEND; which <= CT_BUFFER_RECV; which++) {
        const struct ct_side *side = measured_side(collective, operands, which);
        const size_t blocks = lengths_of(&known->call, which) ? ct_call_blocks(&known->call, which) : 0;
        size_t *lengths = known->arrays->lengths[which];
        if (blocks > 0 && !side->counts)
            return false;
        for (size_t i = 0; i < blocks; i++)
            if (!ct_multiply(ct_side_count(side, i), known->arrays->units[which], &lengths[i]))
                return false;
    }
    return true;
}

/* `bytes`: 0 if there is no copy. */
static inline bool is_like_array(const char *copy, size_t bytes, const void *array)
{
    return bytes == 0 || (array && memcmp(copy, array, bytes) == 0);
}

/* With MPI_IN_PLACE the arrays of that side may be anything. */
static bool is_like_arrays(const struct array_copies *copies, const struct ct_side *side)
{
    return copies->counts_bytes == 0 ||
           (side->buffer != MPI_IN_PLACE &&
            is_like_array(copies->counts, copies->counts_bytes, side->counts) &&
            is_like_array(copies->displacements, copies->displacements_bytes, side->displacements) &&
            is_like_array(copies->types, copies->types_bytes, side->types));
}

bool ct_is_known_arrays(const struct ct_known_call *known, const struct ct_operands *operands)
{
    const struct ct_known_arrays *arrays = known->arrays;
    return arrays && known->operands.recv.is_large == operands->recv.is_large &&
           is_like_arrays(&arrays->sides[CT_BUFFER_SEND], &operands->send) &&
           is_like_arrays(&arrays->sides[CT_BUFFER_RECV], &operands->recv);
}

/* --- calls --- */

void ct_known_call_set_operands(struct ct_known_call *known, enum ct_collective collective,
                                const struct ct_operands *operands)
{
    /* All ranks get the same block, or one of the same length. */
    bool is_sent_to_all = !ct_collectives[collective].has_root && !operands->send.counts;
    known->operands = *operands;
    known->operands.own_code = known->is_cut && is_sent_to_all ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
}

bool ct_know_call(enum ct_collective collective, enum ct_call_mode mode, const struct ct_operands *operands,
                  struct ct_channel *channel, enum ct_agreement agreement, struct ct_known_call *known)
{
    known->collective = CT_COLLECTIVES;
    known->forgotten = ct_layouts_forgotten();
    if (!ct_arguments_are_sound(channel, collective, operands, &known->alias, &known->is_cut) ||
        ct_call_describe(channel, collective, operands, &known->call) != MPI_SUCCESS)
        return false;
    known->call.mode = mode;
    known->choice = ct_tuner_decide(agreement, collective, &known->call);
    known->plans = NULL;
    known->adapted = NULL;
    known->is_plain = false;
    known->shorter.kept = NULL;
    ct_known_call_set_operands(known, collective, operands);
    return true;
}

/* Do the handles of all types that the side uses stand for them until the library learns that a type is
 * freed? Says whether there are derived ones. */
static bool has_lasting_types(struct ct_channel *channel, enum ct_collective collective, unsigned which,
                              const struct ct_side *side, bool *has_derived)
{
    const size_t blocks = side->types ? ct_channel_blocks(channel, collective, which) : 1;
    for (size_t i = 0; i < blocks; i++) {
        const struct ct_layout *layout;
        if (side->types && ct_side_count(side, i) == 0) /* its type may be none */
            continue;
        if (ct_channel_layout(channel, which, ct_side_type(side, i), &layout) != MPI_SUCCESS ||
            !layout->lasts)
            return false;
        *has_derived = *has_derived || !layout->predefined;
    }
    return true;
}

void ct_known_call_keep(struct ct_known_call *known, enum ct_collective collective,
                        struct ct_channel *channel)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    const struct ct_operands *operands = &known->operands;
    bool elsewhere = ct_is_elsewhere(about, channel->rank, operands->root);
    bool sends = ct_is_typed_side(about, CT_BUFFER_SEND, elsewhere, &operands->send);
    bool receives = ct_is_typed_side(about, CT_BUFFER_RECV, elsewhere, &operands->recv);
    known->has_derived = false;
    known->has_own_op = about->reduces && !ct_is_predefined_op(operands->op);
    if ((!receives ||
         has_lasting_types(channel, collective, CT_BUFFER_RECV, &operands->recv, &known->has_derived)) &&
        (!sends ||
         has_lasting_types(channel, collective, CT_BUFFER_SEND, &operands->send, &known->has_derived)) &&
        ((!ct_has_arrays(operands) && !known->call.send_counts && !known->call.recv_counts) ||
         keep_arrays(known, channel, collective, sends, receives)))
        known->collective = collective;
}
