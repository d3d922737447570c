/* SPDX-License-Identifier: BSD-3-Clause */
/* Non-blocking collectives. */
#include "library/interpose/interpose_internal.h"
#include "library/requests/requests.h"

#if !CT_SIMULATED

#define CT_SMALL(name, lower) PMPI_I##lower
#define CT_LARGE(name, lower) PMPI_I##lower##_c
#define CT_MORE               , request

static int call_native(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
                       MPI_Request *request)
{
#include "library/mpi/mpi_calls.def"
}

static int end_begun(int code, MPI_Comm comm)
{
    if (code != MPI_SUCCESS)
        PMPI_Comm_call_errhandler(comm, code);
    return code;
}

__attribute__((noinline)) static int begin_any(struct ct_flight_comm *flights, enum ct_collective collective,
                                               const struct ct_operands operands, MPI_Comm comm,
                                               MPI_Request *request)
{
    int code;
    return flights && ct_request_make(flights, collective, &operands, comm, false, &code, request)
               ? end_begun(code, comm)
               : call_native(collective, &operands, comm, request);
}

__attribute__((noinline)) static int repeat_begun(struct ct_flight_comm *flights,
                                                  const struct ct_known_call *known, void *send, void *recv,
                                                  bool is_large, MPI_Comm comm, MPI_Request *request)
{
    if (ct_request_repeat(flights, known, send, recv, is_large, comm, request))
        return MPI_SUCCESS;
    struct ct_operands operands = known->operands;
    operands.send.buffer = send;
    operands.recv.buffer = recv;
    operands.send.is_large = operands.recv.is_large = is_large;
    return begin_any(flights, known->collective, operands, comm, request);
}

/* The way in, inline in the function of each collective. As in blocking calls, the operands stay in registers
 * where the call repeats another one. */
static ALWAYS_INLINE int begin(enum ct_collective collective, bool reduces, struct ct_operands operands,
                               MPI_Comm comm, MPI_Request *request)
{
    struct ct_flight_comm *flights = ct_flight_comm_of(comm);
    if (flights && flights->code == MPI_SUCCESS && !ct_has_arrays(&operands)) {
        const struct ct_known_call *known = ct_known_call_find(flights->known[0], collective, &operands);
        if (ct_is_known_method(known, collective, reduces, &operands))
            return repeat_begun(flights, known, operands.send.buffer, operands.recv.buffer,
                                operands.recv.is_large, comm, request);
    }
    return begin_any(flights, collective, in_memory(operands), comm, request);
}

static ALWAYS_INLINE int begin_move(enum ct_collective collective, struct ct_side send, struct ct_side recv,
                                    int root, MPI_Comm comm, MPI_Request *request)
{
    const struct ct_operands operands = {.send = send, .recv = recv, .root = root};
    return begin(collective, false, operands, comm, request);
}

static ALWAYS_INLINE int begin_reduce(enum ct_collective collective, const void *send, struct ct_side recv,
                                      MPI_Op op, int root, MPI_Comm comm, MPI_Request *request)
{
    const struct ct_operands operands = {
        .send = {.buffer = (void *)send, .is_large = recv.is_large}, .recv = recv, .op = op, .root = root};
    return begin(collective, true, operands, comm, request);
}

int ct_interposed_begin(enum ct_collective collective, struct ct_side send, struct ct_side recv,
                        MPI_Comm comm, MPI_Request *request)
{
    return begin_move(collective, send, recv, 0, comm, request);
}

INTERPOSED int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    return begin_move(CT_COLLECTIVE_BARRIER, (struct ct_side){0}, (struct ct_side){0}, 0, comm, request);
}

INTERPOSED int MPI_Ibcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm,
                          MPI_Request *request)
{
    return begin_move(CT_COLLECTIVE_BCAST, (struct ct_side){0}, ct_small_side(buffer, count, type), root,
                      comm, request);
}

