/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_LIFETIME_H
#define CT_LIBRARY_LIFETIME_H

#include <stdbool.h>

/* When the library begins and ends. It begins in MPI_Init, or, if that went past it (MPI sessions), in the
 * first collective. It reports when MPI_Finalize deletes the attributes of MPI_COMM_SELF, whoever calls it,
 * or, without that, when the process exits. A job that is ended by SIGTERM or MPI_Abort saves its profile. */

/* Before MPI_Init or MPI_Session_init: lets the other ranks of the node know that this one has the
 * library. */
void ct_library_announce(void);
/* After MPI_Session_init: finds whether all ranks of the node have it. The first of these calls, which waits
 * for all ranks of the node, may be in a session; what it finds is used in MPI_Init. */
void ct_library_count_ranks(void);
/* Begins in MPI_Init: finds nodes and the wait policy, and makes the carrier. Collective over MPI_COMM_WORLD,
 * by native calls. If all ranks are of this node and some have no library, it sends nothing, and all calls
 * are passed on. */
void ct_library_begin_in_world(void);

/* Begins at this rank alone, without messages, if the library has not begun. Any thread may call it. False if
 * not all ranks have the library, or if the program uses another MPI than it was built for: then all its
 * calls must be passed on, and no handle may be used. If they cannot be passed on, the process ends. */
bool ct_library_begin(void);

/* Reports, if nothing has been reported yet, and frees communicators. Collective over MPI_COMM_WORLD, by
 * native calls. Only for the simulator, which leaves attributes alone in MPI_Finalize. */
void ct_library_end(void);

/* Saves this rank's profile, since MPI_Abort ends the job without a report. Calls no MPI. */
void ct_library_abort(void);

#endif
