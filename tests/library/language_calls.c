/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls every blocking collective with integers, and checks the results; in the common part of C and C++. As
 * C++ it calls some by MPI's C++ functions, too. Rank 0 prints `called COLLECTIVE` for each call, and at the
 * end `all right`. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__cplusplus) && (defined(MPICH_VERSION) || OMPI_BUILD_CXX_BINDINGS)
#define BINDINGS 1
#else
#define BINDINGS 0
#endif

enum { RANKS_MOST = 8, COUNT_MOST = 1000, MOST = RANKS_MOST * COUNT_MOST };

struct job {
    int rank, size;
    int mistakes;
};

/* What rank `from` has for rank `to`. */
static int value(int from, int to, int i)
{
    return 100 * from + 10 * to + i % 7;
}

/* Counts a call, which ended right or wrong. */
static void check(struct job *job, const char *collective, bool is_right)
{
    job->mistakes += !is_right;
    if (!is_right)
        printf("FAILED: rank %d: %s\n", job->rank, collective);
    if (job->rank == 0)
        printf("called %s\n", collective);
}

/* Fills blocks of `count` from this rank for each other. */
static void fill(const struct job *job, int count, int *blocks)
{
    for (int to = 0; to < job->size; to++)
        for (int i = 0; i < count; i++)
            blocks[to * count + i] = value(job->rank, to, i);
}

/* Are these the blocks of `count` that all ranks had for rank `to`? */
static bool has_blocks_for(const struct job *job, int to, int count, const int *blocks)
{
    for (int from = 0; from < job->size; from++)
        for (int i = 0; i < count; i++)
            if (blocks[from * count + i] != value(from, to, i))
                return false;
    return true;
}

static bool has_block(int from, int to, int count, const int *block)
{
    for (int i = 0; i < count; i++)
        if (block[i] != value(from, to, i))
            return false;
    return true;
}

/* Is this the sum of the first `count` elements that the ranks below `end` have? */
static bool has_sum(int end, int count, const int *sums)
{
    for (int i = 0; i < count; i++) {
        int sum = 0;
        for (int from = 0; from < end; from++)
            sum += value(from, 0, i);
        if (sums[i] != sum)
            return false;
    }
    return true;
}