INTERPOSED int MPI_Iscatter(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                            int recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm,
                            MPI_Request *request)
{
    return begin_move(CT_COLLECTIVE_SCATTER, ct_small_side(send, send_count, send_type),
                      ct_small_side(recv, recv_count, recv_type), root, comm, request);
}

INTERPOSED int MPI_Iscatterv(const void *send, const int *send_counts, const int *send_places,
                             MPI_Datatype send_type, void *recv, int recv_count, MPI_Datatype recv_type,
                             int root, MPI_Comm comm, MPI_Request *request)
{
    return begin_move(CT_COLLECTIVE_SCATTERV,
                      ct_small_blocks(send, send_counts, send_places, send_type, NULL),
                      ct_small_side(recv, recv_count, recv_type), root, comm, request);
}

INTERPOSED int MPI_Igather(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                           int recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm,
                           MPI_Request *request)
{
    return begin_move(CT_COLLECTIVE_GATHER, ct_small_side(send, send_count, send_type),
                      ct_small_side(recv, recv_count, recv_type), root, comm, request);
}

INTERPOSED int MPI_Igatherv(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                            const int *recv_counts, const int *recv_places, MPI_Datatype recv_type, int root,
                            MPI_Comm comm, MPI_Request *request)
{
    return begin_move(CT_COLLECTIVE_GATHERV, ct_small_side(send, send_count, send_type),
                      ct_small_blocks(recv, recv_counts, recv_places, recv_type, NULL), root, comm, request);
}

INTERPOSED int MPI_Iallgather(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                              int recv_count, MPI_Datatype recv_type, MPI_Comm comm, MPI_Request *request)
{
    return begin_move(CT_COLLECTIVE_ALLGATHER, ct_small_side(send, send_count, send_type),
                      ct_small_side(recv, recv_count, recv_type), 0, comm, request);
}

INTERPOSED int MPI_Iallgatherv(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                               const int *recv_counts, const int *recv_places, MPI_Datatype recv_type,
                               MPI_Comm comm, MPI_Request *request)
{
    return begin_move(CT_COLLECTIVE_ALLGATHERV, ct_small_side(send, send_count, send_type),
                      ct_small_blocks(recv, recv_counts, recv_places, recv_type, NULL), 0, comm, request);
}

INTERPOSED int MPI_Ialltoall(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                             int recv_count, MPI_Datatype recv_type, MPI_Comm comm, MPI_Request *request)
{
    return begin_move(CT_COLLECTIVE_ALLTOALL, ct_small_side(send, send_count, send_type),
                      ct_small_side(recv, recv_count, recv_type), 0, comm, request);
}

INTERPOSED int MPI_Ialltoallv(const void *send, const int *send_counts, const int *send_places,
                              MPI_Datatype send_type, void *recv, const int *recv_counts,
                              const int *recv_places, MPI_Datatype recv_type, MPI_Comm comm,
                              MPI_Request *request)
{
    return begin_move(CT_COLLECTIVE_ALLTOALLV,
                      ct_small_blocks(send, send_counts, send_places, send_type, NULL),
                      ct_small_blocks(recv, recv_counts, recv_places, recv_type, NULL), 0, comm, request);
}

INTERPOSED int MPI_Ialltoallw(const void *send, const int *send_counts, const int *send_places,
                              const MPI_Datatype *send_types, void *recv, const int *recv_counts,
                              const int *recv_places, const MPI_Datatype *recv_types, MPI_Comm comm,
                              MPI_Request *request)
{
    return begin_move(CT_COLLECTIVE_ALLTOALLW,
                      ct_small_blocks(send, send_counts, send_places, MPI_DATATYPE_NULL, send_types),
                      ct_small_blocks(recv, recv_counts, recv_places, MPI_DATATYPE_NULL, recv_types), 0, comm,
                      request);
}

INTERPOSED int MPI_Ireduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, int root,
                           MPI_Comm comm, MPI_Request *request)
{
    return begin_reduce(CT_COLLECTIVE_REDUCE, send, ct_small_side(recv, count, type), op, root, comm,
                        request);
}

