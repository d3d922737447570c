/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_OWN_ERROR_H
#define CT_LIBRARY_OWN_ERROR_H

#include <mpi.h>

/* Raises an error of a function of the library's own interface on the user's communicator: keeps the line
 * "FUNCTION: TEXT" for colltuned_error(), tells it on standard error if the job ends by this error, and calls
 * the communicator's error handler. `code` is an MPI error code; MPI_SUCCESS is no error, and nothing is
 * done. Returns its class. */
int ct_raise_own_error(const char *function, int code, const char *text, MPI_Comm comm);

/* What collective functions of that interface begin with: the library has begun, and `comm` is an
 * intracommunicator. Returns MPI_SUCCESS, or the class of an error that has been raised. */
int ct_enter_own(const char *function, MPI_Comm comm);

#endif
