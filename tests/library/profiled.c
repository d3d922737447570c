/* SPDX-License-Identifier: BSD-3-Clause */
/* An application of two ranks or more that is profiled: profiled [HOW [CALLED]]. It makes ten broadcasts and
 * one allreduce, writes the file CALLED, since launchers may lose what is printed before an abort, and ends:
 *
 *     whole     by MPI_Finalize
 *     forms     the same, after three non-blocking broadcasts and two of one persistent request
 *     neighbors the same, after three calls around a ring, and a non-blocking one
 *     abort     rank 0 by MPI_Abort, while the others wait
 *     ended     by SIGTERM, which rank 0 sends itself while the others wait
 *     waits     by SIGTERM from outside, while all wait
 *     caught    by SIGTERM of rank 0, but the application has a handler, which exits with 9 */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void handle(int number)
{
    (void)number;
    _exit(9);
}

static void call_other_forms(char *bytes)
{
    MPI_Request request;
    for (int i = 0; i < 3; i++) {
        MPI_Ibcast(bytes, 600, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
#if MPI_VERSION >= 4
    MPI_Bcast_init(bytes, 600, MPI_BYTE, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
#endif
}

static void call_neighbors(char *bytes)
{
    MPI_Comm ring;
    MPI_Request request;
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &(int){1}, 0, &ring);
    for (int i = 0; i < 3; i++)
        MPI_Neighbor_alltoall(bytes, 100, MPI_BYTE, bytes + 200, 100, MPI_BYTE, ring);
    MPI_Ineighbor_alltoall(bytes, 100, MPI_BYTE, bytes + 200, 100, MPI_BYTE, ring, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&ring);
}

int main(int argc, char **argv)
{
    static char bytes[1000];
    int rank, one = 1, sum = 0;
    const char *how = argc > 1 ? argv[1] : "whole";
    int is_whole = strcmp(how, "whole") == 0 || strcmp(how, "forms") == 0 || strcmp(how, "neighbors") == 0;
    if (strcmp(how, "caught") == 0)
        signal(SIGTERM, handle);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 10; i++)
        MPI_Bcast(bytes, i < 5 ? 600 : 1000, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (strcmp(how, "forms") == 0)
        call_other_forms(bytes);
    if (strcmp(how, "neighbors") == 0)
        call_neighbors(bytes);
    if (strcmp(how, "waits") == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        FILE *called = argc > 2 ? fopen(argv[2], "w") : NULL;
        if (called)
            fclose(called);
        if (strcmp(how, "abort") == 0)
            MPI_Abort(MPI_COMM_WORLD, 3);
        if (strcmp(how, "ended") == 0 || strcmp(how, "caught") == 0)
            raise(SIGTERM);
    }
    if (!is_whole)
        sleep(60);
    MPI_Finalize();
    return 0;
}
