/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_MPI_PROGRESS_H
#define CT_LIBRARY_MPI_PROGRESS_H

#include "library/channel.h"

/* Calls in flight that nobody waits for: non-blocking ones, and persistent ones that have been started. MPI
 * wants them to move whenever a rank is inside MPI, so every MPI function that may wait for other ranks
 * advances them while it does. */

/* Are there any? Inline by optimization over all files: programs that start none pay a load for it. */
bool ct_progress_is_needed(void);

/* Advances them as far as it goes without waiting, and gives other ranks the CPU if they share it. For the
 * loops of functions that wait. */
void ct_progress(void);

/* Adds a call that has been begun. It is advanced until it is complete, and is then no longer of the list;
 * its result is in flight->code, which is CT_PENDING until then. */
void ct_progress_add(struct ct_flight *flight);

/* Waits until a call is complete. The last one in flight waits as blocking calls do, which costs less than to
 * ask again and again. */
void ct_progress_wait(struct ct_flight *flight);

#endif
