/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Prints the median time of a short MPI_Allreduce in nanoseconds, over blocks of calls: dynamic_rules runs it
 * with and without a file of rules. */

enum { BLOCKS = 101, CALLS = 200 };

static int compare(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

int main(int argc, char **argv)
{
    static double seconds[BLOCKS];
    double value = 1, sum;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int block = -20; block < BLOCKS; block++) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double begun = MPI_Wtime();
        for (int call = 0; call < CALLS; call++)
            MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (block >= 0)
            seconds[block] = (MPI_Wtime() - begun) / CALLS;
    }
    qsort(seconds, BLOCKS, sizeof *seconds, compare);
    if (rank == 0)
        printf("%.1f\n", 1e9 * seconds[BLOCKS / 2]);
    MPI_Finalize();
    return 0;
}
