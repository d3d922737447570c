/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/mpi/yielding_calls.h"
#include "library/mpi/backend_mpi.h"

#include <sched.h>
#include <string.h>

static int finish_yielding(int code, MPI_Request *request)
{
    int done = false;
    while (code == MPI_SUCCESS && !done) {
        code = PMPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (!done)
            sched_yield();
    }
    return code;
}

/* In SMPI, SimGrid's MPI, a non-blocking reduction sends a message for each pair of ranks. */
int ct_yielding_allreduce(void *ret_all, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    MPI_Request request = MPI_REQUEST_NULL;
    if (CT_SIMULATED)
        return PMPI_Allreduce(MPI_IN_PLACE, ret_all, count, type, op, comm);
    return finish_yielding(PMPI_Iallreduce(MPI_IN_PLACE, ret_all, count, type, op, comm, &request), &request);
}

void ct_yielding_agree(int *says, int count, MPI_Comm comm)
{
    if (ct_yielding_allreduce(says, count, MPI_INT, MPI_MIN, comm) != MPI_SUCCESS)
        memset(says, 0, (size_t)count * sizeof *says);
}

/* SMPI's allgather begins all messages at once, and looks through them for each that ends, so that its time
 * grows with the cube of the ranks. */
static int gather_and_broadcast(const void *own, void *ret_all, int count, MPI_Datatype type, MPI_Comm comm)
{
    enum { ROOT = 0 };
    int size;
    int code = PMPI_Comm_size(comm, &size);
    if (code == MPI_SUCCESS)
        code = PMPI_Gather(own, count, type, ret_all, count, type, ROOT, comm);
    return code == MPI_SUCCESS ? PMPI_Bcast(ret_all, count * size, type, ROOT, comm) : code;
}

int ct_yielding_allgather(const void *own, void *ret_all, int count, MPI_Datatype type, MPI_Comm comm)
{
    MPI_Request request = MPI_REQUEST_NULL;
    if (CT_SIMULATED)
        return gather_and_broadcast(own, ret_all, count, type, comm);
    return finish_yielding(PMPI_Iallgather(own, count, type, ret_all, count, type, comm, &request), &request);
}

int ct_yielding_dup(MPI_Comm comm, MPI_Comm *ret_comm)
{
    MPI_Request request = MPI_REQUEST_NULL;
    return finish_yielding(PMPI_Comm_idup(comm, ret_comm, &request), &request);
}
