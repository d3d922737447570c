/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_FLIGHT_COMM_H
#define CT_LIBRARY_FLIGHT_COMM_H

#include "library/private_comm.h"

/* The private communicator of a user's communicator for its non-blocking and persistent collectives. Several
 * of these are in flight at a time, and communicators of the same ranks may begin them in different orders,
 * so each communicator needs one of its own, unlike blocking collectives. It is made in the first blocking
 * collective, where all ranks are; calls before that are native. Only with COLLTUNE_NONBLOCKING=1. */
struct ct_flight_comm {
    MPI_Comm comm;
    struct ct_channel *channel;
    enum ct_agreement agreement;
    unsigned begun;      /* non-blocking calls; all ranks begin them in the same order */
    unsigned persistent; /* requests made; likewise */
    unsigned references; /* of the user's communicator, and of requests */
    struct ct_known_call known[2][CT_KNOWN_CALLS]; /* of non-blocking calls, and of persistent ones */
};

/* Makes it, collectively by native calls, for a communicator with which `own` is kept; NULL: this rank could
 * keep nothing. If it fails on a rank, no rank has one. Returns whether all ranks keep their `own`. */
bool ct_flight_comm_make(MPI_Comm comm, const struct ct_private_comm *own);

/* Returns it; NULL: calls that are not waited for must be native. */
struct ct_flight_comm *ct_flight_comm_of(MPI_Comm comm);

/* Ends a reference. */
void ct_flight_comm_release(struct ct_flight_comm *flights);

/* The tag of the next non-blocking call, and of the next persistent request. Two calls that are in flight at
 * a time have different ones unless there are some ten thousand of them. */
int ct_flight_comm_tag(struct ct_flight_comm *flights, bool is_persistent);

#endif
