/* SPDX-License-Identifier: BSD-3-Clause */
/* As many communicators with neighbors at a time as the MPI library has room for, each with a call, and many
 * that are made and freed in turn. Ends with 1 if a call fails, or if there is no room for 1500. */
#include <mpi.h>
#include <stdio.h>

enum { EXPECTED = 1500, MOST = 3000, ROUNDS = 2000 };

static int rank, size, mistakes;

/* A ring. MPI_COMM_NULL where there is no room. */
static MPI_Comm make(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    int from = (rank + size - 1) % size, to = (rank + 1) % size, weight = 1;
    int code = MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &from, &weight, 1, &to, &weight,
                                              MPI_INFO_NULL, 0, &comm);
    if (code != MPI_SUCCESS)
        return MPI_COMM_NULL;
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    return comm;
}

static void call(MPI_Comm comm, int number)
{
    int sent = rank * MOST + number, received = -1;
    int code = MPI_Neighbor_alltoall(&sent, 1, MPI_INT, &received, 1, MPI_INT, comm);
    if (code != MPI_SUCCESS || received != (rank + size - 1) % size * MOST + number)
        if (mistakes++ == 0)
            printf("rank %d, communicator %d: code %d, received %d\n", rank, number, code, received);
}

int main(int argc, char **argv)
{
    static MPI_Comm comms[MOST];
    int count = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    while (count < MOST && (comms[count] = make()) != MPI_COMM_NULL)
        call(comms[count], count), count++;
    for (int i = 0; i < count; i++)
        call(comms[i], i);
    for (int i = 0; i < count; i++)
        MPI_Comm_free(&comms[i]);
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Comm comm = make();
        call(comm, i);
        MPI_Comm_free(&comm);
    }
    if (rank == 0)
        printf("%d communicators at a time, then %d in turn\n", count, ROUNDS);
    MPI_Finalize();
    return mistakes > 0 || count < EXPECTED;
}