INTERPOSED int MPI_Ireduce_scatter_block(const void *send, void *recv, int count, MPI_Datatype type,
                                         MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    return begin_reduce(CT_COLLECTIVE_REDUCE_SCATTER_BLOCK, send, ct_small_side(recv, count, type), op, 0,
                        comm, request);
}

INTERPOSED int MPI_Ireduce_scatter(const void *send, void *recv, const int *counts, MPI_Datatype type,
                                   MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    return begin_reduce(CT_COLLECTIVE_REDUCE_SCATTER, send, ct_small_blocks(recv, counts, NULL, type, NULL),
                        op, 0, comm, request);
}

INTERPOSED int MPI_Iallreduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op,
                              MPI_Comm comm, MPI_Request *request)
{
    return begin_reduce(CT_COLLECTIVE_ALLREDUCE, send, ct_small_side(recv, count, type), op, 0, comm,
                        request);
}

INTERPOSED int MPI_Iscan(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                         MPI_Request *request)
{
    return begin_reduce(CT_COLLECTIVE_SCAN, send, ct_small_side(recv, count, type), op, 0, comm, request);
}

INTERPOSED int MPI_Iexscan(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op,
                           MPI_Comm comm, MPI_Request *request)
{
    return begin_reduce(CT_COLLECTIVE_EXSCAN, send, ct_small_side(recv, count, type), op, 0, comm, request);
}

#if CT_HAS_LARGE_FORMS

INTERPOSED int MPI_Ibcast_c(void *buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm,
                            MPI_Request *request)
{
    return begin_move(CT_COLLECTIVE_BCAST, (struct ct_side){0}, ct_large_side(buffer, count, type), root,
                      comm, request);
}

INTERPOSED int MPI_Iscatter_c(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                              MPI_Count recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm,
                              MPI_Request *request)
{
    return begin_move(CT_COLLECTIVE_SCATTER, ct_large_side(send, send_count, send_type),
                      ct_large_side(recv, recv_count, recv_type), root, comm, request);
}

INTERPOSED int MPI_Iscatterv_c(const void *send, const MPI_Count *send_counts, const MPI_Aint *send_places,
                               MPI_Datatype send_type, void *recv, MPI_Count recv_count,
                               MPI_Datatype recv_type, int root, MPI_Comm comm, MPI_Request *request)
{
    return begin_move(CT_COLLECTIVE_SCATTERV,
                      ct_large_blocks(send, send_counts, send_places, send_type, NULL),
                      ct_large_side(recv, recv_count, recv_type), root, comm, request);
}

INTERPOSED int MPI_Igather_c(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                             MPI_Count recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm,
                             MPI_Request *request)
{
    return begin_move(CT_COLLECTIVE_GATHER, ct_large_side(send, send_count, send_type),
                      ct_large_side(recv, recv_count, recv_type), root, comm, request);
}

INTERPOSED int MPI_Igatherv_c(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                              const MPI_Count *recv_counts, const MPI_Aint *recv_places,
                              MPI_Datatype recv_type, int root, MPI_Comm comm, MPI_Request *request)
{
    return begin_move(CT_COLLECTIVE_GATHERV, ct_large_side(send, send_count, send_type),
                      ct_large_blocks(recv, recv_counts, recv_places, recv_type, NULL), root, comm, request);
}

INTERPOSED int MPI_Iallgather_c(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                                MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm,
                                MPI_Request *request)
{
    return begin_move(CT_COLLECTIVE_ALLGATHER, ct_large_side(send, send_count, send_type),
                      ct_large_side(recv, recv_count, recv_type), 0, comm, request);
}

INTERPOSED int MPI_Iallgatherv_c(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                                 const MPI_Count *recv_counts, const MPI_Aint *recv_places,
                                 MPI_Datatype recv_type, MPI_Comm comm, MPI_Request *request)
{
    return begin_move(CT_COLLECTIVE_ALLGATHERV, ct_large_side(send, send_count, send_type),
                      ct_large_blocks(recv, recv_counts, recv_places, recv_type, NULL), 0, comm, request);
}

