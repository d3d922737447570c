/* SPDX-License-Identifier: BSD-3-Clause */
/* An application in which a rank could run far ahead of the others, since it has no message in most calls: it
 * gives nothing to gather. Another rank begins late, so that the root waits for long. Messages of the last
 * call must arrive nevertheless. Prints "all right" at rank 0.
 *
 * far_ahead CALLS [multiple]: with MPI_THREAD_MULTIPLE. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { RANKS = 4, ROOT = 0, LATE = 1, AHEAD = RANKS - 1 };

int main(int argc, char **argv)
{
    const struct timespec pause = {.tv_nsec = 400000000};
    const int counts[RANKS] = {1, 1, 1, 0}, places[RANKS] = {0, 1, 2, 3};
    int rank, size, provided;
    long all[RANKS] = {-1, -1, -1, -1}, sum = -1;
    MPI_Init_thread(&argc, &argv, argc > 2 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc < 2 || size != RANKS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    const long own = rank, calls = atol(argv[1]);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == LATE)
        nanosleep(&pause, NULL);
    for (long i = 0; i < calls; i++)
        MPI_Gatherv(&own, counts[rank], MPI_LONG, all, counts, places, MPI_LONG, ROOT, MPI_COMM_WORLD);
    MPI_Allreduce(&own, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    bool right = sum == RANKS * (RANKS - 1) / 2;
    for (int i = 0; rank == ROOT && i < RANKS; i++)
        right = right && all[i] == (i == AHEAD ? -1 : i);
    if (rank == ROOT)
        puts(right ? "all right" : "FAILED");
    MPI_Finalize();
    return right ? 0 : 1;
}
