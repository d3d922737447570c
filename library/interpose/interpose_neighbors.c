/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighborhood collectives, blocking, non-blocking and persistent. */
#include "library/interpose/interpose_internal.h"

/* The simulator's MPI lacks them. */
#if !CT_SIMULATED

/* int counts, and displacements in bytes. */
static struct ct_side wide_blocks(const void *buffer, const int *counts, const MPI_Aint *displacements,
                                  const MPI_Datatype *types)
{
    return (struct ct_side){(void *)buffer, 0, MPI_DATATYPE_NULL, counts, displacements, types, false, true};
}

INTERPOSED int MPI_Neighbor_allgather(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                                      int recv_count, MPI_Datatype recv_type, MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_NEIGHBOR_ALLGATHER, ct_small_side(send, send_count, send_type),
                              ct_small_side(recv, recv_count, recv_type), 0, comm);
}

INTERPOSED int MPI_Neighbor_allgatherv(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                                       const int *recv_counts, const int *recv_places, MPI_Datatype recv_type,
                                       MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_NEIGHBOR_ALLGATHERV, ct_small_side(send, send_count, send_type),
                              ct_small_blocks(recv, recv_counts, recv_places, recv_type, NULL), 0, comm);
}

INTERPOSED int MPI_Neighbor_alltoall(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                                     int recv_count, MPI_Datatype recv_type, MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_NEIGHBOR_ALLTOALL, ct_small_side(send, send_count, send_type),
                              ct_small_side(recv, recv_count, recv_type), 0, comm);
}

INTERPOSED int MPI_Neighbor_alltoallv(const void *send, const int *send_counts, const int *send_places,
                                      MPI_Datatype send_type, void *recv, const int *recv_counts,
                                      const int *recv_places, MPI_Datatype recv_type, MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_NEIGHBOR_ALLTOALLV,
                              ct_small_blocks(send, send_counts, send_places, send_type, NULL),
                              ct_small_blocks(recv, recv_counts, recv_places, recv_type, NULL), 0, comm);
}

INTERPOSED int MPI_Neighbor_alltoallw(const void *send, const int *send_counts, const MPI_Aint *send_places,
                                      const MPI_Datatype *send_types, void *recv, const int *recv_counts,
                                      const MPI_Aint *recv_places, const MPI_Datatype *recv_types,
                                      MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_NEIGHBOR_ALLTOALLW,
                              wide_blocks(send, send_counts, send_places, send_types),
                              wide_blocks(recv, recv_counts, recv_places, recv_types), 0, comm);
}

INTERPOSED int MPI_Ineighbor_allgather(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                                       int recv_count, MPI_Datatype recv_type, MPI_Comm comm,
                                       MPI_Request *request)
{
    return ct_interposed_begin(CT_COLLECTIVE_NEIGHBOR_ALLGATHER, ct_small_side(send, send_count, send_type),
                               ct_small_side(recv, recv_count, recv_type), comm, request);
}

INTERPOSED int MPI_Ineighbor_allgatherv(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                                        const int *recv_counts, const int *recv_places,
                                        MPI_Datatype recv_type, MPI_Comm comm, MPI_Request *request)
{
    return ct_interposed_begin(CT_COLLECTIVE_NEIGHBOR_ALLGATHERV, ct_small_side(send, send_count, send_type),
                               ct_small_blocks(recv, recv_counts, recv_places, recv_type, NULL), comm,
                               request);
}

INTERPOSED int MPI_Ineighbor_alltoall(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                                      int recv_count, MPI_Datatype recv_type, MPI_Comm comm,
                                      MPI_Request *request)
{
    return ct_interposed_begin(CT_COLLECTIVE_NEIGHBOR_ALLTOALL, ct_small_side(send, send_count, send_type),
                               ct_small_side(recv, recv_count, recv_type), comm, request);
}

INTERPOSED int MPI_Ineighbor_alltoallv(const void *send, const int *send_counts, const int *send_places,
                                       MPI_Datatype send_type, void *recv, const int *recv_counts,
                                       const int *recv_places, MPI_Datatype recv_type, MPI_Comm comm,
                                       MPI_Request *request)
{
    return ct_interposed_begin(
        CT_COLLECTIVE_NEIGHBOR_ALLTOALLV, ct_small_blocks(send, send_counts, send_places, send_type, NULL),
        ct_small_blocks(recv, recv_counts, recv_places, recv_type, NULL), comm, request);
}

