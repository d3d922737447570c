/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/codegen/seen.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* make_calls FILE: each line of the file is "COLLECTIVE BYTES EXPECTED...", the algorithm that the library
 * should take for a call with this message size, in colltune's meaning; "-" where it may take any. Makes the
 * calls, says of each line that does not hold what was seen, and exits with 1 where there is one. */

struct buffers {
    char *send, *receive;
    int *counts, *bytes_counts, *places;
    MPI_Datatype *types;
    int ranks;
};

/* Elements of an int in what reduces, bytes elsewhere; blocks are equal. */
static void call(const char *collective, int n, const struct buffers *b)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    for (int i = 0; i < b->ranks; i++) {
        b->bytes_counts[i] = n;
        b->counts[i] = n / (int)sizeof(int);
        b->places[i] = i * n;
    }
    int m = n / (int)sizeof(int);
    if (strcmp(collective, "barrier") == 0)
        MPI_Barrier(comm);
    else if (strcmp(collective, "bcast") == 0)
        MPI_Bcast(b->send, n, MPI_BYTE, 0, comm);
    else if (strcmp(collective, "scatter") == 0)
        MPI_Scatter(b->send, n, MPI_BYTE, b->receive, n, MPI_BYTE, 0, comm);
    else if (strcmp(collective, "gather") == 0)
        MPI_Gather(b->send, n, MPI_BYTE, b->receive, n, MPI_BYTE, 0, comm);
    else if (strcmp(collective, "allgather") == 0)
        MPI_Allgather(b->send, n, MPI_BYTE, b->receive, n, MPI_BYTE, comm);
    else if (strcmp(collective, "allgatherv") == 0)
        MPI_Allgatherv(b->send, n, MPI_BYTE, b->receive, b->bytes_counts, b->places, MPI_BYTE, comm);
    else if (strcmp(collective, "alltoall") == 0)
        MPI_Alltoall(b->send, n, MPI_BYTE, b->receive, n, MPI_BYTE, comm);
    else if (strcmp(collective, "alltoallv") == 0)
        MPI_Alltoallv(b->send, b->bytes_counts, b->places, MPI_BYTE, b->receive, b->bytes_counts, b->places,
                      MPI_BYTE, comm);
    else if (strcmp(collective, "alltoallw") == 0)
        MPI_Alltoallw(b->send, b->bytes_counts, b->places, b->types, b->receive, b->bytes_counts, b->places,
                      b->types, comm);
    else if (strcmp(collective, "reduce") == 0)
        MPI_Reduce(b->send, b->receive, m, MPI_INT, MPI_SUM, 0, comm);
    else if (strcmp(collective, "allreduce") == 0)
        MPI_Allreduce(b->send, b->receive, m, MPI_INT, MPI_SUM, comm);
    else if (strcmp(collective, "reduce_scatter_block") == 0)
        MPI_Reduce_scatter_block(b->send, b->receive, m, MPI_INT, MPI_SUM, comm);
    else if (strcmp(collective, "reduce_scatter") == 0)
        MPI_Reduce_scatter(b->send, b->receive, b->counts, MPI_INT, MPI_SUM, comm);
    else if (strcmp(collective, "scan") == 0)
        MPI_Scan(b->send, b->receive, m, MPI_INT, MPI_SUM, comm);
    else if (strcmp(collective, "exscan") == 0)
        MPI_Exscan(b->send, b->receive, m, MPI_INT, MPI_SUM, comm);
    else
        MPI_Abort(comm, 2);
}

/* 1 where another algorithm was seen than the line expects. */
static int check_line(const char *line, const struct buffers *buffers)
{
    char collective[32], expected[100];
    int bytes, rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (sscanf(line, "%31s %d %99[^\n]", collective, &bytes, expected) != 3)
        MPI_Abort(MPI_COMM_WORLD, 2);
    seen_reset();
    call(collective, bytes, buffers);
    char full[140];
    snprintf(full, sizeof full, "%s %s", collective, expected);
    if (strcmp(expected, "-") == 0 || strcmp(seen_first(), full) == 0)
        return 0;
    if (rank == 0)
        printf("%s %d: expected %s, seen '%s'\n", collective, bytes, expected, seen_first());
    return 1;
}

int main(int argc, char **argv)
{
    enum { ROOM = 1 << 23 };
    int ranks, rank, wrong = 0, lines = 0;
    char line[200];
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct buffers buffers = {calloc(1, ROOM),
                              calloc(1, ROOM),
                              calloc((size_t)ranks, sizeof(int)),
                              calloc((size_t)ranks, sizeof(int)),
                              calloc((size_t)ranks, sizeof(int)),
                              calloc((size_t)ranks, sizeof(MPI_Datatype)),
                              ranks};
    for (int i = 0; i < ranks; i++)
        buffers.types[i] = MPI_BYTE;
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!file)
        MPI_Abort(MPI_COMM_WORLD, 2);
    for (; fgets(line, sizeof line, file); lines++)
        wrong += check_line(line, &buffers);
    if (rank == 0)
        printf("%d calls, %d wrong\n", lines, wrong);
    MPI_Finalize();
    return wrong > 0;
}
