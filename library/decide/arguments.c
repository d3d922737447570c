/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/decide/arguments.h"
#include "base/memory.h"
#include "library/execute/channel.h"
#include "library/mpi/predefined_ops.h"

/* --- handles --- */

/* The two upper bits of an MPICH handle are 0 if it stands for nothing; the next four tell the kind of the
 * object. Of the others only the null handle is known. */
#ifdef MPICH
static bool is_handle(unsigned handle, unsigned of_same_kind)
{
    return handle >> 30 != 0 && (handle >> 26 & 0xf) == (of_same_kind >> 26 & 0xf);
}

static bool is_type(MPI_Datatype type)
{
    return is_handle((unsigned)type, (unsigned)MPI_INT) && type != MPI_DATATYPE_NULL;
}

static bool is_op(MPI_Op op)
{
    return is_handle((unsigned)op, (unsigned)MPI_SUM) && op != MPI_OP_NULL;
}
#else
static bool is_type(MPI_Datatype type)
{
    return type && type != MPI_DATATYPE_NULL;
}

static bool is_op(MPI_Op op)
{
    return op && op != MPI_OP_NULL;
}
#endif

/* --- operations and types --- */

/* What the standard does not allow goes to the MPI library at all ranks, whether it is wrong or an extension.
 */
static bool goes_with(MPI_Op op, MPI_Datatype type)
{
    return ct_is_predefined_op(op) ? ct_op_takes(op, type) : is_op(op);
}

/* --- buffers --- */

/* Does the MPI library refuse null and aliased buffers? Open MPI 4.1.4 refuses aliases in reduce alone. Does
 * it look at types of blocks without elements? MPICH does not. */
#ifdef MPICH
enum {
    REFUSES_NULL = true,
    REFUSES_ALIASES = true,
    REFUSES_ALIASES_IN_REDUCE = true,
    LOOKS_AT_EMPTY_BLOCKS = false
};
#elif defined OPEN_MPI
enum {
    REFUSES_NULL = false,
    REFUSES_ALIASES = false,
    REFUSES_ALIASES_IN_REDUCE = true,
    LOOKS_AT_EMPTY_BLOCKS = true
};
#else
enum {
    REFUSES_NULL = false,
    REFUSES_ALIASES = false,
    REFUSES_ALIASES_IN_REDUCE = false,
    LOOKS_AT_EMPTY_BLOCKS = true
};
#endif

/* One of the two buffers, as this rank uses it. */
struct use {
    const struct ct_side *side;
    unsigned which;     /* CT_BUFFER_SEND or CT_BUFFER_RECV */
    bool is_many;       /* it has a block for each rank */
    bool has_data;      /* there is something in it at all */
    bool has_own;       /* and in the block of this rank */
    bool is_at_address; /* data begins at the address given, which then may not be null */
    size_t own_bytes;   /* of that block */
    bool is_contiguous; /* the type that was looked at last */
    MPI_Aint extent;    /* of that type */
};

static struct use use_of(const struct ct_side *side, unsigned which, enum ct_contents contents)
{
    return (struct use){.side = side, .which = which, .is_many = ct_contents_are_many(contents)};
}

/* Looks at counts and types. False if one is wrong. */
static bool look_at(struct ct_channel *channel, enum ct_collective collective, struct use *use)
{
    const struct ct_side *side = use->side;
    const struct ct_layout *layout = NULL;
    size_t blocks = ct_channel_blocks(channel, collective, use->which), counts = side->counts ? blocks : 1;
    for (size_t i = 0; i < counts; i++) {
        size_t count = side->counts ? ct_side_count(side, i) : side->count;
        if (!ct_is_count(count))
            return false;
        if (side->types || i == 0) {
            MPI_Datatype type = side->types ? side->types[i] : side->type;
            const bool is_empty = side->types && count == 0;
            if ((!is_empty || LOOKS_AT_EMPTY_BLOCKS) && !is_type(type))
                return false;
            if (is_empty)
                continue;
            if (ct_channel_layout(channel, use->which, type, &layout) != MPI_SUCCESS)
                return false;
            use->is_contiguous = layout->contiguous;
            use->extent = layout->extent;
        }
        if (count == 0 || layout->size == 0 || blocks == 0)
            continue;
        use->has_data = true;
        if (!side->counts || i == (size_t)channel->rank) {
            use->has_own = true;
            if (!ct_multiply(count, layout->size, &use->own_bytes))
                return false;
        }
        use->is_at_address |= layout->true_lb == 0;
    }
    return true;
}

/* Is there a buffer where there is data? */
static bool has_buffer(const struct use *use, const void *buffer)
{
    return !use->has_data || (buffer != MPI_IN_PLACE && (buffer || !use->is_at_address || !REFUSES_NULL));
}