INTERPOSED int MPI_Ineighbor_alltoallw(const void *send, const int *send_counts, const MPI_Aint *send_places,
                                       const MPI_Datatype *send_types, void *recv, const int *recv_counts,
                                       const MPI_Aint *recv_places, const MPI_Datatype *recv_types,
                                       MPI_Comm comm, MPI_Request *request)
{
    return ct_interposed_begin(CT_COLLECTIVE_NEIGHBOR_ALLTOALLW,
                               wide_blocks(send, send_counts, send_places, send_types),
                               wide_blocks(recv, recv_counts, recv_places, recv_types), comm, request);
}

#if CT_HAS_LARGE_FORMS

INTERPOSED int MPI_Neighbor_allgather_init(const void *send, int send_count, MPI_Datatype send_type,
                                           void *recv, int recv_count, MPI_Datatype recv_type, MPI_Comm comm,
                                           MPI_Info info, MPI_Request *request)
{
    return ct_interposed_prepare(CT_COLLECTIVE_NEIGHBOR_ALLGATHER, ct_small_side(send, send_count, send_type),
                                 ct_small_side(recv, recv_count, recv_type), 0, comm, info, request);
}

INTERPOSED int MPI_Neighbor_allgatherv_init(const void *send, int send_count, MPI_Datatype send_type,
                                            void *recv, const int *recv_counts, const int *recv_places,
                                            MPI_Datatype recv_type, MPI_Comm comm, MPI_Info info,
                                            MPI_Request *request)
{
    return ct_interposed_prepare(
        CT_COLLECTIVE_NEIGHBOR_ALLGATHERV, ct_small_side(send, send_count, send_type),
        ct_small_blocks(recv, recv_counts, recv_places, recv_type, NULL), 0, comm, info, request);
}

INTERPOSED int MPI_Neighbor_alltoall_init(const void *send, int send_count, MPI_Datatype send_type,
                                          void *recv, int recv_count, MPI_Datatype recv_type, MPI_Comm comm,
                                          MPI_Info info, MPI_Request *request)
{
    return ct_interposed_prepare(CT_COLLECTIVE_NEIGHBOR_ALLTOALL, ct_small_side(send, send_count, send_type),
                                 ct_small_side(recv, recv_count, recv_type), 0, comm, info, request);
}

INTERPOSED int MPI_Neighbor_alltoallv_init(const void *send, const int *send_counts, const int *send_places,
                                           MPI_Datatype send_type, void *recv, const int *recv_counts,
                                           const int *recv_places, MPI_Datatype recv_type, MPI_Comm comm,
                                           MPI_Info info, MPI_Request *request)
{
    return ct_interposed_prepare(
        CT_COLLECTIVE_NEIGHBOR_ALLTOALLV, ct_small_blocks(send, send_counts, send_places, send_type, NULL),
        ct_small_blocks(recv, recv_counts, recv_places, recv_type, NULL), 0, comm, info, request);
}

INTERPOSED int MPI_Neighbor_alltoallw_init(const void *send, const int *send_counts,
                                           const MPI_Aint *send_places, const MPI_Datatype *send_types,
                                           void *recv, const int *recv_counts, const MPI_Aint *recv_places,
                                           const MPI_Datatype *recv_types, MPI_Comm comm, MPI_Info info,
                                           MPI_Request *request)
{
    return ct_interposed_prepare(
        CT_COLLECTIVE_NEIGHBOR_ALLTOALLW, wide_blocks(send, send_counts, send_places, send_types),
        wide_blocks(recv, recv_counts, recv_places, recv_types), 0, comm, info, request);
}

INTERPOSED int MPI_Neighbor_allgather_c(const void *send, MPI_Count send_count, MPI_Datatype send_type,
                                        void *recv, MPI_Count recv_count, MPI_Datatype recv_type,
                                        MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_NEIGHBOR_ALLGATHER, ct_large_side(send, send_count, send_type),
                              ct_large_side(recv, recv_count, recv_type), 0, comm);
}

