/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent collectives, where the MPI has them. */
#include "library/interpose/interpose_internal.h"
#include "library/process/lifetime.h"
#include "library/requests/requests.h"

#if CT_HAS_LARGE_FORMS

#define CT_SMALL(name, lower) PMPI_##name##_init
#define CT_LARGE(name, lower) PMPI_##name##_init_c
#define CT_MORE               , info, request

static int prepare_native(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
                          MPI_Info info, MPI_Request *request)
{
#include "library/mpi/mpi_calls.def"
}

/* Other than a non-blocking call, this one may be the first on a communicator: it may wait for other ranks,
 * and comes in the same order at all of them, as blocking collectives do (MPI 4.0, section 6.13). */
static struct ct_flight_comm *find_flights(MPI_Comm comm)
{
    struct ct_flight_comm *flights = ct_flight_comm_of(comm);
    if (flights || comm == MPI_COMM_NULL || !ct_library_begin() || !ct_meetings_are_held() ||
        !ct_private_comm_of(comm))
        return flights;
    return ct_flight_comm_of(comm);
}

static int prepare(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
                   MPI_Info info, MPI_Request *request)
{
    int code;
    struct ct_flight_comm *flights = find_flights(comm);
    if (!flights || !ct_request_make(flights, collective, operands, comm, true, &code, request))
        return prepare_native(collective, operands, comm, info, request);
    if (code != MPI_SUCCESS)
        PMPI_Comm_call_errhandler(comm, code);
    return code;
}

int ct_interposed_prepare(enum ct_collective collective, struct ct_side send, struct ct_side recv, int root,
                          MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    const struct ct_operands operands = {.send = send, .recv = recv, .root = root};
    return prepare(collective, &operands, comm, info, request);
}

static int prepare_reduce(enum ct_collective collective, const void *send, struct ct_side recv, MPI_Op op,
                          int root, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    const struct ct_operands operands = {
        .send = {.buffer = (void *)send, .is_large = recv.is_large}, .recv = recv, .op = op, .root = root};
    return prepare(collective, &operands, comm, info, request);
}

INTERPOSED int MPI_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return ct_interposed_prepare(CT_COLLECTIVE_BARRIER, (struct ct_side){0}, (struct ct_side){0}, 0, comm,
                                 info, request);
}

INTERPOSED int MPI_Bcast_init(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm,
                              MPI_Info info, MPI_Request *request)
{
    return ct_interposed_prepare(CT_COLLECTIVE_BCAST, (struct ct_side){0}, ct_small_side(buffer, count, type),
                                 root, comm, info, request);
}

INTERPOSED int MPI_Scatter_init(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                                int recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm,
                                MPI_Info info, MPI_Request *request)
{
    return ct_interposed_prepare(CT_COLLECTIVE_SCATTER, ct_small_side(send, send_count, send_type),
                                 ct_small_side(recv, recv_count, recv_type), root, comm, info, request);
}

INTERPOSED int MPI_Scatterv_init(const void *send, const int *send_counts, const int *send_places,
                                 MPI_Datatype send_type, void *recv, int recv_count, MPI_Datatype recv_type,
                                 int root, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return ct_interposed_prepare(CT_COLLECTIVE_SCATTERV,
                                 ct_small_blocks(send, send_counts, send_places, send_type, NULL),
                                 ct_small_side(recv, recv_count, recv_type), root, comm, info, request);
}

INTERPOSED int MPI_Gather_init(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                               int recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm, MPI_Info info,
                               MPI_Request *request)
{
    return ct_interposed_prepare(CT_COLLECTIVE_GATHER, ct_small_side(send, send_count, send_type),
                                 ct_small_side(recv, recv_count, recv_type), root, comm, info, request);
}

INTERPOSED int MPI_Gatherv_init(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                                const int *recv_counts, const int *recv_places, MPI_Datatype recv_type,
                                int root, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return ct_interposed_prepare(CT_COLLECTIVE_GATHERV, ct_small_side(send, send_count, send_type),
                                 ct_small_blocks(recv, recv_counts, recv_places, recv_type, NULL), root, comm,
                                 info, request);
}

INTERPOSED int MPI_Allgather_init(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                                  int recv_count, MPI_Datatype recv_type, MPI_Comm comm, MPI_Info info,
                                  MPI_Request *request)
{
    return ct_interposed_prepare(CT_COLLECTIVE_ALLGATHER, ct_small_side(send, send_count, send_type),
                                 ct_small_side(recv, recv_count, recv_type), 0, comm, info, request);
}

INTERPOSED int MPI_Allgatherv_init(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                                   const int *recv_counts, const int *recv_places, MPI_Datatype recv_type,
                                   MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return ct_interposed_prepare(CT_COLLECTIVE_ALLGATHERV, ct_small_side(send, send_count, send_type),
                                 ct_small_blocks(recv, recv_counts, recv_places, recv_type, NULL), 0, comm,
                                 info, request);
}

