/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXECUTE_SPLIT_BARRIER_H
#define CT_LIBRARY_EXECUTE_SPLIT_BARRIER_H

#include <mpi.h>

/* A barrier in two phases: a rank enters it, goes on with other work, and asks from time to time whether all
 * ranks have entered. It is MPI_Ibarrier, but in the simulator a dissemination barrier of our own: SMPI 3.32
 * lets all ranks out of MPI_Ibarrier as soon as rank 0 has entered. */

struct ct_split_barrier {
    MPI_Comm comm;
    int tag;
    int rank;
    int size;
    int distance;            /* to the rank that gets the message of this round */
    MPI_Request requests[2]; /* of the round, or of MPI_Ibarrier */
};

/* Both return an MPI error code, after which the barrier is over. Nobody else may receive messages with `tag`
 * on `comm`. */
int ct_split_barrier_enter(MPI_Comm comm, int tag, struct ct_split_barrier *ret_barrier);
/* *ret_is_over: all ranks have entered. It is not to be called again then. */
int ct_split_barrier_test(struct ct_split_barrier *barrier, int *ret_is_over);

#endif
