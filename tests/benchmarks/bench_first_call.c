/* SPDX-License-Identifier: BSD-3-Clause */
/* The first call on a communicator, in which a preloaded tuned library prepares it, against later ones:
 * barriers on new communicators of all ranks and of the even or odd ones. A communicator is made by a native
 * call, after which the scheduler owes some ranks more CPU time than others. So a first call is also compared
 * with a call on a communicator that is well known, made in its place after every second MPI_Comm_split.
 * Usage: bench_first_call [COMMUNICATORS]. */
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

enum { FIRST, KNOWN, LATER, CALLS };

/* Prints quartiles of each kind, over the communicators, on rank 0. */
static void report(const char *what, double times[CALLS][BLOCKS_MOST], size_t count)
{
    static const char *const names[CALLS] = {"first call", "call on a known one", "later call"};
    double quartiles[CALLS][3];
    printf("%s, %zu communicators of each kind\n", what, count);
    for (int i = 0; i < CALLS; i++) {
        blocks_quartiles(times[i], count, quartiles[i]);
        printf("  %-20s median %10.1f us, quartiles %10.1f and %10.1f us\n", names[i], quartiles[i][1] * 1e6,
               quartiles[i][0] * 1e6, quartiles[i][2] * 1e6);
    }
    printf("  medians: first call / later call %.2f, first call / call on a known one %.2f\n",
           quartiles[FIRST][1] / quartiles[LATER][1], quartiles[FIRST][1] / quartiles[KNOWN][1]);
}

int main(int argc, char **argv)
{
    static double times[CALLS][BLOCKS_MOST];
    MPI_Comm known[2];
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 100;
    if (count < 1 || count > BLOCKS_MOST) {
        fprintf(stderr, "bench_first_call: expected 1 to %d communicators\n", BLOCKS_MOST);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int splits = 0; splits < 2; splits++) {
        MPI_Comm_split(MPI_COMM_WORLD, splits ? rank % 2 : 0, rank, &known[splits]);
        MPI_Barrier(known[splits]);
    }
    for (int splits = 0; splits < 2; splits++) {
        for (size_t i = 0; i < 2 * count; i++) {
            MPI_Comm comm;
            int kind = i % 2 ? KNOWN : FIRST;
            MPI_Comm_split(MPI_COMM_WORLD, splits ? rank % 2 : 0, rank, &comm);
            times[kind][i / 2] = time_barrier(kind == FIRST ? comm : known[splits]);
            times[LATER][i / 2] = time_barrier(kind == FIRST ? comm : known[splits]);
            /* Nobody may spin in a native call before all have taken their time. */
            MPI_Barrier(MPI_COMM_WORLD);
            MPI_Comm_free(&comm);
        }
        if (rank == 0)
            report(splits ? "even and odd ranks" : "all ranks", times, count);
    }
    for (int splits = 0; splits < 2; splits++)
        MPI_Comm_free(&known[splits]);
    MPI_Finalize();
    return 0;
}
