/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions on errors. */
#include "library/interpose/interpose_internal.h"
#include "library/raised_error.h"

INTERPOSED int MPI_Error_string(int code, char *text, int *length)
{
    return ct_raised_error_string(code, text, length);
}
