/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_CHANNEL_H
#define CT_LIBRARY_CHANNEL_H

#include "library/executor.h"
#include "library/layout.h"
#include "library/messages.h"

/* What a channel holds; executor.h has what others may know of it. */

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
    struct ct_kept_memory temporary[CT_BUFFERS_MAX]; /* by buffer number, kept from call to call */
    struct ct_nodes nodes;                           /* count 0: not known */
    struct ct_side_memory {
        MPI_Datatype known_type; /* of `layout`, where that is a predefined type; else MPI_DATATYPE_NULL */
        struct ct_layout layout; /* of the type used last */
    } sides[2];                  /* CT_BUFFER_SEND, CT_BUFFER_RECV */
    struct ct_kept_memory packed[2]; /* what is not contiguous */
    struct ct_kept_memory counts[2]; /* of blocks, in units */
    struct ct_kept_memory places[2]; /* of blocks, in bytes */
};

/* At least `bytes` bytes, whose old contents are lost; NULL where there are none to be had. */
char *ct_memory_reserve(struct ct_kept_memory *memory, size_t bytes);

/* The layout of a type on a side (CT_BUFFER_SEND, CT_BUFFER_RECV), kept to the next call: an application's
 * calls mostly repeat one predefined type. It is the channel's, until the next type on that side. Returns an
 * MPI error code. */
int ct_channel_layout(struct ct_channel *channel, unsigned side, MPI_Datatype type,
                      const struct ct_layout **ret_layout);

#endif
