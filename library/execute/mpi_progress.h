/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXECUTE_MPI_PROGRESS_H
#define CT_LIBRARY_EXECUTE_MPI_PROGRESS_H

#include "library/execute/flight_state.h"
#include "library/execute/patience.h"

/* Calls in flight that nobody waits for: non-blocking ones, and persistent ones that have been started. MPI
 * wants them to move whenever a rank is inside MPI, so every MPI function that may wait for other ranks
 * advances them while it does. */

/* Are there any? Programs that start none pay little for it. */
bool ct_progress_is_needed(void);

/* Advances them as far as it goes without waiting, and gives other ranks the CPU if they share it. */
void ct_progress(void);

/* Functions of the MPI library spin while they wait for messages. On a rank that shares its CPU, the sender
 * may want that CPU, so that the functions that the library takes over wait by tests there, as its own calls
 * do. Until it is told, each rank has a CPU of its own. */
void ct_progress_set_policy(enum ct_wait_policy policy);

/* Must a function that waits for messages do so by tests? If calls are in flight, or by the policy. */
bool ct_progress_takes_turns(void);

/* Such a wait begins. */
struct ct_patience ct_progress_begin_wait(void);

/* Passes the time between two tests of a wait: advances the calls in flight, or rests if there are none. */
void ct_progress_pass_time(struct ct_patience *patience);

/* Adds a call that has been begun. It is advanced until it is complete, and is then no longer of the list;
 * its result is in flight->code, which is CT_PENDING until then. */
void ct_progress_add(struct ct_flight *flight);

/* A call has failed, and transfers of it stay in its flight until their receivers or senders have come to
 * their end; see transfers.h. Moves them from now on, whether or not the flight carries out other calls
 * meanwhile. Nothing is done where several threads call. */
void ct_progress_add_remains(struct ct_flight *flight);
/* The flight is no longer needed: frees it, now or when they have come to their end. NULL is none. */
void ct_progress_free(struct ct_flight *flight);
/* The flight will be freed by its owner. */
void ct_progress_forget(struct ct_flight *flight);

/* Waits until a call is complete. The last one in flight waits as blocking calls do, which costs less than to
 * ask again and again. */
void ct_progress_wait(struct ct_flight *flight);

#endif
