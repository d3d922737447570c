/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_MPI_COMM_KEYVAL_H
#define CT_LIBRARY_MPI_COMM_KEYVAL_H

#include <mpi.h>
#include <stdatomic.h>

/* The attribute key under which a file keeps something with communicators. MPI gives it out once; it is never
 * inherited by copies of a communicator. */

/* Returns the key. It is made at the first call, of whatever thread, and freed values are passed to `forget`.
 * MPI_KEYVAL_INVALID: the MPI library has none now. `*key` is the caller's, MPI_KEYVAL_INVALID at first. */
int ct_comm_keyval(atomic_int *key, MPI_Comm_delete_attr_function *forget);

/* Forgets what all files keep with the communicator. No other thread may call anything here meanwhile. */
void ct_comm_keyvals_forget(MPI_Comm comm);

#endif
