/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_RAISED_ERROR_H
#define CT_LIBRARY_RAISED_ERROR_H

#include "plan/call_mode.h"
#include "plan/collective.h"

#include <mpi.h>

/* Raises an error that the MPI library has returned inside a call of the library's, on the user's
 * communicator. Its handler gets the class alone, since the message of the code names the function called
 * there. While it runs, ct_raised_error_string() puts the function that the user has called before
 * the message of that class: MPICH 4.0.2 confuses messages added to codes of a predefined class. A job that
 * ends is told on standard error. Returns what the call returns. */
int ct_raise_error(enum ct_collective collective, enum ct_call_mode mode, int code, MPI_Comm comm);

/* Error_string() as handlers are to see it. */
int ct_raised_error_string(int code, char *text, int *length);

#endif
