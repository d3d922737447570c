/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_PRIVATE_COMM_STATE_H
#define CT_LIBRARY_PRIVATE_COMM_STATE_H

#include "library/decide/varying_calls.h"

/* What the library keeps with a user's communicator: how its messages travel, so that they never match the
 * user's, and what the ranks have agreed on. It is made in the first blocking collective and freed with the
 * user's communicator. On the carrier it depends on the ranks alone: communicators of the same ranks in the
 * same order share it, and a few stay when their communicators are freed. */
struct ct_private_comm {
    int references;             /* of communicators, and of the list of those that are shared */
    struct ct_channel *channel; /* NULL if all collectives are native */
    MPI_Comm comm;              /* of the same group, if no carrier connects the ranks; else MPI_COMM_NULL */
    enum ct_agreement agreement;
    struct ct_choice *const *bypasses; /* of ct_tuner_bypasses() */
    int code; /* MPI_SUCCESS, or the MPI error that the call ends with at this rank alone */
    /* Counts its blocking calls, see ct_channel_count_calls(); NULL: no channel. */
    struct ct_call_count *count;
    unsigned long long checked; /* calls that COLLTUNE_CHECK has compared */
    /* Whose methods are chosen while the application runs; NULL: none. */
    struct ct_adapted_calls *adapted;
    struct ct_known_call known[CT_KNOWN_CALLS];
    struct ct_varying_calls varying;
};

#endif
