/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>

/* The call that every solver makes: the sum of one number. */
int main(int argc, char **argv)
{
    double one = 1, sum = 0;
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 5; i++)
        MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (sum != size)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
