/* SPDX-License-Identifier: BSD-3-Clause */
/* A tuned library, linked or preloaded, against the MPI library's own functions called past it: barrier,
 * bcast, allgather and allreduce of 8 bytes on all ranks, the last one on two ranks also as messages written
 * by hand. Forced to native (COLLTUNE_BARRIER=native ...) it shows what passing a call on costs. Usage:
 * bench_library [BLOCKS REPETITIONS [REPETITIONS-TUNED]]. */
#include "tests/benchmarks/blocks.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double in = 1, out, all[64];
static int peer; /* of two ranks */

static void native_barrier(void *context, size_t repetitions)
{
    (void)context;
    for (size_t i = 0; i < repetitions; i++)
        PMPI_Barrier(MPI_COMM_WORLD);
}

static void tuned_barrier(void *context, size_t repetitions)
{
    (void)context;
    for (size_t i = 0; i < repetitions; i++)
        MPI_Barrier(MPI_COMM_WORLD);
}

static void native_bcast(void *context, size_t repetitions)
{
    int size = *(int *)context;
    for (size_t i = 0; i < repetitions; i++)
        PMPI_Bcast(&out, 1, MPI_DOUBLE, (int)i % size, MPI_COMM_WORLD);
}

static void tuned_bcast(void *context, size_t repetitions)
{
    int size = *(int *)context;
    for (size_t i = 0; i < repetitions; i++)
        MPI_Bcast(&out, 1, MPI_DOUBLE, (int)i % size, MPI_COMM_WORLD);
}

static void native_allreduce(void *context, size_t repetitions)
{
    (void)context;
    for (size_t i = 0; i < repetitions; i++)
        PMPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void tuned_allreduce(void *context, size_t repetitions)
{
    (void)context;
    for (size_t i = 0; i < repetitions; i++)
        MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void allreduce_by_hand(void *context, size_t repetitions)
{
    (void)context;
    for (size_t i = 0; i < repetitions; i++) {
        double theirs;
        out = in;
        PMPI_Sendrecv(&in, 1, MPI_DOUBLE, peer, 1, &theirs, 1, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD,
                      MPI_STATUS_IGNORE);
        PMPI_Reduce_local(&theirs, &out, 1, MPI_DOUBLE, MPI_SUM);
    }
}

static void native_allgather(void *context, size_t repetitions)
{
    (void)context;
    for (size_t i = 0; i < repetitions; i++)
        PMPI_Allgather(&in, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, MPI_COMM_WORLD);
}

static void tuned_allgather(void *context, size_t repetitions)
{
    (void)context;
    for (size_t i = 0; i < repetitions; i++)
        MPI_Allgather(&in, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, MPI_COMM_WORLD);
}

/* The difference of the first two, block by block. */
static void print_difference(const struct contender *contenders, size_t blocks)
{
    static double differences[BLOCKS_MOST];
    double quartiles[3];
    for (size_t block = 0; block < blocks; block++)
        differences[block] = contenders[1].seconds[block] - contenders[0].seconds[block];
    blocks_quartiles(differences, blocks, quartiles);
    printf("  tuned - native: median %.1f ns, quartiles %.1f and %.1f ns\n", quartiles[1] * 1e9,
           quartiles[0] * 1e9, quartiles[2] * 1e9);
}

int main(int argc, char **argv)
{
    static struct contender pairs[][3] = {
        {{.name = "native barrier", .run = native_barrier}, {.name = "tuned barrier", .run = tuned_barrier}},
        {{.name = "native bcast", .run = native_bcast}, {.name = "tuned bcast", .run = tuned_bcast}},
        {{.name = "native allgather", .run = native_allgather},
         {.name = "tuned allgather", .run = tuned_allgather}},
        {{.name = "native allreduce", .run = native_allreduce},
         {.name = "tuned allreduce", .run = tuned_allreduce},
         {.name = "allreduce by hand", .run = allreduce_by_hand}}};
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    peer = 1 - rank;
    size_t blocks = argc > 2 ? strtoul(argv[1], NULL, 10) : 300;
    size_t repetitions = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000;
    size_t tuned_repetitions = argc > 3 ? strtoul(argv[3], NULL, 10) : repetitions;
    if (blocks < 1 || blocks > BLOCKS_MOST || size > (int)(sizeof all / sizeof all[0])) {
        fprintf(stderr, "bench_library: expected 1 to %d blocks on at most 64 ranks\n", BLOCKS_MOST);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        size_t count = pairs[i][2].run && size == 2 ? 3 : 2;
        pairs[i][0].repetitions = repetitions;
        pairs[i][1].repetitions = pairs[i][2].repetitions = tuned_repetitions;
        blocks_run(pairs[i], count, blocks, &size);
        if (rank == 0) {
            printf("8 bytes on %d ranks, %zu blocks of %zu\n", size, blocks, repetitions);
            blocks_print(pairs[i], count, blocks, 1e-6, "us");
            print_difference(pairs[i], blocks);
        }
    }
    MPI_Finalize();
    return 0;
}
