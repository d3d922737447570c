/* SPDX-License-Identifier: BSD-3-Clause */
/* Non-blocking and persistent collectives of 8 bytes, begun and waited for at once, under a preloaded tuned
 * library: against its blocking ones, and against the MPI library's own. Wants COLLTUNE_NONBLOCKING=1. Usage:
 * bench_requests [BLOCKS REPETITIONS]. */
#include "tests/benchmarks/blocks.h"

#include <mpi.h>

/* What each rank sends and receives, and the persistent requests. */
struct calls {
    double in;
    double out;
    MPI_Request tuned_bcast;
    MPI_Request native_bcast;
    MPI_Request tuned_allreduce;
    MPI_Request native_allreduce;
};

static void bcast(void *context, size_t repetitions)
{
    struct calls *calls = context;
    for (size_t i = 0; i < repetitions; i++)
        MPI_Bcast(&calls->out, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void allreduce(void *context, size_t repetitions)
{
    struct calls *calls = context;
    for (size_t i = 0; i < repetitions; i++)
        MPI_Allreduce(&calls->in, &calls->out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void persistent(MPI_Request *request, size_t repetitions)
{
    for (size_t i = 0; i < repetitions; i++) {
        MPI_Start(request);
        MPI_Wait(request, MPI_STATUS_IGNORE);
    }
}

static void native_persistent(MPI_Request *request, size_t repetitions)
{
    for (size_t i = 0; i < repetitions; i++) {
        PMPI_Start(request);
        PMPI_Wait(request, MPI_STATUS_IGNORE);
    }
}

static void persistent_bcast(void *context, size_t repetitions)
{
    persistent(&((struct calls *)context)->tuned_bcast, repetitions);
}

static void native_persistent_bcast(void *context, size_t repetitions)
{
    native_persistent(&((struct calls *)context)->native_bcast, repetitions);
}

static void persistent_allreduce(void *context, size_t repetitions)
{
    persistent(&((struct calls *)context)->tuned_allreduce, repetitions);
}

static void native_persistent_allreduce(void *context, size_t repetitions)
{
    native_persistent(&((struct calls *)context)->native_allreduce, repetitions);
}

static void nonblocking_bcast(void *context, size_t repetitions)
{
    struct calls *calls = context;
    for (size_t i = 0; i < repetitions; i++) {
        MPI_Request request;
        MPI_Ibcast(&calls->out, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void native_nonblocking_bcast(void *context, size_t repetitions)
{
    struct calls *calls = context;
    for (size_t i = 0; i < repetitions; i++) {
        MPI_Request request;
        PMPI_Ibcast(&calls->out, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD, &request);
        PMPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void nonblocking_allreduce(void *context, size_t repetitions)
{
    struct calls *calls = context;
    for (size_t i = 0; i < repetitions; i++) {
        MPI_Request request;
        MPI_Iallreduce(&calls->in, &calls->out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void native_nonblocking_allreduce(void *context, size_t repetitions)
{
    struct calls *calls = context;
    for (size_t i = 0; i < repetitions; i++) {
        MPI_Request request;
        PMPI_Iallreduce(&calls->in, &calls->out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
        PMPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void make_requests(struct calls *calls)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Barrier(comm); /* from here on the library takes calls over */
    MPI_Bcast_init(&calls->out, 1, MPI_DOUBLE, 0, comm, MPI_INFO_NULL, &calls->tuned_bcast);
    MPI_Allreduce_init(&calls->in, &calls->out, 1, MPI_DOUBLE, MPI_SUM, comm, MPI_INFO_NULL,
                       &calls->tuned_allreduce);
    PMPI_Bcast_init(&calls->out, 1, MPI_DOUBLE, 0, comm, MPI_INFO_NULL, &calls->native_bcast);
    PMPI_Allreduce_init(&calls->in, &calls->out, 1, MPI_DOUBLE, MPI_SUM, comm, MPI_INFO_NULL,
                        &calls->native_allreduce);
}

int main(int argc, char **argv)
{
    static struct contender sets[][3] = {
        {{.name = "blocking bcast", .run = bcast},
         {.name = "persistent bcast", .run = persistent_bcast},
         {.name = "native persistent bcast", .run = native_persistent_bcast}},
        {{.name = "blocking bcast", .run = bcast},
         {.name = "non-blocking bcast", .run = nonblocking_bcast},
         {.name = "native non-blocking bcast", .run = native_nonblocking_bcast}},
        {{.name = "blocking allreduce", .run = allreduce},
         {.name = "persistent allreduce", .run = persistent_allreduce},
         {.name = "native persistent allreduce", .run = native_persistent_allreduce}},
        {{.name = "blocking allreduce", .run = allreduce},
         {.name = "non-blocking allreduce", .run = nonblocking_allreduce},
         {.name = "native non-blocking allreduce", .run = native_nonblocking_allreduce}}};
    struct calls calls = {.in = 1};
    struct blocks_size size = {300, 1000};
    int rank;
    blocks_read(argc, argv, &size);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    make_requests(&calls);
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        blocks_compare(sets[i], 3, &size, "8 bytes", rank, &calls);
    MPI_Request *requests[] = {&calls.tuned_bcast, &calls.native_bcast, &calls.tuned_allreduce,
                               &calls.native_allreduce};
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++)
        MPI_Request_free(requests[i]);
    MPI_Finalize();
    return 0;
}
