/* SPDX-License-Identifier: BSD-3-Clause */
/* The MPI functions that the tuned library takes over. */
#include "library/profile.h"
#include "library/shadow.h"
#include "library/tuned_call.h"

/* The simulator loads a program behind itself, so that its own functions would be found first: there ours are
 * hidden, which binds a program that they are linked into to them. */
#ifdef SMPI_H
#define INTERPOSED
#else
#define INTERPOSED COLLTUNED_API
#endif

static struct ct_side side(const void *buffer, int count, MPI_Datatype type)
{
    return (struct ct_side){.buffer = (void *)buffer, .count = (size_t)count, .type = type};
}

static struct ct_side blocks(const void *buffer, const int *counts, const int *displacements,
                             MPI_Datatype type)
{
    return (struct ct_side){
        .buffer = (void *)buffer, .type = type, .counts = counts, .displacements = displacements};
}

static int reduction(enum ct_collective collective, const void *send, void *recv, int count,
                     MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm)
{
    const struct ct_operands operands = ct_reduction(send, recv, (size_t)count, type, op, root);
    return ct_tuned_call(collective, &operands, comm);
}

INTERPOSED int MPI_Barrier(MPI_Comm comm)
{
    const struct ct_operands operands = {.root = 0};
    return ct_tuned_call(CT_COLLECTIVE_BARRIER, &operands, comm);
}

INTERPOSED int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    const struct ct_operands operands = ct_broadcast(buffer, (size_t)count, type, root);
    return ct_tuned_call(CT_COLLECTIVE_BCAST, &operands, comm);
}

INTERPOSED int MPI_Scatter(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                           int recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm)
{
    const struct ct_operands operands = {
        .send = side(send, send_count, send_type), .recv = side(recv, recv_count, recv_type), .root = root};
    return ct_tuned_call(CT_COLLECTIVE_SCATTER, &operands, comm);
}

INTERPOSED int MPI_Scatterv(const void *send, const int *send_counts, const int *send_places,
                            MPI_Datatype send_type, void *recv, int recv_count, MPI_Datatype recv_type,
                            int root, MPI_Comm comm)
{
    const struct ct_operands operands = {.send = blocks(send, send_counts, send_places, send_type),
                                         .recv = side(recv, recv_count, recv_type),
                                         .root = root};
    return ct_tuned_call(CT_COLLECTIVE_SCATTERV, &operands, comm);
}

INTERPOSED int MPI_Gather(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                          int recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm)
{
    const struct ct_operands operands = {
        .send = side(send, send_count, send_type), .recv = side(recv, recv_count, recv_type), .root = root};
    return ct_tuned_call(CT_COLLECTIVE_GATHER, &operands, comm);
}

INTERPOSED int MPI_Gatherv(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                           const int *recv_counts, const int *recv_places, MPI_Datatype recv_type, int root,
                           MPI_Comm comm)
{
    const struct ct_operands operands = {.send = side(send, send_count, send_type),
                                         .recv = blocks(recv, recv_counts, recv_places, recv_type),
                                         .root = root};
    return ct_tuned_call(CT_COLLECTIVE_GATHERV, &operands, comm);
}

INTERPOSED int MPI_Allgather(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                             int recv_count, MPI_Datatype recv_type, MPI_Comm comm)
{
    const struct ct_operands operands = {.send = side(send, send_count, send_type),
                                         .recv = side(recv, recv_count, recv_type)};
    return ct_tuned_call(CT_COLLECTIVE_ALLGATHER, &operands, comm);
}

INTERPOSED int MPI_Allgatherv(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                              const int *recv_counts, const int *recv_places, MPI_Datatype recv_type,
                              MPI_Comm comm)
{
    const struct ct_operands operands = {.send = side(send, send_count, send_type),
                                         .recv = blocks(recv, recv_counts, recv_places, recv_type)};
    return ct_tuned_call(CT_COLLECTIVE_ALLGATHERV, &operands, comm);
}

INTERPOSED int MPI_Alltoall(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                            int recv_count, MPI_Datatype recv_type, MPI_Comm comm)
{
    const struct ct_operands operands = {.send = side(send, send_count, send_type),
                                         .recv = side(recv, recv_count, recv_type)};
    return ct_tuned_call(CT_COLLECTIVE_ALLTOALL, &operands, comm);
}

INTERPOSED int MPI_Alltoallv(const void *send, const int *send_counts, const int *send_places,
                             MPI_Datatype send_type, void *recv, const int *recv_counts,
                             const int *recv_places, MPI_Datatype recv_type, MPI_Comm comm)
{
    const struct ct_operands operands = {.send = blocks(send, send_counts, send_places, send_type),
                                         .recv = blocks(recv, recv_counts, recv_places, recv_type)};
    return ct_tuned_call(CT_COLLECTIVE_ALLTOALLV, &operands, comm);
}

INTERPOSED int MPI_Alltoallw(const void *send, const int *send_counts, const int *send_places,
                             const MPI_Datatype *send_types, void *recv, const int *recv_counts,
                             const int *recv_places, const MPI_Datatype *recv_types, MPI_Comm comm)
{
    struct ct_operands operands = {.send = blocks(send, send_counts, send_places, MPI_DATATYPE_NULL),
                                   .recv = blocks(recv, recv_counts, recv_places, MPI_DATATYPE_NULL)};
    operands.send.types = send_types;
    operands.recv.types = recv_types;
    return ct_tuned_call(CT_COLLECTIVE_ALLTOALLW, &operands, comm);
}

INTERPOSED int MPI_Reduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, int root,
                          MPI_Comm comm)
{
    return reduction(CT_COLLECTIVE_REDUCE, send, recv, count, type, op, root, comm);
}

INTERPOSED int MPI_Reduce_scatter_block(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op,
                                        MPI_Comm comm)
{
    return reduction(CT_COLLECTIVE_REDUCE_SCATTER_BLOCK, send, recv, count, type, op, 0, comm);
}

INTERPOSED int MPI_Allreduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm)
{
    return reduction(CT_COLLECTIVE_ALLREDUCE, send, recv, count, type, op, 0, comm);
}

INTERPOSED int MPI_Scan(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return reduction(CT_COLLECTIVE_SCAN, send, recv, count, type, op, 0, comm);
}

INTERPOSED int MPI_Exscan(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op,
                          MPI_Comm comm)
{
    return reduction(CT_COLLECTIVE_EXSCAN, send, recv, count, type, op, 0, comm);
}

INTERPOSED int MPI_Reduce_scatter(const void *send, void *recv, const int *counts, MPI_Datatype type,
                                  MPI_Op op, MPI_Comm comm)
{
    const struct ct_operands operands = {
        .send = {.buffer = (void *)send}, .recv = blocks(recv, counts, NULL, type), .op = op};
    return ct_tuned_call(CT_COLLECTIVE_REDUCE_SCATTER, &operands, comm);
}

static int start(void)
{
    ct_tuner_start(MPI_COMM_WORLD);
    ct_tuner_find_nodes();
    return MPI_SUCCESS;
}

INTERPOSED int MPI_Init(int *argc, char ***argv)
{
    int code = PMPI_Init(argc, argv);
    return code == MPI_SUCCESS ? start() : code;
}

INTERPOSED int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int code = PMPI_Init_thread(argc, argv, required, provided);
    return code == MPI_SUCCESS ? start() : code;
}

INTERPOSED int MPI_Finalize(void)
{
    if (ct_tuner_started()) {
        ct_profile_write();
        ct_shadows_stop();
        ct_tuner_stop();
    }
    return PMPI_Finalize();
}
