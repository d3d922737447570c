/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_TUNED_CALL_H
#define CT_LIBRARY_TUNED_CALL_H

#include "library/executor.h"

/* A user's call on a user's communicator: by the method that was decided on, or by the MPI library where that
 * is native or the arguments are wrong, which it knows how to complain of. Returns an MPI error code. */
int ct_tuned_call(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm);

#endif
