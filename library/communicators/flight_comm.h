/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_FLIGHT_COMM_H
#define CT_LIBRARY_FLIGHT_COMM_H

#include "library/decide/known_calls.h"

/* What the library keeps with a user's communicator for its non-blocking and persistent collectives. Several
 * of these are in flight at a time, and communicators of the same ranks may begin them in different orders,
 * so the messages of each communicator need something of their own that tells them apart, unlike those of
 * blocking collectives. It is found in the first blocking collective, where all ranks are; calls before that
 * are native. Only with COLLTUNE_NONBLOCKING=1.
 *
 * Where lanes join all ranks, this is a label for each pair of them, from a number that both count alone: of
 * communicators with both, in the order of the first blocking collectives on these, which is the same at both
 * (carrier.h says why). So no message is needed, and the rest is made for the first call in flight. Elsewhere
 * it is a private communicator. */
struct ct_flight_comm {
    MPI_Comm comm;              /* MPI_COMM_NULL: lanes join all ranks */
    struct ct_channel *channel; /* NULL: there was no call in flight yet, or it could not be opened */
    enum ct_agreement agreement;
    int code;            /* MPI_SUCCESS, or the MPI error that all calls end with at this rank alone */
    unsigned begun;      /* non-blocking calls; all ranks begin them in the same order */
    unsigned persistent; /* requests made; all ranks make them in the same order */
    unsigned references; /* of the user's communicator, and of requests */
    struct ct_known_call
        *known[2]; /* of non-blocking calls, and of persistent ones; there with the channel */
    /* Where lanes join all ranks, in the same piece of memory: */
    int rank;
    int size;
    int *ranks;       /* in MPI_COMM_WORLD */
    uint64_t *labels; /* by rank */
};

/* Begins to count pairs; ct_carrier_start() comes before. False without memory. */
bool ct_flight_comms_start(void);
void ct_flight_comms_stop(void);

/* Counts a communicator of those ranks of MPI_COMM_WORLD, in its first blocking collective; if it may be a
 * later one, only if it has not been counted. False: lanes do not join all of them, which all of them see
 * alike. */
bool ct_flight_comm_count(MPI_Comm comm, const int *ranks, int rank, int size, bool may_be_counted);

/* Makes a private communicator, collectively by native calls, for a communicator whose blocking calls have
 * the channel `own`; NULL: this rank could keep nothing. If it fails on a rank, no rank has one. Returns
 * whether all ranks keep theirs. */
bool ct_flight_comm_make(MPI_Comm comm, const struct ct_channel *own);

/* Returns it; NULL: calls that are not waited for must be native. */
struct ct_flight_comm *ct_flight_comm_of(MPI_Comm comm);

/* Ends a reference. */
void ct_flight_comm_release(struct ct_flight_comm *flights);

/* The tag of the next non-blocking call, and of the next persistent request. Two calls that are in flight at
 * a time have different ones unless there are some ten thousand of them. */
int ct_flight_comm_tag(struct ct_flight_comm *flights, bool is_persistent);

#endif