INTERPOSED int MPI_Neighbor_allgatherv_c(const void *send, MPI_Count send_count, MPI_Datatype send_type,
                                         void *recv, const MPI_Count *recv_counts,
                                         const MPI_Aint *recv_places, MPI_Datatype recv_type, MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_NEIGHBOR_ALLGATHERV, ct_large_side(send, send_count, send_type),
                              ct_large_blocks(recv, recv_counts, recv_places, recv_type, NULL), 0, comm);
}

INTERPOSED int MPI_Neighbor_alltoall_c(const void *send, MPI_Count send_count, MPI_Datatype send_type,
                                       void *recv, MPI_Count recv_count, MPI_Datatype recv_type,
                                       MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_NEIGHBOR_ALLTOALL, ct_large_side(send, send_count, send_type),
                              ct_large_side(recv, recv_count, recv_type), 0, comm);
}

INTERPOSED int MPI_Neighbor_alltoallv_c(const void *send, const MPI_Count *send_counts,
                                        const MPI_Aint *send_places, MPI_Datatype send_type, void *recv,
                                        const MPI_Count *recv_counts, const MPI_Aint *recv_places,
                                        MPI_Datatype recv_type, MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_NEIGHBOR_ALLTOALLV,
                              ct_large_blocks(send, send_counts, send_places, send_type, NULL),
                              ct_large_blocks(recv, recv_counts, recv_places, recv_type, NULL), 0, comm);
}

INTERPOSED int MPI_Neighbor_alltoallw_c(const void *send, const MPI_Count *send_counts,
                                        const MPI_Aint *send_places, const MPI_Datatype *send_types,
                                        void *recv, const MPI_Count *recv_counts, const MPI_Aint *recv_places,
                                        const MPI_Datatype *recv_types, MPI_Comm comm)
{
    return ct_interposed_move(CT_COLLECTIVE_NEIGHBOR_ALLTOALLW,
                              ct_large_blocks(send, send_counts, send_places, MPI_DATATYPE_NULL, send_types),
                              ct_large_blocks(recv, recv_counts, recv_places, MPI_DATATYPE_NULL, recv_types),
                              0, comm);
}

INTERPOSED int MPI_Ineighbor_allgather_c(const void *send, MPI_Count send_count, MPI_Datatype send_type,
                                         void *recv, MPI_Count recv_count, MPI_Datatype recv_type,
                                         MPI_Comm comm, MPI_Request *request)
{
    return ct_interposed_begin(CT_COLLECTIVE_NEIGHBOR_ALLGATHER, ct_large_side(send, send_count, send_type),
                               ct_large_side(recv, recv_count, recv_type), comm, request);
}

INTERPOSED int MPI_Ineighbor_allgatherv_c(const void *send, MPI_Count send_count, MPI_Datatype send_type,
                                          void *recv, const MPI_Count *recv_counts,
                                          const MPI_Aint *recv_places, MPI_Datatype recv_type, MPI_Comm comm,
                                          MPI_Request *request)
{
    return ct_interposed_begin(CT_COLLECTIVE_NEIGHBOR_ALLGATHERV, ct_large_side(send, send_count, send_type),
                               ct_large_blocks(recv, recv_counts, recv_places, recv_type, NULL), comm,
                               request);
}

INTERPOSED int MPI_Ineighbor_alltoall_c(const void *send, MPI_Count send_count, MPI_Datatype send_type,
                                        void *recv, MPI_Count recv_count, MPI_Datatype recv_type,
                                        MPI_Comm comm, MPI_Request *request)
{
    return ct_interposed_begin(CT_COLLECTIVE_NEIGHBOR_ALLTOALL, ct_large_side(send, send_count, send_type),
                               ct_large_side(recv, recv_count, recv_type), comm, request);
}