INTERPOSED int MPI_Alltoall_init(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                                 int recv_count, MPI_Datatype recv_type, MPI_Comm comm, MPI_Info info,
                                 MPI_Request *request)
{
    return ct_interposed_prepare(CT_COLLECTIVE_ALLTOALL, ct_small_side(send, send_count, send_type),
                                 ct_small_side(recv, recv_count, recv_type), 0, comm, info, request);
}

INTERPOSED int MPI_Alltoallv_init(const void *send, const int *send_counts, const int *send_places,
                                  MPI_Datatype send_type, void *recv, const int *recv_counts,
                                  const int *recv_places, MPI_Datatype recv_type, MPI_Comm comm,
                                  MPI_Info info, MPI_Request *request)
{
    return ct_interposed_prepare(
        CT_COLLECTIVE_ALLTOALLV, ct_small_blocks(send, send_counts, send_places, send_type, NULL),
        ct_small_blocks(recv, recv_counts, recv_places, recv_type, NULL), 0, comm, info, request);
}

INTERPOSED int MPI_Alltoallw_init(const void *send, const int *send_counts, const int *send_places,
                                  const MPI_Datatype *send_types, void *recv, const int *recv_counts,
                                  const int *recv_places, const MPI_Datatype *recv_types, MPI_Comm comm,
                                  MPI_Info info, MPI_Request *request)
{
    return ct_interposed_prepare(
        CT_COLLECTIVE_ALLTOALLW,
        ct_small_blocks(send, send_counts, send_places, MPI_DATATYPE_NULL, send_types),
        ct_small_blocks(recv, recv_counts, recv_places, MPI_DATATYPE_NULL, recv_types), 0, comm, info,
        request);
}

INTERPOSED int MPI_Reduce_init(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op,
                               int root, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return prepare_reduce(CT_COLLECTIVE_REDUCE, send, ct_small_side(recv, count, type), op, root, comm, info,
                          request);
}

INTERPOSED int MPI_Reduce_scatter_block_init(const void *send, void *recv, int count, MPI_Datatype type,
                                             MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return prepare_reduce(CT_COLLECTIVE_REDUCE_SCATTER_BLOCK, send, ct_small_side(recv, count, type), op, 0,
                          comm, info, request);
}

INTERPOSED int MPI_Reduce_scatter_init(const void *send, void *recv, const int *counts, MPI_Datatype type,
                                       MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return prepare_reduce(CT_COLLECTIVE_REDUCE_SCATTER, send, ct_small_blocks(recv, counts, NULL, type, NULL),
                          op, 0, comm, info, request);
}

INTERPOSED int MPI_Allreduce_init(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op,
                                  MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return prepare_reduce(CT_COLLECTIVE_ALLREDUCE, send, ct_small_side(recv, count, type), op, 0, comm, info,
                          request);
}

INTERPOSED int MPI_Scan_init(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return prepare_reduce(CT_COLLECTIVE_SCAN, send, ct_small_side(recv, count, type), op, 0, comm, info,
                          request);
}

INTERPOSED int MPI_Exscan_init(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op,
                               MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return prepare_reduce(CT_COLLECTIVE_EXSCAN, send, ct_small_side(recv, count, type), op, 0, comm, info,
                          request);
}

INTERPOSED int MPI_Bcast_init_c(void *buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm,
                                MPI_Info info, MPI_Request *request)
{
    return ct_interposed_prepare(CT_COLLECTIVE_BCAST, (struct ct_side){0}, ct_large_side(buffer, count, type),
                                 root, comm, info, request);
}

INTERPOSED int MPI_Scatter_init_c(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                                  MPI_Count recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm,
                                  MPI_Info info, MPI_Request *request)
{
    return ct_interposed_prepare(CT_COLLECTIVE_SCATTER, ct_large_side(send, send_count, send_type),
                                 ct_large_side(recv, recv_count, recv_type), root, comm, info, request);
}

INTERPOSED int MPI_Scatterv_init_c(const void *send, const MPI_Count *send_counts,
                                   const MPI_Aint *send_places, MPI_Datatype send_type, void *recv,
                                   MPI_Count recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm,
                                   MPI_Info info, MPI_Request *request)
{
    return ct_interposed_prepare(CT_COLLECTIVE_SCATTERV,
                                 ct_large_blocks(send, send_counts, send_places, send_type, NULL),
                                 ct_large_side(recv, recv_count, recv_type), root, comm, info, request);
}

INTERPOSED int MPI_Gather_init_c(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                                 MPI_Count recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm,
                                 MPI_Info info, MPI_Request *request)
{
    return ct_interposed_prepare(CT_COLLECTIVE_GATHER, ct_large_side(send, send_count, send_type),
                                 ct_large_side(recv, recv_count, recv_type), root, comm, info, request);
}

INTERPOSED int MPI_Gatherv_init_c(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                                  const MPI_Count *recv_counts, const MPI_Aint *recv_places,
                                  MPI_Datatype recv_type, int root, MPI_Comm comm, MPI_Info info,
                                  MPI_Request *request)
{
    return ct_interposed_prepare(CT_COLLECTIVE_GATHERV, ct_large_side(send, send_count, send_type),
                                 ct_large_blocks(recv, recv_counts, recv_places, recv_type, NULL), root, comm,
                                 info, request);
}

