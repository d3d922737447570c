/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_LENDING_H
#define CT_LIBRARY_LENDING_H

#include "library/channel.h"

/* The user's buffers as bytes of the type signature, which is what plans of data movers count in. Ranks may
 * pass different types of one signature, so a type that is not contiguous here is packed, whatever it is
 * elsewhere. */
struct ct_lent {
    char *base[2];         /* of CT_BUFFER_SEND and CT_BUFFER_RECV */
    const MPI_Aint *at[2]; /* v and w forms: where each rank's block begins behind `base`; else NULL */
    bool packed[2];
};

/* Lends the buffers of a call, packing the input where it must be. Returns an MPI error code. */
int ct_lend(struct ct_channel *channel, const struct ct_collective_description *about,
            const struct ct_operands *operands, const struct ct_call *call, struct ct_lent *ret_lent);

/* Behind the call: puts the result where the user wants it. */
int ct_take_back(struct ct_channel *channel, const struct ct_collective_description *about,
                 const struct ct_operands *operands, const struct ct_call *call, const struct ct_lent *lent);

#endif
