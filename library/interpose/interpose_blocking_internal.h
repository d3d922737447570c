/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_INTERPOSE_INTERPOSE_BLOCKING_INTERNAL_H
#define CT_LIBRARY_INTERPOSE_INTERPOSE_BLOCKING_INTERNAL_H

#include "library/communicators/making.h"
#include "library/communicators/meeting.h"
#include "library/execute/mpi_progress.h"
#include "library/interpose/interpose_internal.h"

/* The MPI functions that wait for other ranks, taken over so that calls in flight move meanwhile: those that
 * name a rank by their non-blocking forms (interpose_blocking.c), collective ones by a meeting before them.
 * The MPI of the simulator lacks many of them, and its ranks have no calls in flight. */
#define BLOCKING_TAKEN_OVER (!CT_SIMULATED)

/* Moves the calls in flight once, in functions that programs repeat until something has happened. */
static inline void ct_progress_once(void)
{
    if (ct_progress_is_needed())
        ct_progress();
}

#endif