INTERPOSED int MPI_Ialltoall_c(const void *send, MPI_Count send_count, MPI_Datatype send_type, void *recv,
                               MPI_Count recv_count, MPI_Datatype recv_type, MPI_Comm comm,
                               MPI_Request *request)
{
    return begin_move(CT_COLLECTIVE_ALLTOALL, ct_large_side(send, send_count, send_type),
                      ct_large_side(recv, recv_count, recv_type), 0, comm, request);
}

INTERPOSED int MPI_Ialltoallv_c(const void *send, const MPI_Count *send_counts, const MPI_Aint *send_places,
                                MPI_Datatype send_type, void *recv, const MPI_Count *recv_counts,
                                const MPI_Aint *recv_places, MPI_Datatype recv_type, MPI_Comm comm,
                                MPI_Request *request)
{
    return begin_move(CT_COLLECTIVE_ALLTOALLV,
                      ct_large_blocks(send, send_counts, send_places, send_type, NULL),
                      ct_large_blocks(recv, recv_counts, recv_places, recv_type, NULL), 0, comm, request);
}

INTERPOSED int MPI_Ialltoallw_c(const void *send, const MPI_Count *send_counts, const MPI_Aint *send_places,
                                const MPI_Datatype *send_types, void *recv, const MPI_Count *recv_counts,
                                const MPI_Aint *recv_places, const MPI_Datatype *recv_types, MPI_Comm comm,
                                MPI_Request *request)
{
    return begin_move(CT_COLLECTIVE_ALLTOALLW,
                      ct_large_blocks(send, send_counts, send_places, MPI_DATATYPE_NULL, send_types),
                      ct_large_blocks(recv, recv_counts, recv_places, MPI_DATATYPE_NULL, recv_types), 0, comm,
                      request);
}

INTERPOSED int MPI_Ireduce_c(const void *send, void *recv, MPI_Count count, MPI_Datatype type, MPI_Op op,
                             int root, MPI_Comm comm, MPI_Request *request)
{
    return begin_reduce(CT_COLLECTIVE_REDUCE, send, ct_large_side(recv, count, type), op, root, comm,
                        request);
}

INTERPOSED int MPI_Ireduce_scatter_block_c(const void *send, void *recv, MPI_Count count, MPI_Datatype type,
                                           MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    return begin_reduce(CT_COLLECTIVE_REDUCE_SCATTER_BLOCK, send, ct_large_side(recv, count, type), op, 0,
                        comm, request);
}

INTERPOSED int MPI_Ireduce_scatter_c(const void *send, void *recv, const MPI_Count *counts, MPI_Datatype type,
                                     MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    return begin_reduce(CT_COLLECTIVE_REDUCE_SCATTER, send, ct_large_blocks(recv, counts, NULL, type, NULL),
                        op, 0, comm, request);
}

INTERPOSED int MPI_Iallreduce_c(const void *send, void *recv, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                MPI_Comm comm, MPI_Request *request)
{
    return begin_reduce(CT_COLLECTIVE_ALLREDUCE, send, ct_large_side(recv, count, type), op, 0, comm,
                        request);
}

INTERPOSED int MPI_Iscan_c(const void *send, void *recv, MPI_Count count, MPI_Datatype type, MPI_Op op,
                           MPI_Comm comm, MPI_Request *request)
{
    return begin_reduce(CT_COLLECTIVE_SCAN, send, ct_large_side(recv, count, type), op, 0, comm, request);
}

INTERPOSED int MPI_Iexscan_c(const void *send, void *recv, MPI_Count count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm, MPI_Request *request)
{
    return begin_reduce(CT_COLLECTIVE_EXSCAN, send, ct_large_side(recv, count, type), op, 0, comm, request);
}

#endif

#else

/* ISO C wants a declaration in every file. */
typedef int ct_interpose_nonblocking_nothing;

#endif
