/* SPDX-License-Identifier: BSD-3-Clause */
/* An application whose ranks call differently: inconsistent N makes the N-th mistake, and then the same call
 * rightly. Errors return. Prints how many ranks got an error. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { RANKS_MOST = 16 };

static int rank, size;
static int from[RANKS_MOST * RANKS_MOST], to[RANKS_MOST * RANKS_MOST];
static int counts[RANKS_MOST], other_counts[RANKS_MOST], places[RANKS_MOST];
static MPI_Comm path; /* each rank has those before and behind it as neighbors */

static int other_collective(int wrong)
{
    return wrong ? MPI_Barrier(MPI_COMM_WORLD) : MPI_Bcast(to, 2, MPI_INT, 0, MPI_COMM_WORLD);
}

static int other_root(int wrong)
{
    return MPI_Reduce(from, to, 2, MPI_INT, MPI_SUM, wrong ? 1 : 0, MPI_COMM_WORLD);
}

static int other_length(int wrong)
{
    return MPI_Allreduce(from, to, wrong ? 3 : 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static int other_type(int wrong)
{
    return MPI_Allreduce(from, to, wrong ? 1 : 2, wrong ? MPI_DOUBLE : MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static int wrong_arguments(int wrong)
{
    return MPI_Bcast(to, wrong ? -1 : 2, MPI_INT, 0, MPI_COMM_WORLD);
}

static int other_part(int wrong)
{
    return MPI_Gatherv(from, wrong ? counts[rank] - 1 : counts[rank], MPI_INT, to, counts, places, MPI_INT, 0,
                       MPI_COMM_WORLD);
}

static int other_counts_of_all(int wrong)
{
    return MPI_Reduce_scatter(from, to, wrong ? other_counts : counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static int other_part_of_all(int wrong)
{
    return MPI_Alltoallv(from, wrong ? other_counts : counts, places, MPI_INT, to, counts, places, MPI_INT,
                         MPI_COMM_WORLD);
}

static int other_block_for_neighbors(int wrong)
{
    return MPI_Neighbor_alltoall(from, wrong ? 1 : 2, MPI_INT, to, 2, MPI_INT, path);
}

static int other_block_of_neighbor(int wrong)
{
    const MPI_Aint bytes[] = {0, 2 * sizeof(int)};
    const MPI_Datatype types[] = {MPI_INT, MPI_INT};
    return MPI_Neighbor_alltoallw(from, counts, bytes, types, to, wrong ? other_counts : counts, bytes, types,
                                  path);
}

static int none(int wrong)
{
    (void)wrong;
    return MPI_Allreduce(from, to, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static int (*const mistakes[])(int wrong) = {other_collective,
                                             other_root,
                                             other_length,
                                             other_type,
                                             wrong_arguments,
                                             other_part,
                                             other_counts_of_all,
                                             other_part_of_all,
                                             none,
                                             other_block_for_neighbors,
                                             other_block_of_neighbor};

int main(int argc, char **argv)
{
    int wrong = argc > 1 ? atoi(argv[1]) : 0, failed, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &(int){0}, 0, &path);
    MPI_Comm_set_name(path, "a path");
    MPI_Comm_set_errhandler(path, MPI_ERRORS_RETURN);
    for (int i = 0; i < size; i++) {
        counts[i] = 2;
        other_counts[i] = i == 0 ? 1 : 2;
        places[i] = 2 * i;
    }
    for (int is_wrong = 1; is_wrong >= 0; is_wrong--) {
        failed = mistakes[wrong](is_wrong && rank == 2) != MPI_SUCCESS;
        PMPI_Allreduce(&failed, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0)
            printf("%s: %d errors\n", is_wrong ? "differ" : "agree", all);
    }
    MPI_Comm_free(&path);
    MPI_Finalize();
    return 0;
}
