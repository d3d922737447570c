/* SPDX-License-Identifier: BSD-3-Clause */
/* The first call on a communicator, in which a preloaded tuned library prepares it, against later ones:
 * barriers on new communicators of all ranks and of the even or odd ones. Usage: bench_first_call
 * [COMMUNICATORS]. */
#include "tests/benchmarks/blocks.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Seconds of a barrier on `comm`, after ranks have met. */
static double time_barrier(MPI_Comm comm)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    MPI_Barrier(comm);
    return MPI_Wtime() - begin;
}

/* Prints quartiles of both, over the communicators, on rank 0. */
static void report(const char *what, const double *first, const double *later, size_t count)
{
    double quartiles[2][3];
    blocks_quartiles(first, count, quartiles[0]);
    blocks_quartiles(later, count, quartiles[1]);
    printf("%s, %zu communicators\n", what, count);
    for (int i = 0; i < 2; i++)
        printf("  %-12s median %10.1f us, quartiles %10.1f and %10.1f us\n", i ? "later call" : "first call",
               quartiles[i][1] * 1e6, quartiles[i][0] * 1e6, quartiles[i][2] * 1e6);
    printf("  first call / later call, medians: %.2f\n", quartiles[0][1] / quartiles[1][1]);
}

int main(int argc, char **argv)
{
    static double first[BLOCKS_MOST], later[BLOCKS_MOST];
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 100;
    if (count < 1 || count > BLOCKS_MOST) {
        fprintf(stderr, "bench_first_call: expected 1 to %d communicators\n", BLOCKS_MOST);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int splits = 0; splits < 2; splits++) {
        for (size_t i = 0; i < count; i++) {
            MPI_Comm comm;
            MPI_Comm_split(MPI_COMM_WORLD, splits ? rank % 2 : 0, rank, &comm);
            first[i] = time_barrier(comm);
            later[i] = time_barrier(comm);
            /* Nobody may spin in a native call before all have taken their time. */
            MPI_Barrier(MPI_COMM_WORLD);
            MPI_Comm_free(&comm);
        }
        if (rank == 0)
            report(splits ? "even and odd ranks" : "all ranks", first, later, count);
    }
    MPI_Finalize();
    return 0;
}
