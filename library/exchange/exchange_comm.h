/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXCHANGE_EXCHANGE_COMM_H
#define CT_LIBRARY_EXCHANGE_EXCHANGE_COMM_H

#include "algorithms/method.h"
#include "library/exchange/unknown_sources.h"
#include "library/execute/channel_state.h"

/* What the library keeps with a user's communicator for exchanges of its own interface: a private
 * communicator, on which the messages of each exchange have a tag of their own, and the methods that the
 * ranks have agreed on. It is made by the first exchange on the communicator, and freed with it and the last
 * exchange. */
struct ct_exchange_comm {
    int references; /* of the user's communicator, and of exchanges */
    MPI_Comm comm;
    struct ct_channel *channel; /* of which those of exchanges take nodes and lanes; it carries no calls */
    struct ct_method known;     /* of exchanges whose sources are known, as far as it applies */
    struct ct_unknown_method unknown;
    char unknown_spelling[CT_UNKNOWN_METHOD_TEXT];
    struct ct_deliverer *deliverer; /* by that method */
    unsigned supersteps;            /* of set-ups, that the communicator has carried */
    unsigned made;                  /* exchanges; equal on all ranks */
};

/* Finds it, or makes it: collective then, by native calls. Returns an MPI error code, the same at all ranks
 * where it has to be made. */
int ct_exchange_comm_of(MPI_Comm comm, struct ct_exchange_comm **ret_own);

/* Ends a reference. */
void ct_exchange_comm_release(struct ct_exchange_comm *own);

/* The tags of set-ups (library/execute/set_up.h) are 0 and 1. */
int ct_exchange_comm_tag(struct ct_exchange_comm *own);

/* Opens a channel on its communicator, for calls with a tag that nobody else uses. At this rank alone.
 * Returns an MPI error code; ct_channel_close() closes it. */
int ct_exchange_comm_open(const struct ct_exchange_comm *own, struct ct_channel **ret_channel);

/* The greatest error class of all ranks. Collective. */
int ct_exchange_comm_agree(const struct ct_exchange_comm *own, int code);

#endif
