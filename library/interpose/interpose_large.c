/* SPDX-License-Identifier: BSD-3-Clause */
/* The large-count forms, where the MPI has them. */
#include "library/interpose/interpose_internal.h"

#if CT_HAS_LARGE_FORMS

INTERPOSED int MPI_Bcast_c(void *buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_BCAST, (struct ct_side){0}, ct_large_side(buffer, count, type),
                              root, comm);
}

INTERPOSED int MPI_Scatter_c(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                             MPI_Count recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_SCATTER, ct_large_side(send, send_count, send_type),
                              ct_large_side(recv, recv_count, recv_type), root, comm);
}

INTERPOSED int MPI_Scatterv_c(const void *send, const MPI_Count *send_counts, const MPI_Aint *send_places,
                              MPI_Datatype send_type, void *recv, MPI_Count recv_count,
                              MPI_Datatype recv_type, int root, MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_SCATTERV,
                              ct_large_blocks(send, send_counts, send_places, send_type, NULL),
                              ct_large_side(recv, recv_count, recv_type), root, comm);
}

INTERPOSED int MPI_Gather_c(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                            MPI_Count recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_GATHER, ct_large_side(send, send_count, send_type),
                              ct_large_side(recv, recv_count, recv_type), root, comm);
}

INTERPOSED int MPI_Gatherv_c(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                             const MPI_Count *recv_counts, const MPI_Aint *recv_places,
                             MPI_Datatype recv_type, int root, MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_GATHERV, ct_large_side(send, send_count, send_type),
                              ct_large_blocks(recv, recv_counts, recv_places, recv_type, NULL), root, comm);
}

INTERPOSED int MPI_Allgather_c(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                               MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_ALLGATHER, ct_large_side(send, send_count, send_type),
                              ct_large_side(recv, recv_count, recv_type), 0, comm);
}

INTERPOSED int MPI_Allgatherv_c(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                                const MPI_Count *recv_counts, const MPI_Aint *recv_places,
                                MPI_Datatype recv_type, MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_ALLGATHERV, ct_large_side(send, send_count, send_type),
                              ct_large_blocks(recv, recv_counts, recv_places, recv_type, NULL), 0, comm);
}

INTERPOSED int MPI_Alltoall_c(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                              MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_ALLTOALL, ct_large_side(send, send_count, send_type),
                              ct_large_side(recv, recv_count, recv_type), 0, comm);
}

INTERPOSED int MPI_Alltoallv_c(const void *send, const MPI_Count *send_counts, const MPI_Aint *send_places,
                               MPI_Datatype send_type, void *recv, const MPI_Count *recv_counts,
                               const MPI_Aint *recv_places, MPI_Datatype recv_type, MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_ALLTOALLV,
                              ct_large_blocks(send, send_counts, send_places, send_type, NULL),
                              ct_large_blocks(recv, recv_counts, recv_places, recv_type, NULL), 0, comm);
}

INTERPOSED int MPI_Alltoallw_c(const void *send, const MPI_Count *send_counts, const MPI_Aint *send_places,
                               const MPI_Datatype *send_types, void *recv, const MPI_Count *recv_counts,
                               const MPI_Aint *recv_places, const MPI_Datatype *recv_types, MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_ALLTOALLW,
                              ct_large_blocks(send, send_counts, send_places, MPI_DATATYPE_NULL, send_types),
                              ct_large_blocks(recv, recv_counts, recv_places, MPI_DATATYPE_NULL, recv_types),
                              0, comm);
}

INTERPOSED int MPI_Reduce_c(const void *send, void *recv, MPI_Count count, MPI_Datatype type, MPI_Op op,
                            int root, MPI_Comm comm)
{
    return ct_interposed_reduce(CT_COLLECTIVE_REDUCE, send, ct_large_side(recv, count, type), op, root, comm);
}

INTERPOSED int MPI_Reduce_scatter_block_c(const void *send, void *recv, MPI_Count count, MPI_Datatype type,
                                          MPI_Op op, MPI_Comm comm)
{
    return ct_interposed_reduce(CT_COLLECTIVE_REDUCE_SCATTER_BLOCK, send, ct_large_side(recv, count, type),
                                op, 0, comm);
}

INTERPOSED int MPI_Reduce_scatter_c(const void *send, void *recv, const MPI_Count *counts, MPI_Datatype type,
                                    MPI_Op op, MPI_Comm comm)
{
    return ct_interposed_reduce(CT_COLLECTIVE_REDUCE_SCATTER, send,
                                ct_large_blocks(recv, counts, NULL, type, NULL), op, 0, comm);
}

INTERPOSED int MPI_Allreduce_c(const void *send, void *recv, MPI_Count count, MPI_Datatype type, MPI_Op op,
                               MPI_Comm comm)
{
    return ct_interposed_reduce(CT_COLLECTIVE_ALLREDUCE, send, ct_large_side(recv, count, type), op, 0, comm);
}

INTERPOSED int MPI_Scan_c(const void *send, void *recv, MPI_Count count, MPI_Datatype type, MPI_Op op,
                          MPI_Comm comm)
{
    return ct_interposed_reduce(CT_COLLECTIVE_SCAN, send, ct_large_side(recv, count, type), op, 0, comm);
}

INTERPOSED int MPI_Exscan_c(const void *send, void *recv, MPI_Count count, MPI_Datatype type, MPI_Op op,
                            MPI_Comm comm)
{
    return ct_interposed_reduce(CT_COLLECTIVE_EXSCAN, send, ct_large_side(recv, count, type), op, 0, comm);
}

#endif
