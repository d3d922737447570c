/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/execute/split_barrier.h"
#include "library/mpi/backend_mpi.h"

/* Begins a round: a message to the rank at the distance, and one from the rank at that distance in the other
 * direction. */
static int begin_round(struct ct_split_barrier *barrier)
{
    const int rank = barrier->rank, size = barrier->size, distance = barrier->distance;
    int code = PMPI_Irecv(NULL, 0, MPI_BYTE, (rank - distance + size) % size, barrier->tag, barrier->comm,
                          &barrier->requests[0]);
    if (code == MPI_SUCCESS)
        code = PMPI_Isend(NULL, 0, MPI_BYTE, (rank + distance) % size, barrier->tag, barrier->comm,
                          &barrier->requests[1]);
    return code;
}

int ct_split_barrier_enter(MPI_Comm comm, int tag, struct ct_split_barrier *ret_barrier)
{
    *ret_barrier = (struct ct_split_barrier){
        .comm = comm, .tag = tag, .distance = 1, .requests = {MPI_REQUEST_NULL, MPI_REQUEST_NULL}};
    if (!CT_SIMULATED)
        return PMPI_Ibarrier(comm, &ret_barrier->requests[0]);
    PMPI_Comm_rank(comm, &ret_barrier->rank);
    PMPI_Comm_size(comm, &ret_barrier->size);
    return ret_barrier->size > 1 ? begin_round(ret_barrier) : MPI_SUCCESS;
}

int ct_split_barrier_test(struct ct_split_barrier *barrier, int *ret_is_over)
{
    int is_complete = false;
    *ret_is_over = false;
    if (!CT_SIMULATED)
        return PMPI_Test(&barrier->requests[0], ret_is_over, MPI_STATUS_IGNORE);
    int code = PMPI_Testall(2, barrier->requests, &is_complete, MPI_STATUSES_IGNORE);
    if (code != MPI_SUCCESS || !is_complete)
        return code;
    barrier->distance *= 2;
    *ret_is_over = barrier->distance >= barrier->size;
    return *ret_is_over ? code : begin_round(barrier);
}
