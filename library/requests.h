/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_REQUESTS_H
#define CT_LIBRARY_REQUESTS_H

#include "library/flight_comm.h"

/* The user's requests that stand for collectives of the library's. Each is a request of the MPI library's,
 * too. One of a non-blocking call is a generalized request that completes when the call has completed, so
 * that MPI's own functions complete it, free it, and find it among other requests. A persistent one is a
 * request that is never started: to MPI's functions there is nothing to wait for. */
struct ct_request;

/* Are there any? */
bool ct_requests_exist(void);

/* Begins a call, or makes a persistent request for it. False: the call must be native. Sets *ret_code to an
 * MPI error code, and *ret_request if that is MPI_SUCCESS. */
bool ct_request_make(struct ct_flight_comm *flights, enum ct_collective collective,
                     const struct ct_operands *operands, MPI_Comm comm, bool is_persistent, int *ret_code,
                     MPI_Request *ret_request);

/* Advances all calls, and completes the requests of those that have completed. */
void ct_requests_move(void);

/* The request of that handle; NULL if it is none of ours. */
struct ct_request *ct_request_find(MPI_Request handle);
/* Is its call in flight? */
bool ct_request_is_pending(const struct ct_request *request);
bool ct_request_is_persistent(const struct ct_request *request);
/* Has the user begun it, and not yet seen its end? */
bool ct_request_is_active(const struct ct_request *request);

/* Begins the call of a persistent request that is not active. Returns an MPI error code. */
int ct_request_start(struct ct_request *request);
/* The user has seen the end of an active request; if it is not persistent, it is gone. Raises the error that
 * its call has ended with on the user's communicator. Returns an MPI error code. */
int ct_request_end(struct ct_request *request);
/* Frees a persistent request that is not active. */
void ct_request_free(struct ct_request *request);

#endif
