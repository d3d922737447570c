/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdlib.h>

/* Instructions are counted within this function: MPI_Init waits in loops of the library. */
__attribute__((noinline)) void call_in_rounds(long rounds)
{
    double one = 1, sum, all[64];
    for (long i = rounds; i > 0; i--) {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Bcast(&one, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Reduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allgather(&one, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    }
}

/* As many rounds of five short calls as the argument says. */
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    call_in_rounds(argc > 1 ? strtol(argv[1], NULL, 10) : 1);
    MPI_Finalize();
    return 0;
}
