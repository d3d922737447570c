/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators that are split, copied and freed, under a preloaded tuned library: against the MPI library's
 * own calls in the same job. Once without a collective, and once with a barrier on each communicator, in
 * which the tuned library prepares it. Usage: bench_communicators [BLOCKS ROUNDS]. */
#include "tests/benchmarks/blocks.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void tuned(void *context, size_t rounds)
{
    const int *rank = context;
    for (size_t i = 0; i < rounds; i++) {
        MPI_Comm part, copy;
        MPI_Comm_split(MPI_COMM_WORLD, 0, i % 2 ? *rank : -*rank, &part);
        MPI_Comm_dup(part, &copy);
        MPI_Comm_free(&part);
        MPI_Comm_free(&copy);
    }
}

static void native(void *context, size_t rounds)
{
    const int *rank = context;
    for (size_t i = 0; i < rounds; i++) {
        MPI_Comm part, copy;
        PMPI_Comm_split(MPI_COMM_WORLD, 0, i % 2 ? *rank : -*rank, &part);
        PMPI_Comm_dup(part, &copy);
        PMPI_Comm_free(&part);
        PMPI_Comm_free(&copy);
    }
}

static void tuned_with_barriers(void *context, size_t rounds)
{
    const int *rank = context;
    for (size_t i = 0; i < rounds; i++) {
        MPI_Comm part, copy;
        MPI_Comm_split(MPI_COMM_WORLD, 0, i % 2 ? *rank : -*rank, &part);
        MPI_Barrier(part);
        MPI_Comm_dup(part, &copy);
        MPI_Barrier(copy);
        MPI_Comm_free(&part);
        MPI_Comm_free(&copy);
    }
}

static void native_with_barriers(void *context, size_t rounds)
{
    const int *rank = context;
    for (size_t i = 0; i < rounds; i++) {
        MPI_Comm part, copy;
        PMPI_Comm_split(MPI_COMM_WORLD, 0, i % 2 ? *rank : -*rank, &part);
        PMPI_Barrier(part);
        PMPI_Comm_dup(part, &copy);
        PMPI_Barrier(copy);
        PMPI_Comm_free(&part);
        PMPI_Comm_free(&copy);
    }
}

int main(int argc, char **argv)
{
    static struct contender sets[][2] = {{{.name = "native split, dup, free", .run = native},
                                          {.name = "tuned split, dup, free", .run = tuned}},
                                         {{.name = "native with barriers", .run = native_with_barriers},
                                          {.name = "tuned with barriers", .run = tuned_with_barriers}}};
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    size_t blocks = argc > 2 ? strtoul(argv[1], NULL, 10) : 50;
    size_t rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 100;
    if (blocks < 1 || blocks > BLOCKS_MOST) {
        fprintf(stderr, "bench_communicators: expected 1 to %d blocks\n", BLOCKS_MOST);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        blocks_repeat(sets[i], 2, rounds);
        blocks_run(sets[i], 2, blocks, &rank);
        if (rank == 0) {
            printf("%d ranks, %zu blocks of %zu rounds\n", size, blocks, rounds);
            blocks_print(sets[i], 2, blocks, 1e-6, "us");
        }
    }
    MPI_Finalize();
    return 0;
}
