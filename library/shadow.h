/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_SHADOW_H
#define CT_LIBRARY_SHADOW_H

#include "library/tuner.h"

/* What the library keeps with a user's communicator: a communicator of its own, so that no message of the
 * user's is ever matched, and what its ranks have agreed on. Made in the first blocking collective, freed
 * with the user's. */
struct ct_shadow {
    MPI_Comm comm;              /* MPI_COMM_NULL where everything goes to the MPI library */
    struct ct_channel *channel; /* NULL then too */
    enum ct_agreement agreement;
};

/* The shadow of `comm`; made, collectively and natively, where there is none yet. NULL: go native (no
 * memory). */
struct ct_shadow *ct_shadow_of(MPI_Comm comm);

/* Frees the shadows of the communicators that MPI itself frees only after it is too late. */
void ct_shadows_stop(void);

#endif
