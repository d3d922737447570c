/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_MPI_YIELDING_CALLS_H
#define CT_LIBRARY_MPI_YIELDING_CALLS_H

#include <mpi.h>

/* Native collectives by which ranks prepare and agree. A rank gives its CPU away while it waits: MPICH's own
 * blocking calls spin, so that each of them takes some time slices of all ranks that share a CPU, and
 * MPI_Init would take seconds. Collective. They return MPI error codes. */

/* Reduces ret_all[0 .. count - 1] of all ranks in place, on all of them. */
int ct_yielding_allreduce(void *ret_all, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);

/* Leaves those of says[0 .. count - 1] true that are true on all ranks, none if they cannot agree. */
void ct_yielding_agree(int *says, int count, MPI_Comm comm);

/* Tells all ranks own[0 .. count - 1] of each; ret_all has room for as many of them as there are ranks. */
int ct_yielding_allgather(const void *own, void *ret_all, int count, MPI_Datatype type, MPI_Comm comm);

/* Duplicates a communicator on which the application has set no attributes yet: their functions would be
 * called. Not under the simulator. */
int ct_yielding_dup(MPI_Comm comm, MPI_Comm *ret_comm);

#endif
