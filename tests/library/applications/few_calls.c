/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>

/* Some calls on all ranks, then on all but the last, to see by a profile what was decided. */
static void call_some(MPI_Comm comm)
{
    static char bytes[1 << 16], result[1 << 20];
    MPI_Bcast(bytes, 100, MPI_BYTE, 0, comm);
    MPI_Bcast(bytes, 1 << 16, MPI_BYTE, 0, comm);
    MPI_Allgather(bytes, 100, MPI_BYTE, result, 100, MPI_BYTE, comm);
    MPI_Barrier(comm);
    for (int root = 0; root < 2; root++)
        MPI_Scatter(bytes, 100, MPI_BYTE, result, 100, MPI_BYTE, root, comm);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Comm fewer;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    call_some(MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, rank == size - 1, rank, &fewer);
    if (rank < size - 1)
        call_some(fewer);
    MPI_Comm_free(&fewer);
    MPI_Finalize();
    return 0;
}
