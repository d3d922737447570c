/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_CALL_H
#define CT_PLAN_CALL_H

#include "plan/call_mode.h"
#include "plan/collective.h"
#include "plan/neighbors.h"
#include "plan/nodes.h"
#include "plan/plan.h"

struct ct_algorithm_list;
struct ct_descriptor;
struct ct_pattern_features;
struct ct_routes;

/* Lengths of blocks by which a plan is written, where those of the call are others. */
struct ct_lengths {
    size_t count;            /* of a block; in neighbor_allgatherv of this rank's own */
    const size_t *blocks[2]; /* of destinations and sources, by CT_BUFFER_SEND and CT_BUFFER_RECV; NULL: all
                                have that count */
};

/* One call, as one rank's plan is written for it. */
struct ct_call {
    int rank;
    int size;
    int root;          /* 0 where the collective has none */
    size_t count;      /* of a block, in units; where blocks differ, of this rank's own */
    size_t unit_bytes; /* of one unit: 1, or in reductions the size of the datatype; >= 1 */
    bool in_place;     /* at this rank; see enum ct_in_place */
    bool commutative;  /* the operation; true where there is none */

    /* Where blocks differ, their lengths by rank, as far as this rank knows them; else NULL. */
    const size_t *send_counts; /* of an input of parts */
    const size_t *recv_counts; /* of a result with a block of each rank */

    /* Of sparse collectives; else NULL. There the lengths above are those of the neighbors, in their order.
     */
    const struct ct_neighbors *neighbors;
    const struct ct_pattern_features *pattern; /* what decisions know of it; NULL where that is not known */

    const struct ct_routes *routes;  /* what the set-up has found, of an algorithm that has one; else NULL */
    const struct ct_lengths *routed; /* lengths that travel along the routes, where some of this rank's blocks
                                        have others; else NULL */

    const struct ct_nodes *nodes; /* which ranks share a node; NULL where that is not known */
    bool yield;                   /* ranks yield the CPU while they wait; the same at all ranks */
    enum ct_call_mode mode;       /* the same at all ranks */

    /* The algorithm that writes the plan, and the values of its parameters in its order: see ct_value(). Some
     * name one of `algorithms`. */
    const struct ct_descriptor *descriptor;
    const size_t *values;
    const struct ct_algorithm_list *algorithms;
};

/* A call of all ranks is written the same way, rank being ignored and in_place standing for every rank that
 * may be. There the counts are those of all ranks: for alltoallv and alltoallw send_counts[from * size + to]
 * and recv_counts[to * size + from]; for the others one vector by rank, send_counts where the input is made
 * of parts, else recv_counts; and `count` only counts where there are none. In sparse collectives `neighbors`
 * is an array by rank, the lengths are those of the neighbors, and in neighbor_allgatherv send_counts has the
 * length of each rank's block. `routes` is an array by rank in any collective. */

/* The call as `rank` sees it. */
struct ct_call ct_call_of_rank(enum ct_collective collective, const struct ct_call *all, int rank);

/* How many blocks the call has where it has one for each rank, or neighbor: of CT_BUFFER_SEND for its
 * destinations, of CT_BUFFER_RECV from its sources. */
static inline size_t ct_call_blocks(const struct ct_call *call, unsigned buffer)
{
    if (!call->neighbors)
        return (size_t)call->size;
    return buffer == CT_BUFFER_SEND ? call->neighbors->out_count : call->neighbors->in_count;
}

/* The rank of a destination, and of a source. A dense collective has all ranks, in their order. */
static inline int ct_call_destination(const struct ct_call *call, size_t i)
{
    return call->neighbors ? call->neighbors->out[i] : (int)i;
}

static inline int ct_call_source(const struct ct_call *call, size_t i)
{
    return call->neighbors ? call->neighbors->in[i] : (int)i;
}

/* May a rank be in place? */
bool ct_may_be_in_place(enum ct_collective collective, bool is_root);

/* The message size that decisions and tables know the call by: bytes of the whole buffer or of a block, of
 * the mean block in allgatherv and reduce_scatter, of the mean edge in sparse collectives; 0 where no size is
 * known to all ranks. Equal on all ranks. */
size_t ct_call_bytes(enum ct_collective collective, const struct ct_call *call);

/* Do the buffers' lengths fit into a size_t? */
bool ct_call_fits(enum ct_collective collective, const struct ct_call *call);

/* The buffer that holds the input. */
static inline unsigned ct_input(const struct ct_call *call)
{
    return call->in_place ? CT_BUFFER_RECV : CT_BUFFER_SEND;
}

/* The part of an input of parts that is for `rank`, in sparse collectives for that destination: in
 * CT_BUFFER_SEND, of data movers only (see ct_parts for reductions, whose parts lie end to end). */
static inline struct ct_slice ct_send_block(const struct ct_call *call, int rank)
{
    size_t i = (size_t)rank;
    if (call->send_counts)
        return (struct ct_slice){.buffer = CT_BUFFER_SEND, .block = i, .n = call->send_counts[i]};
    return (struct ct_slice){.buffer = CT_BUFFER_SEND, .offset = i * call->count, .n = call->count};
}

/* The part of a result with a block of each rank that comes from `rank`, in sparse collectives from that
 * source, in CT_BUFFER_RECV. */
static inline struct ct_slice ct_recv_block(const struct ct_call *call, int rank)
{
    size_t i = (size_t)rank;
    if (call->recv_counts)
        return (struct ct_slice){.buffer = CT_BUFFER_RECV, .block = i, .n = call->recv_counts[i]};
    return (struct ct_slice){.buffer = CT_BUFFER_RECV, .offset = i * call->count, .n = call->count};
}

#endif
