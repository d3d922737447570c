/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXECUTE_CHANNEL_STATE_H
#define CT_LIBRARY_EXECUTE_CHANNEL_STATE_H

#include "library/execute/flight_state.h"
#include "plan/nodes.h"

struct ct_kept_plans;
struct ct_topology;

/* The inside of a channel; channel.h has its functions. */
struct ct_channel {
    int rank;
    int size;
    struct ct_topology *topology; /* a reference; NULL: the communicator has none, or it is not needed */
    int tag_limit;                /* the largest tag */
    int *ranks;                   /* what messages.ranks points to */
    int *node_ranks;              /* what messages.node_ranks points to, if it is not `ranks` */
    struct ct_kept_plans *kept;   /* NULL: none so far */
    struct ct_nodes nodes;        /* count 0: not known */
    unsigned context;             /* see node.h */
    struct ct_call_count *count;  /* of blocking calls: `own_count`, or that of the set of ranks */
    struct ct_call_count own_count;
    uint32_t numbers;   /* the bits of the count that tell calls apart; 0: none do */
    uint64_t label_end; /* of blocking calls, but for these bits */
    struct ct_side_memory {
        MPI_Datatype known_type; /* the type of `layout` if that lasts; else MPI_DATATYPE_NULL */
        unsigned forgotten;      /* ct_layouts_forgotten() before it was found */
        struct ct_layout layout; /* of the type used last */
    } sides[2];                  /* CT_BUFFER_SEND, CT_BUFFER_RECV */
    struct ct_flight flight;     /* of blocking calls */
};

/* Is the layout that of the type? */
static inline bool ct_side_knows(const struct ct_side_memory *memory, MPI_Datatype type)
{
    return type == memory->known_type &&
           (memory->layout.predefined || memory->forgotten == ct_layouts_forgotten());
}

#endif