static void move(struct job *job, int count, const int *own, int *other)
{
    const int root = job->size - 1;
    int counts[RANKS_MOST], places[RANKS_MOST], bytes[RANKS_MOST];
    MPI_Datatype types[RANKS_MOST];
    for (int i = 0; i < job->size; i++) {
        counts[i] = count;
        places[i] = i * count;
        bytes[i] = places[i] * (int)sizeof(int);
        types[i] = MPI_INT;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    check(job, "barrier", true);
    for (int i = 0; i < count; i++)
        other[i] = job->rank == root ? value(root, 0, i) : 0;
    MPI_Bcast(other, count, MPI_INT, root, MPI_COMM_WORLD);
    check(job, "bcast", has_block(root, 0, count, other));
    MPI_Scatter(own, count, MPI_INT, other, count, MPI_INT, root, MPI_COMM_WORLD);
    check(job, "scatter", has_block(root, job->rank, count, other));
    MPI_Scatterv(own, counts, places, MPI_INT, other, count, MPI_INT, 0, MPI_COMM_WORLD);
    check(job, "scatterv", has_block(0, job->rank, count, other));
    MPI_Gather(own, count, MPI_INT, other, count, MPI_INT, root, MPI_COMM_WORLD);
    check(job, "gather", job->rank != root || has_blocks_for(job, 0, count, other));
    MPI_Gatherv(own, count, MPI_INT, other, counts, places, MPI_INT, root, MPI_COMM_WORLD);
    check(job, "gatherv", job->rank != root || has_blocks_for(job, 0, count, other));
    MPI_Allgather(own, count, MPI_INT, other, count, MPI_INT, MPI_COMM_WORLD);
    check(job, "allgather", has_blocks_for(job, 0, count, other));
    MPI_Allgatherv(own, count, MPI_INT, other, counts, places, MPI_INT, MPI_COMM_WORLD);
    check(job, "allgatherv", has_blocks_for(job, 0, count, other));
    MPI_Alltoall(own, count, MPI_INT, other, count, MPI_INT, MPI_COMM_WORLD);
    check(job, "alltoall", has_blocks_for(job, job->rank, count, other));
    MPI_Alltoallv(own, counts, places, MPI_INT, other, counts, places, MPI_INT, MPI_COMM_WORLD);
    check(job, "alltoallv", has_blocks_for(job, job->rank, count, other));
    MPI_Alltoallw(own, counts, bytes, types, other, counts, bytes, types, MPI_COMM_WORLD);
    check(job, "alltoallw", has_blocks_for(job, job->rank, count, other));
}

static void reduce(struct job *job, int count, const int *own, int *other)
{
    const int root = 0;
    int counts[RANKS_MOST] = {count}; /* all at rank 0 */
    MPI_Reduce(own, other, count, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
    check(job, "reduce", job->rank != root || has_sum(job->size, count, other));
    MPI_Reduce_scatter_block(own, other, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check(job, "reduce_scatter_block", job->rank != root || has_sum(job->size, count, other));
    MPI_Reduce_scatter(own, other, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check(job, "reduce_scatter", job->rank != root || has_sum(job->size, count, other));
    MPI_Allreduce(own, other, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check(job, "allreduce", has_sum(job->size, count, other));
    MPI_Scan(own, other, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check(job, "scan", has_sum(job->rank + 1, count, other));
    MPI_Exscan(own, other, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check(job, "exscan", job->rank == 0 || has_sum(job->rank, count, other));
}

/* Each rank is a neighbor of all. */
static void exchange(struct job *job, MPI_Comm comm, int count, const int *own, int *other)
{
    int counts[RANKS_MOST], places[RANKS_MOST];
    MPI_Aint bytes[RANKS_MOST];
    MPI_Datatype types[RANKS_MOST];
    for (int i = 0; i < job->size; i++) {
        counts[i] = count;
        places[i] = i * count;
        bytes[i] = places[i] * (MPI_Aint)sizeof(int);
        types[i] = MPI_INT;
    }
    MPI_Neighbor_allgather(own, count, MPI_INT, other, count, MPI_INT, comm);
    check(job, "neighbor_allgather", has_blocks_for(job, 0, count, other));
    MPI_Neighbor_allgatherv(own, count, MPI_INT, other, counts, places, MPI_INT, comm);
    check(job, "neighbor_allgatherv", has_blocks_for(job, 0, count, other));
    MPI_Neighbor_alltoall(own, count, MPI_INT, other, count, MPI_INT, comm);
    check(job, "neighbor_alltoall", has_blocks_for(job, job->rank, count, other));
    MPI_Neighbor_alltoallv(own, counts, places, MPI_INT, other, counts, places, MPI_INT, comm);
    check(job, "neighbor_alltoallv", has_blocks_for(job, job->rank, count, other));
    MPI_Neighbor_alltoallw(own, counts, bytes, types, other, counts, bytes, types, comm);
    check(job, "neighbor_alltoallw", has_blocks_for(job, job->rank, count, other));
}

static MPI_Comm make_neighbors(const struct job *job)
{
    MPI_Comm comm;
    int ranks[RANKS_MOST], weights[RANKS_MOST];
    for (int i = 0; i < RANKS_MOST; i++) {
        ranks[i] = i;
        weights[i] = 1;
    }
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, job->size, ranks, weights, job->size, ranks, weights,
                                   MPI_INFO_NULL, 0, &comm);
    return comm;
}

/* By MPI's C++ functions. */
static void call_bindings(struct job *job, int count, const int *own, int *other)
{
#if BINDINGS
    MPI::COMM_WORLD.Alltoall(own, count, MPI::INT, other, count, MPI::INT);
    check(job, "alltoall", has_blocks_for(job, job->rank, count, other));
    MPI::COMM_WORLD.Allreduce(own, other, count, MPI::INT, MPI::SUM);
    check(job, "allreduce", has_sum(job->size, count, other));
#else
    (void)job;
    (void)count;
    (void)own;
    (void)other;
#endif
}

int main(int argc, char **argv)
{
    static const int counts[] = {1, 10, 100, COUNT_MOST};
    static int own[MOST], other[MOST];
    const int rounds = (int)(sizeof counts / sizeof counts[0]);
    struct job job = {0, 0, 0};
    int mistakes = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &job.size);
    if (job.size > RANKS_MOST)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm neighbors = make_neighbors(&job);
    for (int i = 0; i < rounds; i++) {
        fill(&job, counts[i], own);
        move(&job, counts[i], own, other);
        reduce(&job, counts[i], own, other);
        exchange(&job, neighbors, counts[i], own, other);
        call_bindings(&job, counts[i], own, other);
    }
    MPI_Comm_free(&neighbors);
    MPI_Allreduce(&job.mistakes, &mistakes, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check(&job, "allreduce", mistakes == 0);
    if (job.rank == 0 && mistakes == 0)
        puts("all right");
    MPI_Finalize();
    return 0;
}
