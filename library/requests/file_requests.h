/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_FILE_REQUESTS_H
#define CT_LIBRARY_FILE_REQUESTS_H

#include <mpi.h>
#include <stdbool.h>

/* Requests of non-blocking collective functions on files. ROMIO, which MPICH has for files, goes on with such
 * a request when it is tested, and then begins collectives of its own. All ranks must begin these in one
 * order. So of several such requests only the first one that is not complete may be tested, as the
 * MPI_Waitall of MPICH does it: it waits for one after another.
 *
 * Where no function waits by tests, none of them needs to be known. Threads may call these at the same time.
 */

/* The request has been begun. Without memory it is not known as one. */
void ct_file_request_begun(MPI_Request handle);

/* Are any known? */
bool ct_file_requests_exist(void);

/* Is it one that may not be complete? A handle is known until it is waited for or tested alone, or waited for
 * by MPI_Waitall. Then MPI may use it again. */
bool ct_file_request_is_known(MPI_Request handle);
void ct_file_request_ended(MPI_Request handle);

#endif
