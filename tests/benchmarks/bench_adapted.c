/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that repeat, under a preloaded tuned library that may adapt. Prints a line for each case:
 * collective, bytes, the calls until the library has settled, the seconds of a call from then on, new tries
 * of other methods included, and the method that it has settled on. Usage: bench_adapted CALLS. */
#include "library/colltuned.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* NULL without the library. */
#pragma weak colltuned_counters

enum { BYTES_MOST = 1 << 16, RANKS_MOST = 64, LOOKED_AT = 400, COUNTERS = 512 };

static char in[BYTES_MOST], out[RANKS_MOST * BYTES_MOST];

static void bcast(int bytes)
{
    MPI_Bcast(out, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void allgather(int bytes)
{
    MPI_Allgather(in, bytes, MPI_CHAR, out, bytes, MPI_CHAR, MPI_COMM_WORLD);
}

static void allreduce(int bytes)
{
    MPI_Allreduce(in, out, bytes / (int)sizeof(long), MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
}

static const struct {
    const char *name;
    void (*call)(int bytes);
} collectives[] = {{"bcast", bcast}, {"allgather", allgather}, {"allreduce", allreduce}};
static const int sizes[] = {8, 1 << 10, BYTES_MOST};

/* Finds the method of the last call: whose counter has gone up. */
static void find_method(unsigned long long *before, char *method, size_t room)
{
    static struct colltuned_counter counters[COUNTERS];
    size_t count = colltuned_counters ? colltuned_counters(counters, COUNTERS) : 0;
    for (size_t i = 0; i < count && i < COUNTERS; i++) {
        if (counters[i].calls > before[i])
            snprintf(method, room, "%s", counters[i].method);
        before[i] = counters[i].calls;
    }
}

static void run(int collective, int bytes, int calls)
{
    static unsigned long long before[COUNTERS];
    char method[128] = "", last[sizeof method] = "";
    int rank, settled = 0, looked_at = calls / 2 < LOOKED_AT ? calls / 2 : LOOKED_AT;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    find_method(before, method, sizeof method);
    for (int i = 0; i < looked_at; i++) {
        collectives[collective].call(bytes);
        find_method(before, method, sizeof method);
        if (i > 0 && strcmp(method, last) != 0)
            settled = i;
        memcpy(last, method, sizeof last);
    }
    PMPI_Barrier(MPI_COMM_WORLD);
    double seconds = -PMPI_Wtime(), most;
    for (int i = looked_at; i < calls; i++)
        collectives[collective].call(bytes);
    seconds += PMPI_Wtime();
    PMPI_Reduce(&seconds, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s %d %d %.4g %s\n", collectives[collective].name, bytes, settled, most / (calls - looked_at),
               method);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    int calls = argc == 2 ? atoi(argv[1]) : 0, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (calls < 2 || size > RANKS_MOST) {
        fprintf(stderr, "usage: bench_adapted CALLS, at least 2, on at most %d ranks\n", RANKS_MOST);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (size_t c = 0; c < sizeof collectives / sizeof collectives[0]; c++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
            run((int)c, sizes[s], calls);
    MPI_Finalize();
    return 0;
}