INTERPOSED int MPI_Allgather_init_c(const void *send, MPI_Count send_count, MPI_Datatype send_type,
                                    void *recv, MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm,
                                    MPI_Info info, MPI_Request *request)
{
    return ct_interposed_prepare(CT_COLLECTIVE_ALLGATHER, ct_large_side(send, send_count, send_type),
                                 ct_large_side(recv, recv_count, recv_type), 0, comm, info, request);
}

INTERPOSED int MPI_Allgatherv_init_c(const void *send, MPI_Count send_count, MPI_Datatype send_type,
                                     void *recv, const MPI_Count *recv_counts, const MPI_Aint *recv_places,
                                     MPI_Datatype recv_type, MPI_Comm comm, MPI_Info info,
                                     MPI_Request *request)
{
    return ct_interposed_prepare(CT_COLLECTIVE_ALLGATHERV, ct_large_side(send, send_count, send_type),
                                 ct_large_blocks(recv, recv_counts, recv_places, recv_type, NULL), 0, comm,
                                 info, request);
}

INTERPOSED int MPI_Alltoall_init_c(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                                   MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm, MPI_Info info,
                                   MPI_Request *request)
{
    return ct_interposed_prepare(CT_COLLECTIVE_ALLTOALL, ct_large_side(send, send_count, send_type),
                                 ct_large_side(recv, recv_count, recv_type), 0, comm, info, request);
}

INTERPOSED int MPI_Alltoallv_init_c(const void *send, const MPI_Count *send_counts,
                                    const MPI_Aint *send_places, MPI_Datatype send_type, void *recv,
                                    const MPI_Count *recv_counts, const MPI_Aint *recv_places,
                                    MPI_Datatype recv_type, MPI_Comm comm, MPI_Info info,
                                    MPI_Request *request)
{
    return ct_interposed_prepare(
        CT_COLLECTIVE_ALLTOALLV, ct_large_blocks(send, send_counts, send_places, send_type, NULL),
        ct_large_blocks(recv, recv_counts, recv_places, recv_type, NULL), 0, comm, info, request);
}

INTERPOSED int MPI_Alltoallw_init_c(const void *send, const MPI_Count *send_counts,
                                    const MPI_Aint *send_places, const MPI_Datatype *send_types, void *recv,
                                    const MPI_Count *recv_counts, const MPI_Aint *recv_places,
                                    const MPI_Datatype *recv_types, MPI_Comm comm, MPI_Info info,
                                    MPI_Request *request)
{
    return ct_interposed_prepare(
        CT_COLLECTIVE_ALLTOALLW,
        ct_large_blocks(send, send_counts, send_places, MPI_DATATYPE_NULL, send_types),
        ct_large_blocks(recv, recv_counts, recv_places, MPI_DATATYPE_NULL, recv_types), 0, comm, info,
        request);
}

INTERPOSED int MPI_Reduce_init_c(const void *send, void *recv, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                 int root, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return prepare_reduce(CT_COLLECTIVE_REDUCE, send, ct_large_side(recv, count, type), op, root, comm, info,
                          request);
}

INTERPOSED int MPI_Reduce_scatter_block_init_c(const void *send, void *recv, MPI_Count count,
                                               MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                               MPI_Request *request)
{
    return prepare_reduce(CT_COLLECTIVE_REDUCE_SCATTER_BLOCK, send, ct_large_side(recv, count, type), op, 0,
                          comm, info, request);
}

INTERPOSED int MPI_Reduce_scatter_init_c(const void *send, void *recv, const MPI_Count *counts,
                                         MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                         MPI_Request *request)
{
    return prepare_reduce(CT_COLLECTIVE_REDUCE_SCATTER, send, ct_large_blocks(recv, counts, NULL, type, NULL),
                          op, 0, comm, info, request);
}

INTERPOSED int MPI_Allreduce_init_c(const void *send, void *recv, MPI_Count count, MPI_Datatype type,
                                    MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return prepare_reduce(CT_COLLECTIVE_ALLREDUCE, send, ct_large_side(recv, count, type), op, 0, comm, info,
                          request);
}

INTERPOSED int MPI_Scan_init_c(const void *send, void *recv, MPI_Count count, MPI_Datatype type, MPI_Op op,
                               MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return prepare_reduce(CT_COLLECTIVE_SCAN, send, ct_large_side(recv, count, type), op, 0, comm, info,
                          request);
}

INTERPOSED int MPI_Exscan_init_c(const void *send, void *recv, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                 MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    return prepare_reduce(CT_COLLECTIVE_EXSCAN, send, ct_large_side(recv, count, type), op, 0, comm, info,
                          request);
}

#else

/* ISO C wants a declaration in every file. */
typedef int ct_interpose_persistent_nothing;

#endif
