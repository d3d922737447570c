/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_BUFFERED_MESSAGES_H
#define CT_LIBRARY_BUFFERED_MESSAGES_H

#include "library/execute/operands.h"

#include <stdbool.h>

/* Messages of buffered sends. MPI_Buffer_detach waits until the receivers have taken the messages in the
 * buffer. It has no non-blocking form, so that calls in flight could not move meanwhile. Nor can MPI be asked
 * whether the buffer is in use: a message that has no room in it is refused, but Open MPI 4.1.4 has counted
 * it by then, and the receiver of the next one waits for it for ever.
 *
 * So where meetings are held, the library keeps a copy of each message, and sends it by PMPI_Isend(). The
 * attached buffer says how much it may keep. It stays attached, and the MPI library's own functions use it
 * for the rest: persistent sends, and messages that are too many. */

/* A buffer has been attached. */
void ct_buffered_messages_attach(MPI_Count bytes);

/* Sends a message. False if the MPI library is to do it, else *ret_code is an MPI error code. */
bool ct_buffered_messages_send(const void *buffer, ct_wide_count count, MPI_Datatype type, int dest, int tag,
                               MPI_Comm comm, int *ret_code);

/* Waits until the messages have been sent, and moves the calls in flight meanwhile. The buffer no longer
 * counts. */
void ct_buffered_messages_finish(void);

#endif
