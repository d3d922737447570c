/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_REQUEST_TABLE_H
#define CT_LIBRARY_REQUEST_TABLE_H

#include "library/communicators/flight_comm.h"

/* The requests of requests.h, by their handles. Those that are given back serve again. */
struct ct_request;

/* Are any in use? */
bool ct_requests_exist(void);

/* The request of that handle; NULL if it is none of ours, or unused. The one that was found or taken last is
 * found quickest. */
struct ct_request *ct_request_find(MPI_Request handle);

/* Takes a request for a call, with a tag and a flight of its own; `flight` is NULL if there was no memory for
 * that. NULL: there is none for the request. The tag is taken in any case, as at other ranks. */
struct ct_request *ct_request_take(struct ct_flight_comm *flights, MPI_Comm comm, bool is_persistent);

/* The request that is taken next. Its flight may carry out a call before that. NULL: one must be made first.
 */
struct ct_request *ct_request_spare(void);
/* Takes the spare request for a non-blocking call that its flight has begun. */
void ct_request_take_spare(struct ct_flight_comm *flights, MPI_Comm comm);

/* Non-blocking calls of which nothing is left to do when they have begun share one request, the common one,
 * as nothing needs to be kept for them. It is always active and never pending. There is one if there is a
 * spare request. */
MPI_Request ct_common_request_take(void);
/* The user sees the end of one of these calls, or frees its request. False: it is another request. */
bool ct_common_request_give_back(struct ct_request *request);

/* Gives one back whose call is not in flight. What it says stays until it is taken again. */
void ct_request_give_back(struct ct_request *request);

/* Frees all that are unused. */
void ct_request_table_stop(void);

#endif