INTERPOSED int MPI_Ineighbor_alltoallv_c(const void *send, const MPI_Count *send_counts,
                                         const MPI_Aint *send_places, MPI_Datatype send_type, void *recv,
                                         const MPI_Count *recv_counts, const MPI_Aint *recv_places,
                                         MPI_Datatype recv_type, MPI_Comm comm, MPI_Request *request)
{
    return ct_interposed_begin(
        CT_COLLECTIVE_NEIGHBOR_ALLTOALLV, ct_large_blocks(send, send_counts, send_places, send_type, NULL),
        ct_large_blocks(recv, recv_counts, recv_places, recv_type, NULL), comm, request);
}

INTERPOSED int MPI_Ineighbor_alltoallw_c(const void *send, const MPI_Count *send_counts,
                                         const MPI_Aint *send_places, const MPI_Datatype *send_types,
                                         void *recv, const MPI_Count *recv_counts,
                                         const MPI_Aint *recv_places, const MPI_Datatype *recv_types,
                                         MPI_Comm comm, MPI_Request *request)
{
    return ct_interposed_begin(CT_COLLECTIVE_NEIGHBOR_ALLTOALLW,
                               ct_large_blocks(send, send_counts, send_places, MPI_DATATYPE_NULL, send_types),
                               ct_large_blocks(recv, recv_counts, recv_places, MPI_DATATYPE_NULL, recv_types),
                               comm, request);
}

INTERPOSED int MPI_Neighbor_allgather_init_c(const void *send, MPI_Count send_count, MPI_Datatype send_type,
                                             void *recv, MPI_Count recv_count, MPI_Datatype recv_type,
                                             MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return ct_interposed_prepare(CT_COLLECTIVE_NEIGHBOR_ALLGATHER, ct_large_side(send, send_count, send_type),
                                 ct_large_side(recv, recv_count, recv_type), 0, comm, info, request);
}

INTERPOSED int MPI_Neighbor_allgatherv_init_c(const void *send, MPI_Count send_count, MPI_Datatype send_type,
                                              void *recv, const MPI_Count *recv_counts,
                                              const MPI_Aint *recv_places, MPI_Datatype recv_type,
                                              MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return ct_interposed_prepare(
        CT_COLLECTIVE_NEIGHBOR_ALLGATHERV, ct_large_side(send, send_count, send_type),
        ct_large_blocks(recv, recv_counts, recv_places, recv_type, NULL), 0, comm, info, request);
}

INTERPOSED int MPI_Neighbor_alltoall_init_c(const void *send, MPI_Count send_count, MPI_Datatype send_type,
                                            void *recv, MPI_Count recv_count, MPI_Datatype recv_type,
                                            MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return ct_interposed_prepare(CT_COLLECTIVE_NEIGHBOR_ALLTOALL, ct_large_side(send, send_count, send_type),
                                 ct_large_side(recv, recv_count, recv_type), 0, comm, info, request);
}

INTERPOSED int MPI_Neighbor_alltoallv_init_c(const void *send, const MPI_Count *send_counts,
                                             const MPI_Aint *send_places, MPI_Datatype send_type, void *recv,
                                             const MPI_Count *recv_counts, const MPI_Aint *recv_places,
                                             MPI_Datatype recv_type, MPI_Comm comm, MPI_Info info,
                                             MPI_Request *request)
{
    return ct_interposed_prepare(
        CT_COLLECTIVE_NEIGHBOR_ALLTOALLV, ct_large_blocks(send, send_counts, send_places, send_type, NULL),
        ct_large_blocks(recv, recv_counts, recv_places, recv_type, NULL), 0, comm, info, request);
}

INTERPOSED int MPI_Neighbor_alltoallw_init_c(const void *send, const MPI_Count *send_counts,
                                             const MPI_Aint *send_places, const MPI_Datatype *send_types,
                                             void *recv, const MPI_Count *recv_counts,
                                             const MPI_Aint *recv_places, const MPI_Datatype *recv_types,
                                             MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return ct_interposed_prepare(
        CT_COLLECTIVE_NEIGHBOR_ALLTOALLW,
        ct_large_blocks(send, send_counts, send_places, MPI_DATATYPE_NULL, send_types),
        ct_large_blocks(recv, recv_counts, recv_places, MPI_DATATYPE_NULL, recv_types), 0, comm, info,
        request);
}

#endif

#else

/* ISO C wants a declaration in every file. */
typedef int ct_interpose_neighbors_nothing;

#endif
