/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Waitall() on persistent collectives of the MPI library itself, together with messages, where the tuned
 * library waits by tests: these may find such a request complete again and again. */
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 3 };

#if MPI_VERSION >= 4
/* The sum of all ranks, and what the rank before has sent. */
static int is_wrong(int rank, int size)
{
    MPI_Request requests[4];
    MPI_Status statuses[4];
    int sum = 0, received = -1, wrong = 0;
    const int before = (rank + size - 1) % size;
    MPI_Allreduce_init(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Recv_init(&received, 1, MPI_INT, before, 0, MPI_COMM_WORLD, &requests[2]);
    requests[3] = MPI_REQUEST_NULL;
    for (int round = 0; round < ROUNDS; round++) {
        sum = received = -1;
        MPI_Start(&requests[0]);
        MPI_Start(&requests[2]);
        MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(4, requests, statuses);
        wrong |= sum != size * (size - 1) / 2 || received != before;
        wrong |= statuses[2].MPI_SOURCE != before;
        wrong |= requests[0] == MPI_REQUEST_NULL || requests[1] != MPI_REQUEST_NULL ||
                 requests[2] == MPI_REQUEST_NULL;
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[2]);
    return wrong;
}
#else
static int is_wrong(int rank, int size)
{
    return rank >= size;
}
#endif

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int wrong = is_wrong(rank, size);
    MPI_Finalize();
    if (wrong)
        printf("rank %d: the results are not what the persistent calls give\n", rank);
    return wrong;
}
