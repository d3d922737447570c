/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

#include "neighbor_topologies.h"
#include "neighbor_trials.h"

/* The first rank sends to the last one. All others are isolated. */
static int try_pair(int rank, int size)
{
    MPI_Comm pair = make_graph(size > 1, (const int[]){0}, (const int[]){size - 1});
    const int is_isolated = rank > 0 && rank<size - 1, receives = size> 1 && rank == size - 1;
    int data[2] = {rank, rank}, result[2] = {-1, -1}, failures = 0;
    int count = is_isolated ? rank % 2 : 2;
    for (int i = 0; i < 3; i++)
        failures += MPI_Neighbor_alltoall(data, count, MPI_INT, result, count, MPI_INT, pair) != MPI_SUCCESS;
    failures += receives && (result[0] != 0 || result[1] != 0);
    /* They agree on one length, and then some change it. */
    for (int i = 0; i < SETTLING + SETTLED; i++) {
        const int length = i < SETTLING || !is_isolated ? 1 + i / SETTLING % 2 : 1;
        result[0] = result[1] = -1;
        failures +=
            MPI_Neighbor_alltoall(data, length, MPI_INT, result, length, MPI_INT, pair) != MPI_SUCCESS;
        failures += receives && (result[0] != 0 || result[1] != (length > 1 ? 0 : -1));
    }
    MPI_Comm_free(&pair);
    return failures;
}

/* Rank 0 sends two elements to rank 1, which sends one to rank 2. */
static int try_chain(int rank, int size)
{
    MPI_Comm chain = make_graph(size > 2 ? 2 : 0, (const int[]){0, 1}, (const int[]){1, 2});
    int data[2] = {rank, rank}, result[2] = {-1, -1}, failures = 0;
    int first = rank == 0 ? 2 : 1, second = rank == 1 ? 2 : 1;
    for (int i = 0; i < 3; i++)
        failures +=
            MPI_Neighbor_allgather(data, first, MPI_INT, result, second, MPI_INT, chain) != MPI_SUCCESS;
    failures += size > 2 && ((rank == 1 && (result[0] != 0 || result[1] != 0)) ||
                             (rank == 2 && (result[0] != 1 || result[1] != -1)));
    MPI_Comm_free(&chain);
    return failures;
}

int try_lengths_of_neighbors(void)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int failures = try_pair(rank, size) + try_chain(rank, size);
    if (failures > 0)
        printf("rank %d: %d failures with lengths that only neighbors share\n", rank, failures);
    return failures;
}
