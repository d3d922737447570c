/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_REQUESTS_H
#define CT_LIBRARY_REQUESTS_H

#include "library/communicators/flight_comm.h"
#include "library/execute/patience.h"

/* The user's requests that stand for collectives of the library's, non-blocking or persistent. The handle of
 * each is that of a persistent request of the MPI library which is never started, so that there is nothing
 * to wait for as far as MPI's functions see. Handles serve again: a call needs none to be made.
 *
 * Only one thread calls MPI at a time, see mpi_progress.h. */
struct ct_request;

/* Begins a call, or makes a persistent request for it. False: the call must be native. Sets *ret_code to an
 * MPI error code, and *ret_handle if that is MPI_SUCCESS. */
bool ct_request_make(struct ct_flight_comm *flights, enum ct_collective collective,
                     const struct ct_operands *operands, MPI_Comm comm, bool is_persistent, int *ret_code,
                     MPI_Request *ret_handle);

/* Begins a non-blocking call that repeats the method of `known`, an entry of the communicator without arrays,
 * but has buffers and form of its own, if it can take the short way. It then needs no other arguments. False:
 * nothing has been done, and ct_request_make() comes next. */
bool ct_request_repeat(struct ct_flight_comm *flights, const struct ct_known_call *known, void *send,
                       void *recv, bool is_large, MPI_Comm comm, MPI_Request *ret_handle);

/* Advances all calls. */
void ct_requests_move(void);
/* Passes the time between two tests of a wait, as ct_progress_pass_time(). */
void ct_requests_pass_time(struct ct_patience *patience);

/* Has the user begun it, and not yet seen its end? */
bool ct_request_is_active(const struct ct_request *request);
/* Is its call in flight? */
bool ct_request_is_pending(const struct ct_request *request);

/* Begins the call of a persistent request that is not active. Returns an MPI error code. */
int ct_request_start(struct ct_request *request);
/* Waits until the call is no longer in flight. */
void ct_request_wait(struct ct_request *request);
/* The user sees the end of an active request; if it is not persistent, it is gone, and so is the handle.
 * Raises the error that its call has ended with on the user's communicator. Returns an MPI error code. */
int ct_request_end(struct ct_request *request, MPI_Request *handle);
/* The user frees a request, whose call goes on if it is in flight. */
void ct_request_free(struct ct_request *request, MPI_Request *handle);

#endif
