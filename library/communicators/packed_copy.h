/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_PACKED_COPY_H
#define CT_LIBRARY_PACKED_COPY_H

#include "library/execute/operands.h"

/* Copies data that is to be sent on a communicator, packed: MPI_PACKED is its type from then on. The copy is
 * the caller's, and is freed by free(). Meetings must be held (meeting.h). Errors are raised on the
 * communicator. Returns an MPI error code. */
int ct_pack_copy(const void *buffer, ct_wide_count count, MPI_Datatype type, MPI_Comm comm, void **ret_packed,
                 ct_wide_count *ret_length);

#endif
