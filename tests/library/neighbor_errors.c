/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>

#include "neighbor_topologies.h"
#include "neighbor_trials.h"

static int class_of(int code)
{
    int class = MPI_SUCCESS;
    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &class);
    return class;
}

static MPI_Comm make_ring(int size)
{
    int from[RANKS_MOST], to[RANKS_MOST];
    for (int i = 0; i < size; i++)
        from[i] = i, to[i] = (i + 1) % size;
    MPI_Comm ring = make_graph(size, from, to);
    MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
    return ring;
}

int try_wrong_lengths(void)
{
    int rank, size, failures = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm ring = make_ring(size);
    int data[4] = {rank, rank, rank, rank}, result[4], sent = 4, expected = rank == 0 ? 2 : 4, place = 0;
    int code = MPI_Neighbor_alltoallv(data, &sent, &place, MPI_INT, result, &expected, &place, MPI_INT, ring);
    const int wanted = getenv("COLLTUNE_CHECK") ? MPI_ERR_OTHER : MPI_ERR_TRUNCATE;
    if (rank == 0 && class_of(code) != wanted && ++failures)
        printf("a wrong length: class %d\n", class_of(code));
    for (int i = 0; i < 2; i++) {
        result[3] = -1;
        code = MPI_Neighbor_alltoallv(data, &sent, &place, MPI_INT, result, &sent, &place, MPI_INT, ring);
        if ((code != MPI_SUCCESS || result[3] != (rank + size - 1) % size) && ++failures)
            printf("rank %d: wrong after a wrong length: class %d, %d\n", rank, class_of(code), result[3]);
    }
    code = MPI_Neighbor_alltoall(data, -1, MPI_INT, result, 1, MPI_INT, ring);
    if (class_of(code) != MPI_ERR_COUNT && ++failures)
        printf("a negative count: class %d\n", class_of(code));
    MPI_Comm_free(&ring);
    return failures;
}
