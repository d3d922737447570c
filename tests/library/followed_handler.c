/* SPDX-License-Identifier: BSD-3-Clause */
/* In MPICH 4.0.2 a copy of MPI_COMM_WORLD follows the error handler of MPI_COMM_WORLD, also where that is set
 * after the copy was made. Collective calls and new communicators before that change nothing. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Comm copy;
    int rank, class;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Comm_split(copy, 0, 0, NULL), &class);
    MPI_Comm_free(&copy);
    MPI_Finalize();
    if (rank == 0 && class == MPI_ERR_ARG)
        printf("all right\n");
    return class != MPI_ERR_ARG;
}
