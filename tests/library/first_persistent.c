/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes persistent requests before all other collectives on MPI_COMM_WORLD, a copy of it, and a communicator
 * of the even and one of the odd ranks. Starts each ten times. Prints ALL RIGHT at the end. Exits with 77
 * where MPI has no persistent collectives. */
#include <mpi.h>
#include <stdio.h>

#if MPI_VERSION >= 4

enum { COMMS = 3, STARTS = 10 };

int main(int argc, char **argv)
{
    MPI_Comm comms[COMMS] = {MPI_COMM_WORLD};
    MPI_Request requests[COMMS];
    int rank, size[COMMS], one[COMMS], sum[COMMS], right = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < COMMS; i++) {
        if (i == 1)
            MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        else if (i == 2)
            MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comms[i]);
        MPI_Comm_size(comms[i], &size[i]);
        MPI_Allreduce_init(&one[i], &sum[i], 1, MPI_INT, MPI_SUM, comms[i], MPI_INFO_NULL, &requests[i]);
    }
    for (int start = 0; start < STARTS; start++) {
        for (int i = 0; i < COMMS; i++)
            one[i] = start + i;
        MPI_Startall(COMMS, requests);
        MPI_Waitall(COMMS, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < COMMS; i++)
            right = right && sum[i] == size[i] * (start + i);
    }
    for (int i = 0; i < COMMS; i++)
        MPI_Request_free(&requests[i]);
    MPI_Comm_free(&comms[1]);
    MPI_Comm_free(&comms[2]);
    MPI_Finalize();
    if (right)
        puts("ALL RIGHT");
    return !right;
}

#else

int main(void)
{
    return 77;
}

#endif
