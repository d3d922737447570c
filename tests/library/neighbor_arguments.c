/* SPDX-License-Identifier: BSD-3-Clause */
#include "neighbor_arguments.h"

const char *const neighbor_names[COLLECTIVES] = {"neighbor_allgather", "neighbor_allgatherv",
                                                 "neighbor_alltoall", "neighbor_alltoallv",
                                                 "neighbor_alltoallw"};

static int length_between(const struct arguments *args, int from, int to, int round)
{
    return from < 0 || to < 0 ? 1 : (from * 3 + to * 5 + round + (from == args->longer_from)) % LENGTH_MOST;
}

void set_arguments(struct arguments *args, int collective, int round, MPI_Datatype type)
{
    const struct neighbors *near = &args->neighbors;
    const int gathers = collective == ALLGATHERV;
    MPI_Aint lb, extent;
    MPI_Type_get_extent(type, &lb, &extent);
    args->collective = collective;
    args->type = type;
    args->count = gathers ? length_between(args, near->rank, 0, round) : 1 + round % LENGTH_MOST;
    for (int i = 0; i < BLOCKS_MOST; i++) {
        args->types[i] = type;
        args->send_counts[i] =
            i < near->out ? length_between(args, near->rank, near->destinations[i], round) : 0;
        args->recv_counts[i] =
            i < near->in ? length_between(args, near->sources[i], gathers ? 0 : near->rank, round) : 0;
        /* Blocks lie in another order than neighbors. */
        args->send_places[i] = (near->out > 0 ? (i * 7 + 1) % BLOCKS_MOST : 0) * LENGTH_MOST;
        args->recv_places[i] = (near->in > 0 ? (i * 5 + 2) % BLOCKS_MOST : 0) * LENGTH_MOST;
        args->send_bytes[i] = args->send_places[i] * extent;
        args->recv_bytes[i] = args->recv_places[i] * extent;
    }
    for (int i = 0; i < ROOM; i++)
        args->send[i] = near->rank * ROOM + i;
}

/* Receives and sends are posted in the order of the neighbors. MPICH 4.0.2 takes several edges between two
 * ranks in another order (MPI 4.0, section 8.6, has them in that of the lists). In a Cartesian grid, what is
 * sent in one direction arrives from the other. */
void call_by_hand(const struct arguments *args, int *recv, MPI_Comm comm)
{
    const struct neighbors *near = &args->neighbors;
    const int collective = args->collective, gathers = collective <= ALLGATHERV;
    const int is_regular = collective == ALLGATHER || collective == ALLTOALL;
    MPI_Request requests[2 * BLOCKS_MOST];
    MPI_Aint lb, extent;
    int kind, count = 0;
    MPI_Topo_test(comm, &kind);
    MPI_Type_get_extent(args->type, &lb, &extent);
    for (int i = 0; i < near->in; i++) {
        MPI_Aint place = is_regular ? i * args->count * extent : args->recv_bytes[i];
        int length = is_regular ? args->count : args->recv_counts[i];
        PMPI_Irecv((char *)recv + place, length, args->type, near->sources[i], kind == MPI_CART ? i ^ 1 : 0,
                   comm, &requests[count++]);
    }
    for (int i = 0; i < near->out; i++) {
        MPI_Aint place = gathers                  ? 0
                         : collective == ALLTOALL ? i * args->count * extent
                                                  : args->send_bytes[i];
        int length = gathers || collective == ALLTOALL ? args->count : args->send_counts[i];
        PMPI_Isend((const char *)args->send + place, length, args->type, near->destinations[i],
                   kind == MPI_CART ? i : 0, comm, &requests[count++]);
    }
    PMPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

static int call_blocking(const struct arguments *args, int *recv, MPI_Comm comm)
{
    switch (args->collective) {
    case ALLGATHER:
        return MPI_Neighbor_allgather(args->send, args->count, args->type, recv, args->count, args->type,
                                      comm);
    case ALLGATHERV:
        return MPI_Neighbor_allgatherv(args->send, args->count, args->type, recv, args->recv_counts,
                                       args->recv_places, args->type, comm);
    case ALLTOALL:
        return MPI_Neighbor_alltoall(args->send, args->count, args->type, recv, args->count, args->type,
                                     comm);
    case ALLTOALLV:
        return MPI_Neighbor_alltoallv(args->send, args->send_counts, args->send_places, args->type, recv,
                                      args->recv_counts, args->recv_places, args->type, comm);
    default:
        return MPI_Neighbor_alltoallw(args->send, args->send_counts, args->send_bytes, args->types, recv,
                                      args->recv_counts, args->recv_bytes, args->types, comm);
    }
}

static int begin(const struct arguments *args, int *recv, MPI_Comm comm, MPI_Request *request)
{
    switch (args->collective) {
    case ALLGATHER:
        return MPI_Ineighbor_allgather(args->send, args->count, args->type, recv, args->count, args->type,
                                       comm, request);
    case ALLGATHERV:
        return MPI_Ineighbor_allgatherv(args->send, args->count, args->type, recv, args->recv_counts,
                                        args->recv_places, args->type, comm, request);
    case ALLTOALL:
        return MPI_Ineighbor_alltoall(args->send, args->count, args->type, recv, args->count, args->type,
                                      comm, request);
    case ALLTOALLV:
        return MPI_Ineighbor_alltoallv(args->send, args->send_counts, args->send_places, args->type, recv,
                                       args->recv_counts, args->recv_places, args->type, comm, request);
    default:
        return MPI_Ineighbor_alltoallw(args->send, args->send_counts, args->send_bytes, args->types, recv,
                                       args->recv_counts, args->recv_bytes, args->types, comm, request);
    }
}

#if MPI_VERSION >= 4
static int prepare(const struct arguments *args, int *recv, MPI_Comm comm, MPI_Request *request)
{
    const MPI_Info info = MPI_INFO_NULL;
    switch (args->collective) {
    case ALLGATHER:
        return MPI_Neighbor_allgather_init(args->send, args->count, args->type, recv, args->count, args->type,
                                           comm, info, request);
    case ALLGATHERV:
        return MPI_Neighbor_allgatherv_init(args->send, args->count, args->type, recv, args->recv_counts,
                                            args->recv_places, args->type, comm, info, request);
    case ALLTOALL:
        return MPI_Neighbor_alltoall_init(args->send, args->count, args->type, recv, args->count, args->type,
                                          comm, info, request);
    case ALLTOALLV:
        return MPI_Neighbor_alltoallv_init(args->send, args->send_counts, args->send_places, args->type, recv,
                                           args->recv_counts, args->recv_places, args->type, comm, info,
                                           request);
    default:
        return MPI_Neighbor_alltoallw_init(args->send, args->send_counts, args->send_bytes, args->types, recv,
                                           args->recv_counts, args->recv_bytes, args->types, comm, info,
                                           request);
    }
}
#endif

int call_tuned(const struct arguments *args, int mode, int *recv, MPI_Comm comm)
{
    MPI_Request request;
    int code = MPI_SUCCESS;
    if (mode == BLOCKING)
        return call_blocking(args, recv, comm);
    if (mode == NONBLOCKING) {
        code = begin(args, recv, comm, &request);
        return code == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : code;
    }
#if MPI_VERSION >= 4
    code = prepare(args, recv, comm, &request);
    for (int i = 0; i < 3 && code == MPI_SUCCESS; i++) {
        code = MPI_Start(&request);
        if (code == MPI_SUCCESS)
            code = MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (code == MPI_SUCCESS)
        code = MPI_Request_free(&request);
#else
    code = call_blocking(args, recv, comm);
#endif
    return code;
}
