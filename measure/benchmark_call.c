/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark.h"

#include <stdlib.h>
#include <string.h>

/* Data-moving collectives carry bytes, reductions sum doubles. All values are whole and far below 2^53, so
 * that sums are exact in any order. */

enum { PATTERN = 251, STEPS = 1024 };

static unsigned char byte_at(size_t position)
{
    return (unsigned char)(1 + position % PATTERN);
}

/* What a rank puts in at a position: its square tells which ranks took part, the rest where it belongs. */
static double value_at(int rank, size_t position)
{
    double base = (double)rank + 1;
    return base * base + (double)(position % STEPS);
}

static double sum_at(size_t ranks, size_t position)
{
    double n = (double)ranks;
    return n * (n + 1) * (2 * n + 1) / 6 + n * (double)(position % STEPS);
}

/* By enum ct_collective. `fill` writes a rank's input and wipes the result. */
struct contents {
    bool one_buffer; /* the send buffer is not used */
    void (*fill)(struct ct_bench_call *call, int rank);
    bool (*right)(const struct ct_bench_call *call, int rank, size_t size);
};

static void fill_nothing(struct ct_bench_call *call, int rank)
{
    (void)call;
    (void)rank;
}

static bool right_nothing(const struct ct_bench_call *call, int rank, size_t size)
{
    (void)call;
    (void)rank;
    (void)size;
    return true;
}

static void fill_bcast(struct ct_bench_call *call, int rank)
{
    unsigned char *bytes = call->operands.recv;
    if (rank == call->operands.root)
        for (size_t i = 0; i < call->operands.count; i++)
            bytes[i] = byte_at(i);
    else
        memset(bytes, 0, call->operands.count);
}

static bool right_bcast(const struct ct_bench_call *call, int rank, size_t size)
{
    (void)rank;
    (void)size;
    const unsigned char *bytes = call->operands.recv;
    for (size_t i = 0; i < call->operands.count; i++)
        if (bytes[i] != byte_at(i))
            return false;
    return true;
}

static void fill_reduction(struct ct_bench_call *call, int rank)
{
    double *values = call->send;
    for (size_t i = 0; i < call->operands.count; i++)
        values[i] = value_at(rank, i);
    memset(call->recv, 0, call->operands.count * sizeof *values);
}

static bool right_sums(const struct ct_bench_call *call, size_t size)
{
    const double *values = call->operands.recv;
    for (size_t i = 0; i < call->operands.count; i++)
        if (values[i] != sum_at(size, i))
            return false;
    return true;
}

/* The input must have stayed as it was, too. */
static bool right_allreduce(const struct ct_bench_call *call, int rank, size_t size)
{
    const double *values = call->send;
    for (size_t i = 0; i < call->operands.count; i++)
        if (values[i] != value_at(rank, i))
            return false;
    return right_sums(call, size);
}

static bool right_reduce(const struct ct_bench_call *call, int rank, size_t size)
{
    return rank != call->operands.root || right_allreduce(call, rank, size);
}

static const struct contents contents[CT_COLLECTIVES] = {
    [CT_BARRIER] = {true, fill_nothing, right_nothing},
    [CT_BCAST] = {true, fill_bcast, right_bcast},
    [CT_REDUCE] = {false, fill_reduction, right_reduce},
    [CT_ALLREDUCE] = {false, fill_reduction, right_allreduce},
};

static void *allocate_pages(size_t bytes)
{
    void *memory;
    if (posix_memalign(&memory, 4096, bytes) != 0)
        ct_bench_abort("no memory for a message of %zu bytes", bytes);
    memset(memory, 0, bytes);
    return memory;
}

void ct_bench_call_make(struct ct_bench_call *call, const struct ct_job *job)
{
    size_t one = 1, two = 1;
    for (size_t i = 0; i < job->cell_count; i++) {
        const struct ct_job_cell *cell = &job->cells[i];
        one = cell->msg_bytes > one ? cell->msg_bytes : one;
        two = !contents[cell->collective].one_buffer && cell->msg_bytes > two ? cell->msg_bytes : two;
    }
    *call = (struct ct_bench_call){.send = allocate_pages(two), .recv = allocate_pages(one)};
}

void ct_bench_call_free(struct ct_bench_call *call)
{
    free(call->send);
    free(call->recv);
}

void ct_bench_call_set(struct ct_bench_call *call, enum ct_collective collective, size_t msg_bytes)
{
    bool reduces = ct_collectives[collective].reduces;
    call->bytes = msg_bytes;
    call->operands = (struct ct_operands){.send = contents[collective].one_buffer ? NULL : call->send,
                                          .recv = call->recv,
                                          .count = reduces ? msg_bytes / sizeof(double) : msg_bytes,
                                          .type = reduces ? MPI_DOUBLE : MPI_BYTE,
                                          .op = reduces ? MPI_SUM : MPI_OP_NULL,
                                          .root = 0};
}

void ct_bench_call_fill(struct ct_bench_call *call, enum ct_collective collective, int rank)
{
    contents[collective].fill(call, rank);
}

bool ct_bench_call_right(const struct ct_bench_call *call, enum ct_collective collective, int rank,
                         size_t size)
{
    return contents[collective].right(call, rank, size);
}

void ct_bench_run(const struct ct_bench_group *group, const struct ct_method *method,
                  const struct ct_operands *operands)
{
    ct_bench_check(method->algorithm->build
                       ? ct_execute(group->channel, method, operands)
                       : ct_native_call(method->algorithm->collective, operands, group->comm),
                   method->algorithm->name);
}
