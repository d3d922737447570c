/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/execute/describe_call.h"
#include "base/memory.h"
#include "library/execute/channel.h"
#include "library/execute/topology.h"
#include "library/mpi/predefined_ops.h"

#include <limits.h>

static bool is_in_place(const struct ct_collective_description *about, bool elsewhere,
                        const struct ct_operands *operands)
{
    if (about->in_place == CT_IN_PLACE_INPUT_IN_RESULT)
        return operands->send.buffer == MPI_IN_PLACE && about->result[elsewhere] != CT_CONTENTS_NOTHING;
    return about->in_place == CT_IN_PLACE_RESULT_IN_INPUT && !elsewhere &&
           operands->recv.buffer == MPI_IN_PLACE;
}

/* The side whose count and type give the length of a block at this rank. */
static unsigned counted_side(const struct ct_collective_description *about, bool elsewhere)
{
    bool has_no_result = about->result[elsewhere] == CT_CONTENTS_NOTHING;
    bool may_lack_result = about->in_place == CT_IN_PLACE_RESULT_IN_INPUT && !elsewhere;
    return !about->reduces && (has_no_result || may_lack_result) ? CT_BUFFER_SEND : CT_BUFFER_RECV;
}

/* Lengths of the side's blocks in units, in the flight's memory. */
static int count_blocks(struct ct_flight *flight, const struct ct_call *call, unsigned which,
                        const struct ct_side *side, bool in_bytes, const size_t **ret_counts)
{
    const struct ct_topology *topology = call->neighbors ? flight->channel->topology : NULL;
    size_t blocks = ct_call_blocks(call, which);
    size_t *counts = (void *)ct_memory_reserve(&flight->counts[which], (blocks + 1) * sizeof *counts);
    if (!counts)
        return MPI_ERR_NO_MEM;
    const struct ct_layout *layout = NULL; /* of all blocks that have no types of their own */
    for (size_t i = 0; i < blocks; i++) {
        size_t place = ct_topology_place(topology, which, i);
        counts[i] = ct_side_elements(side, place);
        if (!in_bytes || counts[i] == 0)
            continue;
        int code = layout && !side->types
                       ? MPI_SUCCESS
                       : ct_channel_layout(flight->channel, which, ct_side_type(side, place), &layout);
        if (code != MPI_SUCCESS)
            return code;
        if (!ct_multiply(counts[i], layout->size, &counts[i]))
            return MPI_ERR_COUNT;
    }
    *ret_counts = counts;
    return MPI_SUCCESS;
}

/* Blocks that differ: their lengths by rank, as far as this rank knows them, and its own. */
static int describe_blocks(struct ct_flight *flight, const struct ct_collective_description *about,
                           bool elsewhere, bool in_bytes, const struct ct_operands *operands,
                           struct ct_call *call)
{
    int code = MPI_SUCCESS;
    if (about->reduces || about->input[elsewhere] == CT_CONTENTS_PARTS)
        code = count_blocks(flight, call, CT_BUFFER_SEND, ct_parts_side(about, operands), in_bytes,
                            &call->send_counts);
    if (code == MPI_SUCCESS && !about->reduces && ct_contents_are_many(about->result[elsewhere]))
        code = count_blocks(flight, call, CT_BUFFER_RECV, &operands->recv, in_bytes, &call->recv_counts);
    const size_t *counts = call->send_counts ? call->send_counts : call->recv_counts;
    if (code == MPI_SUCCESS && counts)
        call->count = counts[call->rank];
    return code;
}

/* An operation of the user's may take all elements for one thing, since MPICH calls it for all of them where
 * each rank has one block. So they are one unit, which plans do not divide. MPI would allow it (MPI 4.0,
 * section 6.9.5). */
static void keep_whole(const struct ct_collective_description *about, const struct ct_operands *operands,
                       struct ct_call *call)
{
    if (about->input[0] == CT_CONTENTS_PARTS || call->count > INT_MAX || ct_is_predefined_op(operands->op))
        return;
    if (call->count > 1 && ct_multiply(call->count, call->unit_bytes, &call->unit_bytes))
        call->count = 1;
}

/* Counts in elements of `unit_bytes` each, or in bytes of the signature. Elements without bytes are none:
 * they may be more than messages can count. */
