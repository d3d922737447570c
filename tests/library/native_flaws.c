/* SPDX-License-Identifier: BSD-3-Clause */
#include "native_flaws.h"

static bool in_place(const struct trial *trial)
{
    return trial->asks_in_place;
}

static bool alone(const struct trial *trial)
{
    return trial->size == 1;
}

/* A reduction of a type whose elements begin before their address. */
static bool begins_before(const struct trial *trial)
{
    return (ptrdiff_t)trial->kind->significant[0][0] < 0;
}

#ifdef OPEN_MPI
static bool among_others(const struct trial *trial)
{
    return trial->size > 1;
}

/* Open MPI 4.1.4 forgets in MPI_Alltoallw on one rank where blocks begin; chooses how to do MPI_Allgatherv by
 * the size of its own type, so that it hangs where ranks pass different ones; frees in MPI_Allreduce what it
 * did not allocate; and is wrong in MPI_Reduce_scatter in place where a part is empty. */
static bool (*const flawed[CT_COLLECTIVES])(const struct trial *trial) = {
    [CT_COLLECTIVE_ALLGATHERV] = among_others,
    [CT_COLLECTIVE_ALLTOALLW] = alone,
    [CT_COLLECTIVE_REDUCE_SCATTER] = in_place,
    [CT_COLLECTIVE_ALLREDUCE] = begins_before,
};
#else
/* MPICH 4.0.2 crashes in MPI_Reduce in place at root 1 of 2 ranks, ignores the displacement in MPI_Allgatherv
 * on one rank, and writes out of bounds in MPI_Reduce_scatter and MPI_Reduce_scatter_block. */
static bool (*const flawed[CT_COLLECTIVES])(const struct trial *trial) = {
    [CT_COLLECTIVE_ALLGATHERV] = alone,
    [CT_COLLECTIVE_REDUCE] = in_place,
    [CT_COLLECTIVE_REDUCE_SCATTER_BLOCK] = begins_before,
    [CT_COLLECTIVE_REDUCE_SCATTER] = begins_before,
};
#endif

bool native_can(const struct trial *trial)
{
    return !flawed[trial->collective] || !flawed[trial->collective](trial);
}
