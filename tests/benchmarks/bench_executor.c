/* SPDX-License-Identifier: BSD-3-Clause */
/* A bcast on two ranks with alternating root: through plan and executor, by the same point-to-point calls
 * written by hand (non-blocking, and as a caller who knows it is a single message would), and native. */
#include "library/execute/channel.h"
#include "library/execute/executor.h"
#include "tests/benchmarks/blocks.h"

#include <stdio.h>

struct context {
    MPI_Comm comm;
    struct ct_channel *channel;
    struct ct_method method;
    int rank;
    size_t bytes;
    char *buffer;
};

static void by_plan(void *context, size_t repetitions)
{
    struct context *c = context;
    struct ct_operands operands = ct_broadcast(c->buffer, c->bytes, MPI_BYTE, 0);
    for (size_t i = 0; i < repetitions; i++) {
        operands.root = (int)(i & 1);
        ct_execute(c->channel, &c->method, &operands);
    }
}

static void by_hand(void *context, size_t repetitions)
{
    struct context *c = context;
    for (size_t i = 0; i < repetitions; i++) {
        MPI_Request request;
        if ((int)(i & 1) == c->rank)
            MPI_Isend(c->buffer, (int)c->bytes, MPI_BYTE, 1 - c->rank, 1, c->comm, &request);
        else
            MPI_Irecv(c->buffer, (int)c->bytes, MPI_BYTE, 1 - c->rank, 1, c->comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void by_blocking_hand(void *context, size_t repetitions)
{
    struct context *c = context;
    for (size_t i = 0; i < repetitions; i++) {
        if ((int)(i & 1) == c->rank)
            MPI_Send(c->buffer, (int)c->bytes, MPI_BYTE, 1 - c->rank, 1, c->comm);
        else
            MPI_Recv(c->buffer, (int)c->bytes, MPI_BYTE, 1 - c->rank, 1, c->comm, MPI_STATUS_IGNORE);
    }
}

static void natively(void *context, size_t repetitions)
{
    struct context *c = context;
    for (size_t i = 0; i < repetitions; i++)
        MPI_Bcast(c->buffer, (int)c->bytes, MPI_BYTE, (int)(i & 1), c->comm);
}

int main(int argc, char **argv)
{
    enum { BLOCKS = 400, LARGEST = 1 << 20 };
    static char buffer[LARGEST];
    static struct contender contenders[] = {{.name = "hand (non-blocking)", .run = by_hand},
                                            {.name = "plan and executor", .run = by_plan},
                                            {.name = "hand (blocking)", .run = by_blocking_hand},
                                            {.name = "native", .run = natively}};
    static const struct {
        size_t bytes;
        size_t repetitions;
    } sizes[] = {{8, 1000}, {64 << 10, 100}, {LARGEST, 4}};
    struct context context = {.comm = MPI_COMM_WORLD, .buffer = buffer};
    int size;
    MPI_Comm private_comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &context.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &private_comm);
    if (size != 2 || ct_channel_open(private_comm, CT_WAIT_SPIN, &context.channel) != MPI_SUCCESS ||
        ct_method_parse("bcast/binomial", CT_COLLECTIVES, NULL, &context.method) != CT_OK) {
        fprintf(stderr, "bench_executor: expected 2 ranks\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    enum { CONTENDERS = sizeof contenders / sizeof contenders[0] };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        context.bytes = sizes[i].bytes;
        blocks_repeat(contenders, CONTENDERS, sizes[i].repetitions);
        blocks_run(contenders, CONTENDERS, BLOCKS, &context);
        if (context.rank == 0) {
            printf("bcast of %zu bytes on 2 ranks, alternating root, %d blocks of %zu\n", sizes[i].bytes,
                   BLOCKS, sizes[i].repetitions);
            blocks_print(contenders, CONTENDERS, BLOCKS, 1e-6, "us");
        }
    }
    ct_channel_close(context.channel);
    MPI_Comm_free(&private_comm);
    MPI_Finalize();
    return 0;
}