static int describe_data(struct ct_flight *flight, const struct ct_collective_description *about,
                         const struct ct_operands *operands, struct ct_call *call)
{
    bool elsewhere = ct_is_elsewhere(about, call->rank, call->root), in_bytes = !about->reduces;
    unsigned which = counted_side(about, elsewhere);
    const struct ct_side *side = which == CT_BUFFER_SEND ? &operands->send : &operands->recv;
    call->in_place = is_in_place(about, elsewhere, operands);
    if (!side->types) {
        const struct ct_layout *layout;
        int code = ct_channel_layout(flight->channel, which, side->type, &layout);
        if (code != MPI_SUCCESS)
            return code;
        in_bytes = in_bytes || layout->size == 0;
        if (!ct_multiply(side->count, layout->size, &call->count))
            return MPI_ERR_COUNT;
        if (!in_bytes) {
            call->count = side->count;
            call->unit_bytes = layout->size;
            keep_whole(about, operands, call);
        }
    }
    return about->varies ? describe_blocks(flight, about, elsewhere, in_bytes, operands, call) : MPI_SUCCESS;
}

/* The bytes of one block of a side, where they are alike; 0 where the rank has no neighbors there. */
static int measure_block(struct ct_flight *flight, const struct ct_call *call, unsigned which,
                         const struct ct_side *side, size_t *ret_bytes)
{
    const struct ct_layout *layout;
    *ret_bytes = 0;
    if (ct_call_blocks(call, which) == 0)
        return MPI_SUCCESS;
    int code = ct_channel_layout(flight->channel, which, side->type, &layout);
    if (code == MPI_SUCCESS && !ct_multiply(side->count, layout->size, ret_bytes))
        code = MPI_ERR_COUNT;
    return code;
}

/* Does the side have places of its own for its blocks? */
static bool has_places(const struct ct_topology *topology, unsigned which)
{
    return topology->places[which] != NULL;
}

/* A sparse collective. Counts and types of a side without neighbors mean nothing. A rank may send other
 * lengths than it receives. */
static int describe_sparse(struct ct_flight *flight, const struct ct_collective_description *about,
                           const struct ct_operands *operands, struct ct_call *call)
{
    const struct ct_topology *topology = flight->channel->topology;
    const struct ct_side *send = &operands->send, *recv = &operands->recv;
    size_t sent = 0, received = 0;
    int code = MPI_SUCCESS;
    if (!topology)
        return MPI_ERR_TOPOLOGY;
    call->neighbors = &topology->neighbors;
    if (!send->counts)
        code = measure_block(flight, call, CT_BUFFER_SEND, send, &sent);
    if (code == MPI_SUCCESS && !recv->counts)
        code = measure_block(flight, call, CT_BUFFER_RECV, recv, &received);
    call->count = !send->counts && topology->neighbors.out_count > 0 ? sent : received;
    bool differ = about->varies || has_places(topology, CT_BUFFER_RECV) ||
                  has_places(topology, CT_BUFFER_SEND) ||
                  (call->neighbors->out_count > 0 && call->neighbors->in_count > 0 && sent != received);
    if (code == MPI_SUCCESS && differ && about->input[0] == CT_CONTENTS_PARTS_FOR_DESTINATIONS)
        code = count_blocks(flight, call, CT_BUFFER_SEND, send, true, &call->send_counts);
    if (code == MPI_SUCCESS && differ)
        code = count_blocks(flight, call, CT_BUFFER_RECV, recv, true, &call->recv_counts);
    return code;
}

int ct_flight_describe(struct ct_flight *flight, enum ct_collective collective,
                       const struct ct_operands *operands, struct ct_call *ret_call)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    int commutes = true, code = MPI_SUCCESS;
    *ret_call = (struct ct_call){.rank = flight->channel->rank,
                                 .size = flight->channel->size,
                                 .root = operands->root,
                                 .unit_bytes = 1,
                                 .nodes = flight->channel->nodes.count ? &flight->channel->nodes : NULL,
                                 .yield = flight->messages.policy != CT_WAIT_SPIN};
    if (about->is_sparse)
        code = describe_sparse(flight, about, operands, ret_call);
    else if (about->has_data)
        code = describe_data(flight, about, operands, ret_call);
    if (code == MPI_SUCCESS && about->reduces)
        code = PMPI_Op_commutative(operands->op, &commutes);
    ret_call->commutative = commutes;
    return code;
}

int ct_call_describe(struct ct_channel *channel, enum ct_collective collective,
                     const struct ct_operands *operands, struct ct_call *ret_call)
{
    return ct_flight_describe(&channel->flight, collective, operands, ret_call);
}
