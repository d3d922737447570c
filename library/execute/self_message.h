/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXECUTE_SELF_MESSAGE_H
#define CT_LIBRARY_EXECUTE_SELF_MESSAGE_H

#include "library/execute/message_state.h"

/* Packs (or unpacks) elements of `size` bytes altogether by a message of this rank to itself, whose other
 * side are bytes: for what the pack functions of MPI refuse. Returns an MPI error code. */
int ct_convert_by_message(const struct ct_messages *messages, bool unpacks, char *user, int count,
                          MPI_Datatype type, char *bytes, size_t size);

#endif
