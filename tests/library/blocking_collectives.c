/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective functions, which all ranks call. */
#include "blocking.h"

static int from[RANKS];
static const block_count counts[RANKS] = {1, 1, 1};
static const block_place places[RANKS] = {0, 1, 2};
static const block_bytes offsets[RANKS] = {0, sizeof(int), 2 * sizeof(int)};
static const MPI_Aint bytes[RANKS] = {0, sizeof(int), 2 * sizeof(int)};
static MPI_Datatype types[RANKS] = {MPI_INT, MPI_INT, MPI_INT};

static int barrier(void)
{
    return MPI_Barrier(all.comm);
}

static int inter_barrier(void)
{
    return MPI_Barrier(all.inter);
}

static int allreduce(void)
{
    return MPI_Allreduce(from, to, 1, MPI_INT, MPI_SUM, all.comm);
}

/* Rank 2 has what rank 1 waits for. */
static int bcast(void)
{
    return MPI_Bcast(to, 1, MPI_INT, LATE, all.comm);
}

static int scatter(void)
{
    return MPI_Scatter(from, 1, MPI_INT, to, 1, MPI_INT, LATE, all.comm);
}

static int scatterv(void)
{
    return MPI_Scatterv(from, counts, places, MPI_INT, to, 1, MPI_INT, LATE, all.comm);
}

static int gather(void)
{
    return MPI_Gather(from, 1, MPI_INT, to, 1, MPI_INT, BLOCKED, all.comm);
}

static int gatherv(void)
{
    return MPI_Gatherv(from, 1, MPI_INT, to, counts, places, MPI_INT, BLOCKED, all.comm);
}

static int allgather(void)
{
    return MPI_Allgather(from, 1, MPI_INT, to, 1, MPI_INT, all.comm);
}

static int allgatherv(void)
{
    return MPI_Allgatherv(from, 1, MPI_INT, to, counts, places, MPI_INT, all.comm);
}

static int alltoall(void)
{
    return MPI_Alltoall(from, 1, MPI_INT, to, 1, MPI_INT, all.comm);
}

static int alltoallv(void)
{
    return MPI_Alltoallv(from, counts, places, MPI_INT, to, counts, places, MPI_INT, all.comm);
}

static int alltoallw(void)
{
    return MPI_Alltoallw(from, counts, offsets, types, to, counts, offsets, types, all.comm);
}

static int reduce(void)
{
    return MPI_Reduce(from, to, 1, MPI_INT, MPI_SUM, BLOCKED, all.comm);
}

static int reduce_scatter_block(void)
{
    return MPI_Reduce_scatter_block(from, to, 1, MPI_INT, MPI_SUM, all.comm);
}

static int reduce_scatter(void)
{
    return MPI_Reduce_scatter(from, to, counts, MPI_INT, MPI_SUM, all.comm);
}

/* Of ranks 2, 1, 0 in this order. */
static int scan(void)
{
    return MPI_Scan(from, to, 1, MPI_INT, MPI_SUM, all.reversed);
}

static int exscan(void)
{
    return MPI_Exscan(from, to, 1, MPI_INT, MPI_SUM, all.reversed);
}

static int neighbor_allgather(void)
{
    return MPI_Neighbor_allgather(from, 1, MPI_INT, to, 1, MPI_INT, all.ring);
}

static int neighbor_allgatherv(void)
{
    return MPI_Neighbor_allgatherv(from, 1, MPI_INT, to, counts, places, MPI_INT, all.ring);
}

static int neighbor_alltoall(void)
{
    return MPI_Neighbor_alltoall(from, 1, MPI_INT, to, 1, MPI_INT, all.ring);
}

static int neighbor_alltoallv(void)
{
    return MPI_Neighbor_alltoallv(from, counts, places, MPI_INT, to, counts, places, MPI_INT, all.ring);
}

static int neighbor_alltoallw(void)
{
    return MPI_Neighbor_alltoallw(from, counts, bytes, types, to, counts, bytes, types, all.ring);
}

const struct trial collective_trials[] = {
    {"Barrier", barrier, NULL},
    {"Barrier between groups", inter_barrier, NULL},
    {"Allreduce", allreduce, NULL},
    {"Bcast", bcast, NULL},
    {"Scatter", scatter, NULL},
    {"Scatterv", scatterv, NULL},
    {"Gather", gather, NULL},
    {"Gatherv", gatherv, NULL},
    {"Allgather", allgather, NULL},
    {"Allgatherv", allgatherv, NULL},
    {"Alltoall", alltoall, NULL},
    {"Alltoallv", alltoallv, NULL},
    {"Alltoallw", alltoallw, NULL},
    {"Reduce", reduce, NULL},
    {"Reduce_scatter_block", reduce_scatter_block, NULL},
    {"Reduce_scatter", reduce_scatter, NULL},
    {"Scan", scan, NULL},
    {"Exscan", exscan, NULL},
    {"Neighbor_allgather", neighbor_allgather, NULL},
    {"Neighbor_allgatherv", neighbor_allgatherv, NULL},
    {"Neighbor_alltoall", neighbor_alltoall, NULL},
    {"Neighbor_alltoallv", neighbor_alltoallv, NULL},
    {"Neighbor_alltoallw", neighbor_alltoallw, NULL},
    {0},
};
