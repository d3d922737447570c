/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls between the ranks of even and of odd number. */
#include "tests/library/applications/calls.h"

enum { BLOCK = 3, REMOTE_MOST = 64 };

static int value(int half, int rank, int index)
{
    return 1000 * (half + 1) + 10 * rank + index;
}

/* The first even rank to all odd ones. */
static void broadcast(struct calls *calls, MPI_Comm comm, int half, int rank)
{
    int data[BLOCK] = {0}, root = half == 1 ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    for (int i = 0; half == 0 && i < BLOCK; i++)
        data[i] = value(0, rank, i);
    int code = MPI_Bcast(data, BLOCK, MPI_INT, root, comm);
    calls->made[CT_COLLECTIVE_BCAST]++;
    for (int i = 0; i < BLOCK; i++)
        if (code != MPI_SUCCESS || data[i] != value(0, half == 0 ? rank : 0, i))
            calls_wrong(calls, "bcast between halves: %d at %d", data[i], i);
}

static void gather_all(struct calls *calls, MPI_Comm comm, int half, int rank, int remote)
{
    int mine[BLOCK], theirs[BLOCK * REMOTE_MOST] = {0};
    for (int i = 0; i < BLOCK; i++)
        mine[i] = value(half, rank, i);
    int code = MPI_Allgather(mine, BLOCK, MPI_INT, theirs, BLOCK, MPI_INT, comm);
    calls->made[CT_COLLECTIVE_ALLGATHER]++;
    for (int i = 0; i < remote * BLOCK; i++)
        if (code != MPI_SUCCESS || theirs[i] != value(!half, i / BLOCK, i % BLOCK))
            calls_wrong(calls, "allgather between halves: %d at %d", theirs[i], i);
}

static void reduce_all(struct calls *calls, MPI_Comm comm, int half, int rank, int remote)
{
    int mine = value(half, rank, 0), theirs = 0, wanted = 0;
    for (int i = 0; i < remote; i++)
        wanted += value(!half, i, 0);
    int code = MPI_Allreduce(&mine, &theirs, 1, MPI_INT, MPI_SUM, comm);
    calls->made[CT_COLLECTIVE_ALLREDUCE]++;
    if (code != MPI_SUCCESS || theirs != wanted)
        calls_wrong(calls, "allreduce between halves: %d, expected %d", theirs, wanted);
}

void calls_between(struct calls *calls)
{
    int rank, size, remote;
    MPI_Comm halves, between;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (size < 2 || size > REMOTE_MOST)
        return;
    int half = rank % 2;
    MPI_Comm_split(MPI_COMM_WORLD, half, rank, &halves);
    MPI_Intercomm_create(halves, 0, MPI_COMM_WORLD, !half, 3, &between);
    MPI_Comm_rank(between, &rank);
    MPI_Comm_remote_size(between, &remote);
    broadcast(calls, between, half, rank);
    gather_all(calls, between, half, rank, remote);
    reduce_all(calls, between, half, rank, remote);
    if (MPI_Barrier(between) != MPI_SUCCESS)
        calls_wrong(calls, "barrier between halves");
    calls->made[CT_COLLECTIVE_BARRIER]++;
    MPI_Comm_free(&between);
    MPI_Comm_free(&halves);
}
