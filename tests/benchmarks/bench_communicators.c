/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators that are split, copied and freed, under a preloaded tuned library: against the MPI library's
 * own calls in the same job. Once without a collective, and once with a barrier on each communicator, in
 * which the tuned library prepares it. Usage: bench_communicators [BLOCKS ROUNDS]. */
#include "tests/benchmarks/blocks.h"

#include <mpi.h>
#include <stdbool.h>

/* By the MPI_ or the PMPI_ names. */
struct functions {
    int (*split)(MPI_Comm, int, int, MPI_Comm *);
    int (*dup)(MPI_Comm, MPI_Comm *);
    int (*free)(MPI_Comm *);
    int (*barrier)(MPI_Comm);
};

static const struct functions tuned_functions = {MPI_Comm_split, MPI_Comm_dup, MPI_Comm_free, MPI_Barrier};
static const struct functions native_functions = {PMPI_Comm_split, PMPI_Comm_dup, PMPI_Comm_free,
                                                  PMPI_Barrier};

static void make(const struct functions *functions, bool with_barriers, int rank, size_t rounds)
{
    for (size_t i = 0; i < rounds; i++) {
        MPI_Comm part, copy;
        functions->split(MPI_COMM_WORLD, 0, i % 2 ? rank : -rank, &part);
        if (with_barriers)
            functions->barrier(part);
        functions->dup(part, &copy);
        if (with_barriers)
            functions->barrier(copy);
        functions->free(&part);
        functions->free(&copy);
    }
}

static void tuned(void *context, size_t rounds)
{
    make(&tuned_functions, false, *(int *)context, rounds);
}

static void native(void *context, size_t rounds)
{
    make(&native_functions, false, *(int *)context, rounds);
}

static void tuned_with_barriers(void *context, size_t rounds)
{
    make(&tuned_functions, true, *(int *)context, rounds);
}

static void native_with_barriers(void *context, size_t rounds)
{
    make(&native_functions, true, *(int *)context, rounds);
}

int main(int argc, char **argv)
{
    static struct contender sets[][2] = {{{.name = "native split, dup, free", .run = native},
                                          {.name = "tuned split, dup, free", .run = tuned}},
                                         {{.name = "native with barriers", .run = native_with_barriers},
                                          {.name = "tuned with barriers", .run = tuned_with_barriers}}};
    struct blocks_size size = {50, 100};
    int rank;
    blocks_read(argc, argv, &size);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        blocks_compare(sets[i], 2, &size, "communicators", rank, &rank);
    MPI_Finalize();
    return 0;
}
