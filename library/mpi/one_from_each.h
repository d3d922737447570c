/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_MPI_ONE_FROM_EACH_H
#define CT_LIBRARY_MPI_ONE_FROM_EACH_H

#include <mpi.h>

/* Tells all ranks a number of each, by native calls; ret_all has as many elements as there are ranks.
 * Collective. Returns an MPI error code. Not by MPI_Allgather: that of SimGrid's SMPI begins all messages at
 * once, and looks through them for each that ends, so that its time grows with the cube of the ranks. */
int ct_one_from_each(int own, int *ret_all, MPI_Comm comm);

#endif
