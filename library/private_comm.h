/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_PRIVATE_COMM_H
#define CT_LIBRARY_PRIVATE_COMM_H

#include "library/known_call.h"

/* The private communicator that the library keeps with a user's communicator, so that its messages never
 * match the user's, and what the ranks have agreed on. It is made in the first blocking collective and freed
 * with the user's communicator. */
struct ct_private_comm {
    MPI_Comm comm;              /* MPI_COMM_NULL if all collectives are native */
    struct ct_channel *channel; /* then NULL */
    enum ct_agreement agreement;
    struct ct_known_call known[CT_KNOWN_CALLS];
};

/* Returns the private communicator of `comm`, and makes it, collectively and by native calls, if there is
 * none yet. NULL: the collective must be native. */
struct ct_private_comm *ct_private_comm_of(MPI_Comm comm);

/* Frees the private communicators of MPI_COMM_WORLD and MPI_COMM_SELF, which MPI frees too late. */
void ct_private_comms_stop(void);

#endif
