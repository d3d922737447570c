/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions on errors. */
#include "library/errors/raised_error.h"
#include "library/interpose/interpose_internal.h"

INTERPOSED int MPI_Error_string(int code, char *text, int *length)
{
    return ct_raised_error_string(code, text, length);
}