/* Where the block of this rank begins, in bytes. */
static ptrdiff_t own_block(const struct use *use, int rank)
{
    const struct ct_side *side = use->side;
    if (!use->is_many)
        return 0;
    size_t elements =
        side->counts ? (size_t)ct_side_displacement(side, (size_t)rank) : side->count * (size_t)rank;
    return (ptrdiff_t)(elements * (size_t)use->extent); /* a negative extent wraps around and back */
}

/* May the buffers alias, as far as MPICH looks? In alltoall it is their beginnings that may not; elsewhere it
 * is this rank's own block. */
static struct ct_alias alias_of(const struct ct_collective_description *about, int rank,
                                const struct use *send, const struct use *recv)
{
    bool is_alike =
        REFUSES_ALIASES && send->side->type == recv->side->type && send->side->types == recv->side->types;
    if (send->is_many && recv->is_many)
        return (struct ct_alias){.is_refused = is_alike && send->side->counts == recv->side->counts &&
                                               send->side->count == recv->side->count &&
                                               (about->varies || send->has_data)};
    return (struct ct_alias){.is_refused = is_alike && send->has_own && recv->has_own && recv->is_contiguous,
                             .distance = own_block(recv, rank) - own_block(send, rank)};
}

/* Checks a collective that moves data without combining them, or a barrier. */
static bool movement_is_sound(struct ct_channel *channel, enum ct_collective collective, bool elsewhere,
                              const struct ct_operands *operands, struct ct_alias *ret_alias,
                              bool *ret_is_cut)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    struct use send = use_of(&operands->send, CT_BUFFER_SEND, about->input[elsewhere]),
               recv = use_of(&operands->recv, CT_BUFFER_RECV, about->result[elsewhere]);
    bool sends = about->input[elsewhere] != CT_CONTENTS_NOTHING && !about->one_buffer,
         receives = about->result[elsewhere] != CT_CONTENTS_NOTHING, is_both = sends && receives;
    if (is_both && about->in_place == CT_IN_PLACE_RESULT_IN_INPUT)
        receives = operands->recv.buffer != MPI_IN_PLACE;
    else if (is_both)
        sends = operands->send.buffer != MPI_IN_PLACE;
    if ((sends && !(look_at(channel, collective, &send) && has_buffer(&send, operands->send.buffer))) ||
        (receives && !(look_at(channel, collective, &recv) && has_buffer(&recv, operands->recv.buffer))))
        return false;
    *ret_alias = sends && receives && !about->is_sparse ? alias_of(about, channel->rank, &send, &recv)
                                                        : (struct ct_alias){0};
    *ret_is_cut = sends && receives && !about->is_sparse && send.own_bytes > recv.own_bytes;
    return true;
}

/* Counts and type of both buffers are those of the receive buffer. */
static bool reduction_is_sound(struct ct_channel *channel, enum ct_collective collective, bool elsewhere,
                               const struct ct_operands *operands, struct ct_alias *ret_alias,
                               bool *ret_is_cut)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    const void *send = operands->send.buffer, *recv = operands->recv.buffer;
    enum ct_contents contents = about->result[elsewhere];
    bool receives = contents != CT_CONTENTS_NOTHING, is_in_place = receives && send == MPI_IN_PLACE;
    struct use input = use_of(&operands->recv, CT_BUFFER_RECV, about->input[elsewhere]);
    if (!look_at(channel, collective, &input) || !goes_with(operands->op, operands->recv.type))
        return false;
    struct use result = input;
    result.has_data = is_in_place ? input.has_data : input.has_own;
    if (contents == CT_CONTENTS_OF_EARLIER && channel->rank == 0 && !is_in_place && !recv)
        receives = false; /* rank 0 of an exscan has no result */
    if ((!is_in_place && !has_buffer(&input, send)) || (receives && !has_buffer(&result, recv)))
        return false;
    bool refuses_aliases = about->has_root ? REFUSES_ALIASES_IN_REDUCE : REFUSES_ALIASES;
    *ret_alias =
        (struct ct_alias){.is_refused = refuses_aliases && receives && !is_in_place && input.has_data};
    *ret_is_cut = false;
    return true;
}

bool ct_arguments_are_sound(struct ct_channel *channel, enum ct_collective collective,
                            const struct ct_operands *operands, struct ct_alias *ret_alias, bool *ret_is_cut)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    bool elsewhere = ct_is_elsewhere(about, channel->rank, operands->root);
    struct ct_alias alias;
    bool is_cut;
    if ((about->is_sparse && !channel->topology) ||
        (about->has_root && (operands->root < 0 || operands->root >= channel->size)) ||
        !(about->reduces ? reduction_is_sound : movement_is_sound)(channel, collective, elsewhere, operands,
                                                                   &alias, &is_cut) ||
        (operands->send.buffer && ct_is_aliased(&alias, operands->send.buffer, operands->recv.buffer)))
        return false;
    alias.is_refused = alias.is_refused && operands->send.buffer;
    *ret_alias = alias;
    *ret_is_cut = is_cut;
    return true;
}
