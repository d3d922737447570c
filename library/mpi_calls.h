/* SPDX-License-Identifier: BSD-3-Clause */
/* The MPI function of each collective, called with what a rank passes. Whoever includes this defines
 * CT_MPI(name) as the function's name, MPI_##name or PMPI_##name: which of the two is what it is about. */
#include "algorithms/collective.h"
#include "library/operands.h"

#ifndef CT_MPI
#error "define CT_MPI(name) first"
#endif

typedef int ct_mpi_call(const struct ct_operands *operands, MPI_Comm comm);

static int call_barrier(const struct ct_operands *operands, MPI_Comm comm)
{
    (void)operands;
    return CT_MPI(Barrier)(comm);
}

static int call_bcast(const struct ct_operands *operands, MPI_Comm comm)
{
    const struct ct_side *data = &operands->recv;
    return CT_MPI(Bcast)(data->buffer, (int)data->count, data->type, operands->root, comm);
}

static int call_scatter(const struct ct_operands *operands, MPI_Comm comm)
{
    const struct ct_side *send = &operands->send, *recv = &operands->recv;
    return CT_MPI(Scatter)(send->buffer, (int)send->count, send->type, recv->buffer, (int)recv->count,
                           recv->type, operands->root, comm);
}

static int call_scatterv(const struct ct_operands *operands, MPI_Comm comm)
{
    const struct ct_side *send = &operands->send, *recv = &operands->recv;
    return CT_MPI(Scatterv)(send->buffer, send->counts, send->displacements, send->type, recv->buffer,
                            (int)recv->count, recv->type, operands->root, comm);
}

static int call_gather(const struct ct_operands *operands, MPI_Comm comm)
{
    const struct ct_side *send = &operands->send, *recv = &operands->recv;
    return CT_MPI(Gather)(send->buffer, (int)send->count, send->type, recv->buffer, (int)recv->count,
                          recv->type, operands->root, comm);
}

static int call_gatherv(const struct ct_operands *operands, MPI_Comm comm)
{
    const struct ct_side *send = &operands->send, *recv = &operands->recv;
    return CT_MPI(Gatherv)(send->buffer, (int)send->count, send->type, recv->buffer, recv->counts,
                           recv->displacements, recv->type, operands->root, comm);
}

static int call_allgather(const struct ct_operands *operands, MPI_Comm comm)
{
    const struct ct_side *send = &operands->send, *recv = &operands->recv;
    return CT_MPI(Allgather)(send->buffer, (int)send->count, send->type, recv->buffer, (int)recv->count,
                             recv->type, comm);
}

static int call_allgatherv(const struct ct_operands *operands, MPI_Comm comm)
{
    const struct ct_side *send = &operands->send, *recv = &operands->recv;
    return CT_MPI(Allgatherv)(send->buffer, (int)send->count, send->type, recv->buffer, recv->counts,
                              recv->displacements, recv->type, comm);
}

static int call_alltoall(const struct ct_operands *operands, MPI_Comm comm)
{
    const struct ct_side *send = &operands->send, *recv = &operands->recv;
    return CT_MPI(Alltoall)(send->buffer, (int)send->count, send->type, recv->buffer, (int)recv->count,
                            recv->type, comm);
}

static int call_alltoallv(const struct ct_operands *operands, MPI_Comm comm)
{
    const struct ct_side *send = &operands->send, *recv = &operands->recv;
    return CT_MPI(Alltoallv)(send->buffer, send->counts, send->displacements, send->type, recv->buffer,
                             recv->counts, recv->displacements, recv->type, comm);
}

static int call_alltoallw(const struct ct_operands *operands, MPI_Comm comm)
{
    const struct ct_side *send = &operands->send, *recv = &operands->recv;
    return CT_MPI(Alltoallw)(send->buffer, send->counts, send->displacements, send->types, recv->buffer,
                             recv->counts, recv->displacements, recv->types, comm);
}

static int call_reduce(const struct ct_operands *operands, MPI_Comm comm)
{
    const struct ct_side *recv = &operands->recv;
    return CT_MPI(Reduce)(operands->send.buffer, recv->buffer, (int)recv->count, recv->type, operands->op,
                          operands->root, comm);
}

static int call_reduce_scatter_block(const struct ct_operands *operands, MPI_Comm comm)
{
    const struct ct_side *recv = &operands->recv;
    return CT_MPI(Reduce_scatter_block)(operands->send.buffer, recv->buffer, (int)recv->count, recv->type,
                                        operands->op, comm);
}

static int call_reduce_scatter(const struct ct_operands *operands, MPI_Comm comm)
{
    const struct ct_side *recv = &operands->recv;
    return CT_MPI(Reduce_scatter)(operands->send.buffer, recv->buffer, recv->counts, recv->type, operands->op,
                                  comm);
}

static int call_allreduce(const struct ct_operands *operands, MPI_Comm comm)
{
    const struct ct_side *recv = &operands->recv;
    return CT_MPI(Allreduce)(operands->send.buffer, recv->buffer, (int)recv->count, recv->type, operands->op,
                             comm);
}

static int call_scan(const struct ct_operands *operands, MPI_Comm comm)
{
    const struct ct_side *recv = &operands->recv;
    return CT_MPI(Scan)(operands->send.buffer, recv->buffer, (int)recv->count, recv->type, operands->op,
                        comm);
}

static int call_exscan(const struct ct_operands *operands, MPI_Comm comm)
{
    const struct ct_side *recv = &operands->recv;
    return CT_MPI(Exscan)(operands->send.buffer, recv->buffer, (int)recv->count, recv->type, operands->op,
                          comm);
}

static ct_mpi_call *const ct_mpi_calls[CT_COLLECTIVES] = {
    [CT_BARRIER] = call_barrier,
    [CT_BCAST] = call_bcast,
    [CT_SCATTER] = call_scatter,
    [CT_SCATTERV] = call_scatterv,
    [CT_GATHER] = call_gather,
    [CT_GATHERV] = call_gatherv,
    [CT_ALLGATHER] = call_allgather,
    [CT_ALLGATHERV] = call_allgatherv,
    [CT_ALLTOALL] = call_alltoall,
    [CT_ALLTOALLV] = call_alltoallv,
    [CT_ALLTOALLW] = call_alltoallw,
    [CT_REDUCE] = call_reduce,
    [CT_REDUCE_SCATTER_BLOCK] = call_reduce_scatter_block,
    [CT_REDUCE_SCATTER] = call_reduce_scatter,
    [CT_ALLREDUCE] = call_allreduce,
    [CT_SCAN] = call_scan,
    [CT_EXSCAN] = call_exscan,
};
