/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_CHANNEL_H
#define CT_LIBRARY_CHANNEL_H

#include "library/executor.h"
#include "library/layout.h"
#include "library/messages.h"

/* The inside of a channel, and the buffers of the call that it carries out; executor.h has the interface. */

/* Memory that is kept from call to call. */
struct ct_kept_memory {
    char *bytes;
    size_t capacity;
};

struct ct_channel {
    int rank;
    int size;
    int tag_limit;
    struct ct_messages messages;
    struct ct_plan plan;
    struct ct_kept_memory temporary[CT_BUFFERS_MAX]; /* by buffer number */
    struct ct_nodes nodes;                           /* count 0: not known */
    struct ct_side_memory {
        MPI_Datatype known_type;     /* the type of `layout` if it is predefined; else MPI_DATATYPE_NULL */
        struct ct_layout layout;     /* of the type used last */
    } sides[2];                      /* CT_BUFFER_SEND, CT_BUFFER_RECV */
    struct ct_kept_memory packed[2]; /* the data of sides that are not contiguous */
    struct ct_kept_memory counts[2]; /* of blocks, in units */
    struct ct_kept_memory places[2]; /* of blocks, in bytes */
};

/* Returns at least `bytes` bytes, whose old contents are lost; NULL if memory is short. */
char *ct_memory_reserve(struct ct_kept_memory *memory, size_t bytes);

/* Finds the layout of a type on a side (CT_BUFFER_SEND, CT_BUFFER_RECV) and keeps it for the next call: an
 * application's calls mostly repeat one predefined type. It is the channel's, valid until the next type on
 * that side. Returns an MPI error code. */
int ct_channel_layout(struct ct_channel *channel, unsigned side, MPI_Datatype type,
                      const struct ct_layout **ret_layout);

/* The buffers that a plan works on. */
struct ct_buffers {
    char *base[CT_BUFFERS_MAX];
    const MPI_Aint *at[2]; /* of SEND and RECV in v and w forms: where each rank's block begins; else NULL */
    bool packed[2];        /* SEND and RECV */
};

/* Makes the user's buffers available as bytes of their type signature, the unit of plans that move data.
 * Ranks may pass different types of one signature, so a type that is not contiguous at this rank is packed,
 * whatever it is at others. Sets SEND and RECV of *ret_buffers. Returns an MPI error code. */
int ct_buffers_pack(struct ct_channel *channel, const struct ct_collective_description *about,
                    const struct ct_operands *operands, const struct ct_call *call,
                    struct ct_buffers *ret_buffers);

/* Unpacks the result into the user's buffer, if it was packed. Returns an MPI error code. */
int ct_buffers_unpack(struct ct_channel *channel, const struct ct_collective_description *about,
                      const struct ct_operands *operands, const struct ct_call *call,
                      struct ct_buffers *buffers);

#endif
