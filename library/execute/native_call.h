/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXECUTE_NATIVE_CALL_H
#define CT_LIBRARY_EXECUTE_NATIVE_CALL_H

#include "library/execute/operands.h"

/* Calls the native collective with the same arguments. Returns its MPI error code. */
int ct_native_call(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm);

#endif
