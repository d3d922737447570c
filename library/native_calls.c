/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/executor.h"

static int barrier(const struct ct_operands *operands, MPI_Comm comm)
{
    (void)operands;
    return PMPI_Barrier(comm);
}

static int bcast(const struct ct_operands *operands, MPI_Comm comm)
{
    return PMPI_Bcast(operands->recv, (int)operands->count, operands->type, operands->root, comm);
}

static int reduce(const struct ct_operands *operands, MPI_Comm comm)
{
    return PMPI_Reduce(operands->send, operands->recv, (int)operands->count, operands->type, operands->op,
                       operands->root, comm);
}

static int allreduce(const struct ct_operands *operands, MPI_Comm comm)
{
    return PMPI_Allreduce(operands->send, operands->recv, (int)operands->count, operands->type, operands->op,
                          comm);
}

static int (*const calls[CT_COLLECTIVES])(const struct ct_operands *, MPI_Comm) = {
    [CT_BARRIER] = barrier,
    [CT_BCAST] = bcast,
    [CT_REDUCE] = reduce,
    [CT_ALLREDUCE] = allreduce,
};

int ct_native_call(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm)
{
    return calls[collective](operands, comm);
}
