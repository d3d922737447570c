/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdlib.h>

/* As many rounds of five short calls as the argument says. */
int main(int argc, char **argv)
{
    double one = 1, sum, all[64];
    MPI_Init(&argc, &argv);
    for (long i = argc > 1 ? strtol(argv[1], NULL, 10) : 1; i > 0; i--) {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Bcast(&one, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Reduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allgather(&one, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
