/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Neighbor_alltoall with 8 neighbors of 8 bytes under a preloaded tuned library:
 * against messages written by hand, and against the MPI library's own. Then what the first call on a
 * communicator costs beyond later ones, in time and memory, and after how many calls that has paid. Usage:
 * bench_neighbors [BLOCKS REPETITIONS]. */
#include "tests/benchmarks/blocks.h"

#include <malloc.h>
#include <mpi.h>
#include <stdio.h>

enum { NEIGHBORS = 8 };

struct calls {
    MPI_Comm comm;
    MPI_Comm by_hand; /* of messages written by hand */
    int sources[NEIGHBORS];
    int destinations[NEIGHBORS];
    double in[NEIGHBORS];
    double out[NEIGHBORS];
};

static void by_hand(void *context, size_t repetitions)
{
    struct calls *calls = context;
    MPI_Request requests[2 * NEIGHBORS];
    for (size_t i = 0; i < repetitions; i++) {
        for (int k = 0; k < NEIGHBORS; k++)
            PMPI_Irecv(&calls->out[k], 1, MPI_DOUBLE, calls->sources[k], 0, calls->by_hand, &requests[k]);
        for (int k = 0; k < NEIGHBORS; k++)
            PMPI_Isend(&calls->in[k], 1, MPI_DOUBLE, calls->destinations[k], 0, calls->by_hand,
                       &requests[NEIGHBORS + k]);
        PMPI_Waitall(2 * NEIGHBORS, requests, MPI_STATUSES_IGNORE);
    }
}

static void tuned(void *context, size_t repetitions)
{
    struct calls *calls = context;
    for (size_t i = 0; i < repetitions; i++)
        MPI_Neighbor_alltoall(calls->in, 1, MPI_DOUBLE, calls->out, 1, MPI_DOUBLE, calls->comm);
}

static void native(void *context, size_t repetitions)
{
    struct calls *calls = context;
    for (size_t i = 0; i < repetitions; i++)
        PMPI_Neighbor_alltoall(calls->in, 1, MPI_DOUBLE, calls->out, 1, MPI_DOUBLE, calls->comm);
}

/* Rank r sends to the ranks after it, around as often as it takes. */
static void make_calls(struct calls *calls)
{
    int rank, size, weights[NEIGHBORS] = {0};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int k = 0; k < NEIGHBORS; k++) {
        int distance = size > 1 ? 1 + k % (size - 1) : 0;
        calls->destinations[k] = (rank + distance) % size;
        calls->sources[k] = (rank - distance + size) % size;
        calls->in[k] = rank;
    }
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, NEIGHBORS, calls->sources, weights, NEIGHBORS,
                                   calls->destinations, weights, MPI_INFO_NULL, 0, &calls->comm);
    MPI_Comm_dup(MPI_COMM_WORLD, &calls->by_hand);
}

/* The first call on a copy of the communicator. */
static double first_call(const struct calls *calls, size_t *ret_bytes)
{
    struct calls copy = *calls;
    MPI_Comm_dup(calls->comm, &copy.comm);
    MPI_Barrier(copy.by_hand);
    size_t before = mallinfo2().uordblks;
    double begun = MPI_Wtime();
    tuned(&copy, 1);
    double seconds = MPI_Wtime() - begun;
    *ret_bytes = mallinfo2().uordblks - before;
    MPI_Comm_free(&copy.comm);
    return seconds;
}

int main(int argc, char **argv)
{
    enum { BY_HAND, TUNED, NATIVE, CONTENDERS, FIRST = 50 };
    static struct contender contenders[CONTENDERS] = {{.name = "by hand", .run = by_hand},
                                                      {.name = "tuned", .run = tuned},
                                                      {.name = "native", .run = native}};
    struct calls calls;
    struct blocks_size size = {300, 1000};
    double seconds[FIRST], first[3], once[CONTENDERS][3];
    size_t bytes = 0;
    int rank;
    blocks_read(argc, argv, &size);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    make_calls(&calls);
    blocks_compare(contenders, CONTENDERS, &size, "8 neighbors of 8 bytes", rank, &calls);
    for (int i = 0; i < FIRST; i++)
        seconds[i] = first_call(&calls, &bytes);
    blocks_quartiles(seconds, FIRST, first);
    for (int i = 0; i < CONTENDERS; i++)
        blocks_quartiles(contenders[i].seconds, size.blocks, once[i]);
    double set_up = first[1] - once[TUNED][1], gain = once[NATIVE][1] - once[TUNED][1];
    if (rank == 0) {
        printf("first call on a communicator: %.2f us more than later ones, %zu bytes kept\n", 1e6 * set_up,
               bytes);
        if (gain > 0)
            printf("that has paid after %.0f calls, against native ones\n", set_up > 0 ? set_up / gain : 0);
        else
            printf("that never pays: native calls are as fast\n");
    }
    MPI_Comm_free(&calls.comm);
    MPI_Comm_free(&calls.by_hand);
    MPI_Finalize();
    return 0;
}
