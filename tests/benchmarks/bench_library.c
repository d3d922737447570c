/* SPDX-License-Identifier: BSD-3-Clause */
/* A tuned library, linked or preloaded, against the MPI library's own functions called past it: barrier,
 * bcast and allreduce of 8 bytes on all ranks. Forced to native (COLLTUNE_BARRIER=native ...) it shows what
 * passing a call on costs. Usage: bench_library [BLOCKS REPETITIONS [REPETITIONS-TUNED]]. */
#include "tests/benchmarks/blocks.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double in = 1, out;

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

int main(int argc, char **argv)
{
    static struct contender pairs[][2] = {
        {{.name = "native barrier", .run = native_barrier}, {.name = "tuned barrier", .run = tuned_barrier}},
        {{.name = "native bcast", .run = native_bcast}, {.name = "tuned bcast", .run = tuned_bcast}},
        {{.name = "native allreduce", .run = native_allreduce},
         {.name = "tuned allreduce", .run = tuned_allreduce}}};
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    size_t blocks = argc > 2 ? strtoul(argv[1], NULL, 10) : 300;
    size_t repetitions = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000;
    size_t tuned_repetitions = argc > 3 ? strtoul(argv[3], NULL, 10) : repetitions;
    if (blocks < 1 || blocks > BLOCKS_MOST) {
        fprintf(stderr, "bench_library: expected 1 to %d blocks\n", BLOCKS_MOST);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        pairs[i][0].repetitions = repetitions;
        pairs[i][1].repetitions = tuned_repetitions;
        blocks_run(pairs[i], 2, blocks, &size);
        if (rank == 0) {
            printf("8 bytes on %d ranks, %zu blocks of %zu\n", size, blocks, repetitions);
            blocks_print(pairs[i], 2, blocks, 1e-6, "us");
        }
    }
    MPI_Finalize();
    return 0;
}
