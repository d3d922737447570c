/* SPDX-License-Identifier: BSD-3-Clause */
#include "other_traffic.h"

#include <sched.h>

enum { EVERY = 3, NUMBERS = 1000, TAGS = 100 };

void other_traffic_begin(struct other_traffic *traffic, MPI_Comm comm, unsigned seed)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    *traffic = (struct other_traffic){.comm = comm, .is_there = size > 1 && seed % EVERY == 0};
    if (!traffic->is_there)
        return;
    traffic->sent = (int)(seed % NUMBERS) + rank;
    traffic->awaited = (int)(seed % NUMBERS) + (rank + size - 1) % size;
    MPI_Irecv(&traffic->got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &traffic->requests[0]);
    MPI_Isend(&traffic->sent, 1, MPI_INT, (rank + 1) % size, (int)(seed % TAGS), comm, &traffic->requests[1]);
}

/* Ranks may outnumber the CPUs: tests and yields, but for the simulator, where that costs simulated time. */
static int wait_for(MPI_Request *request)
{
#ifdef SMPI_H
    return MPI_Wait(request, MPI_STATUS_IGNORE);
#else
    int done = 0, code;
    while ((code = MPI_Test(request, &done, MPI_STATUS_IGNORE)) == MPI_SUCCESS && !done)
        sched_yield();
    return code;
#endif
}

bool other_traffic_end(struct other_traffic *traffic)
{
    if (!traffic->is_there)
        return true;
    for (int i = 0; i < 2; i++)
        if (wait_for(&traffic->requests[i]) != MPI_SUCCESS)
            return false;
    return traffic->got == traffic->awaited;
}
