/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "library/backend_mpi.h"
#include "measure/benchmark/benchmark.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Calls, their buffers and the check of their results. Data-moving collectives carry bytes, reductions sum
 * doubles. All values are whole and far below 2^53, so that sums are exact in any order. Inputs and expected
 * results follow from the description of the collective. */

enum { PATTERN = 251, STEPS = 1024, CACHE_LINE = 64 };

/* Bytes of the mean block of a collective without a message size. */
enum { UNSIZED_BLOCK = 1024 };

/* The byte that `origin` has for `to` (0 if it has the same for all). */
static unsigned char byte_at(int origin, int to, size_t position)
{
    return (unsigned char)(1 + ((size_t)origin * 31 + (size_t)to * 17 + position) % PATTERN);
}

/* A rank's input at a position: the square shows which ranks took part, the rest the position. */
static double value_at(int rank, size_t position)
{
    double base = (double)rank + 1;
    return base * base + (double)(position % STEPS);
}

/* The sum over the first `ranks` ranks. */
static double sum_at(size_t ranks, size_t position)
{
    double n = (double)ranks;
    return n * (n + 1) * (2 * n + 1) / 6 + n * (double)(position % STEPS);
}

static size_t unit_of(const struct ct_collective_description *about)
{
    return about->reduces ? sizeof(double) : 1;
}

/* Elements of the mean block, or of the whole. */
static size_t mean_of(const struct ct_collective_description *about, size_t msg_bytes)
{
    if (!about->has_data)
        return 0;
    return (about->has_size ? msg_bytes : UNSIZED_BLOCK) / unit_of(about);
}

/* Blocks that vary are alternately half as long and half as long again as the mean. */
static size_t length_of(const struct ct_collective_description *about, size_t mean, int block, int last)
{
    if (!about->varies || (block == last && block % 2 == 0))
        return mean;
    return block % 2 == 0 ? mean - mean / 2 : mean + mean / 2;
}

/* Elements from rank to rank. */
static size_t block_length(const struct ct_bench_call *call, int from, int to)
{
    const struct ct_collective_description *about = &ct_collectives[call->collective];
    int last = call->size - 1;
    if (about->input[0] == CT_CONTENTS_PARTS && about->result[0] == CT_CONTENTS_PARTS_OF_EACH)
        return length_of(about, call->mean, (from + to) % 2, 1);
    return length_of(about, call->mean, about->input[0] == CT_CONTENTS_PARTS ? to : from, last);
}

/* Most bytes that one of the buffers of a cell needs. */
static size_t room_for(const struct ct_job_cell *cell, enum ct_contents contents)
{
    const struct ct_collective_description *about = &ct_collectives[cell->collective];
    size_t mean = mean_of(about, cell->key.msg_bytes), bytes;
    size_t blocks = ct_contents_are_many(contents) ? cell->key.comm_size : 1;
    if (!ct_multiply(2 * mean * unit_of(about), blocks, &bytes) || (about->varies && bytes > INT_MAX))
        ct_bench_abort("messages of %zu bytes on %u ranks are too long", cell->key.msg_bytes,
                       cell->key.comm_size);
    return about->varies ? bytes : bytes / 2;
}

void ct_bench_call_make(struct ct_bench_call *call, const struct ct_job *job)
{
    size_t most_send = 1, most_recv = 1, ranks = 1;
    for (size_t i = 0; i < job->cell_count; i++) {
        const struct ct_job_cell *cell = &job->cells[i];
        const struct ct_collective_description *about = &ct_collectives[cell->collective];
        if (about->is_sparse) /* its calls have memory of their own */
            continue;
        size_t send = room_for(cell, about->input[0]), recv = room_for(cell, about->result[0]);
        most_send = !about->one_buffer && send > most_send ? send : most_send;
        most_recv = recv > most_recv ? recv : most_recv;
        ranks = cell->key.comm_size > ranks ? cell->key.comm_size : ranks;
    }
    *call = (struct ct_bench_call){.send = ct_bench_allocate_pages(most_send),
                                   .recv = ct_bench_allocate_pages(most_recv)};
    for (int side = 0; side < 2; side++) {
        call->counts[side] = ct_bench_allocate_pages(ranks * sizeof *call->counts[side]);
        call->places[side] = ct_bench_allocate_pages((ranks + 1) * sizeof *call->places[side]);
    }
    call->types = ct_bench_allocate_pages(ranks * sizeof *call->types);
    for (size_t i = 0; i < ranks; i++)
        call->types[i] = MPI_BYTE;
}

void ct_bench_call_free(struct ct_bench_call *call)
{
    for (int side = 0; side < 2; side++) {
        free(call->counts[side]);
        free(call->places[side]);
    }
    free(call->types);
    free(call->send);
    free(call->recv);
}

/* One side's arguments: one block, equal blocks, or blocks that vary. */
static void set_side(struct ct_bench_call *call, unsigned which, enum ct_contents contents,
                     struct ct_side *side)
{
    const struct ct_collective_description *about = &ct_collectives[call->collective];
    bool many = ct_contents_are_many(contents), sends = which == CT_BUFFER_SEND;
    side->type = about->reduces ? MPI_DOUBLE : MPI_BYTE;
    side->count = about->reduces || !about->varies ? call->mean : block_length(call, call->rank, call->rank);
    if (!many || !about->varies)
        return;
    int *counts = call->counts[which], *places = call->places[which];
    places[0] = 0;
    for (int i = 0; i < call->size; i++) {
        counts[i] = (int)(sends ? block_length(call, call->rank, i) : block_length(call, i, call->rank));
        places[i + 1] = places[i] + counts[i];
    }
    side->counts = counts;
    side->displacements = places;
    side->types = call->collective == CT_COLLECTIVE_ALLTOALLW ? call->types : NULL;
}

void ct_bench_call_set(struct ct_bench_call *call, enum ct_collective collective, size_t msg_bytes, int rank,
                       int size)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    bool elsewhere = about->has_root && rank != 0;
    call->collective = collective;
    call->rank = rank;
    call->size = size;
    call->mean = mean_of(about, msg_bytes);
    call->operands =
        (struct ct_operands){.recv.buffer = call->recv, .op = about->reduces ? MPI_SUM : MPI_OP_NULL};
    if (!about->one_buffer)
        call->operands.send.buffer = call->send;
    set_side(call, CT_BUFFER_SEND, about->input[elsewhere], &call->operands.send);
    set_side(call, CT_BUFFER_RECV, about->result[elsewhere], &call->operands.recv);
    if (about->reduces && about->varies) { /* the counts are those of the input's parts */
        set_side(call, CT_BUFFER_SEND, CT_CONTENTS_PARTS, &call->operands.recv);
        call->operands.recv.displacements = NULL;
    }
}

/* --- sparse collectives, whose blocks lie end to end --- */

static bool sends_one(const struct ct_bench_call *call)
{
    return ct_collectives[call->collective].input[0] == CT_CONTENTS_OWN;
}

static void fill_sparse(struct ct_bench_call *call)
{
    const struct ct_neighbors *neighbors = call->neighbors;
    const bool one = sends_one(call);
    unsigned char *bytes = call->send;
    size_t received = 0;
    for (size_t i = 0; i < neighbors->in_count; i++)
        received += neighbors->in_lengths[i];
    memset(call->recv, 0, received);
    for (size_t i = 0; i < (one ? 1 : neighbors->out_count); i++) {
        const size_t length = one ? call->operands.send.count : neighbors->out_lengths[i];
        for (size_t k = 0; k < length; k++)
            *bytes++ = byte_at(call->rank, one ? 0 : neighbors->out[i], k);
    }
}

static bool is_sparse_right(const struct ct_bench_call *call)
{
    const struct ct_neighbors *neighbors = call->neighbors;
    const unsigned char *bytes = call->recv;
    const int to = sends_one(call) ? 0 : call->rank;
    for (size_t i = 0; i < neighbors->in_count; i++)
        for (size_t k = 0; k < neighbors->in_lengths[i]; k++)
            if (*bytes++ != byte_at(neighbors->in[i], to, k))
                return false;
    return true;
}

/* --- all --- */

/* Elements before block `i` of a side. */
static size_t begin_of(const struct ct_bench_call *call, unsigned which, bool is_varied, int i)
{
    return is_varied ? (size_t)call->places[which][i] : (size_t)i * call->mean;
}

static enum ct_contents input_of(const struct ct_bench_call *call)
{
    const struct ct_collective_description *about = &ct_collectives[call->collective];
    return about->input[about->has_root && call->rank != 0];
}

static size_t bytes_of_input(const struct ct_bench_call *call)
{
    const struct ct_collective_description *about = &ct_collectives[call->collective];
    const enum ct_contents input = input_of(call);
    if (call->neighbors)
        return call->sent;
    if (!about->has_data || input == CT_CONTENTS_NOTHING)
        return 0;
    const size_t elements = ct_contents_are_many(input)
                                ? begin_of(call, CT_BUFFER_SEND, about->varies, call->size)
                                : block_length(call, call->rank, call->rank);
    return elements * unit_of(about);
}

/* Writes the input of this rank to where the collective wants it. */
void ct_bench_call_fill(struct ct_bench_call *call)
{
    if (call->neighbors) {
        fill_sparse(call);
        return;
    }
    const struct ct_collective_description *about = &ct_collectives[call->collective];
    enum ct_contents input = input_of(call), result = about->result[about->has_root && call->rank != 0];
    int blocks = ct_contents_are_many(input) ? call->size : 1;
    bool varied = about->varies && ct_contents_are_many(input);
    if (about->has_data && result != CT_CONTENTS_NOTHING) {
        int results = ct_contents_are_many(result) ? call->size : 1;
        size_t elements = results == 1 ? block_length(call, call->rank, call->rank)
                                       : begin_of(call, CT_BUFFER_RECV, about->varies, results);
        memset(call->recv, 0, elements * unit_of(about));
    }
    if (input == CT_CONTENTS_NOTHING)
        return;
    unsigned char *bytes = about->one_buffer ? call->recv : call->send;
    double *values = call->send;
    for (int i = 0; i < blocks; i++) {
        int to = input == CT_CONTENTS_PARTS ? i : 0;
        size_t begin = begin_of(call, CT_BUFFER_SEND, varied, i);
        size_t length = input == CT_CONTENTS_PARTS ? block_length(call, call->rank, i)
                                                   : block_length(call, call->rank, call->rank);
        for (size_t k = 0; k < length; k++)
            if (about->reduces)
                values[begin + k] = value_at(call->rank, begin + k);
            else
                bytes[begin + k] = byte_at(call->rank, to, k);
    }
}

void ct_bench_call_write(const struct ct_bench_call *call)
{
    const struct ct_collective_description *about = &ct_collectives[call->collective];
    volatile unsigned char *bytes = about->one_buffer ? call->recv : call->send;
    const size_t length = bytes_of_input(call);
    for (size_t i = 0; !CT_SIMULATED && i < length; i += CACHE_LINE)
        bytes[i] = bytes[i];
}

/* Block `i` of a data mover's result. */
static bool right_bytes(const struct ct_bench_call *call, enum ct_contents result, int i)
{
    const struct ct_collective_description *about = &ct_collectives[call->collective];
    bool many = ct_contents_are_many(result);
    int origin = many ? i : 0,
        to = result == CT_CONTENTS_PART_OF_ROOT || result == CT_CONTENTS_PARTS_OF_EACH ? call->rank : 0;
    const unsigned char *bytes =
        (const unsigned char *)call->recv + begin_of(call, CT_BUFFER_RECV, about->varies && many, i);
    size_t length =
        result == CT_CONTENTS_OF_EACH ? block_length(call, i, call->rank) : block_length(call, origin, to);
    for (size_t k = 0; k < length; k++)
        if (bytes[k] != byte_at(origin, to, k))
            return false;
    return true;
}

static bool right_sums(const struct ct_bench_call *call, enum ct_contents result)
{
    bool is_part = result == CT_CONTENTS_PART_OF_ALL;
    bool varies = ct_collectives[call->collective].varies;
    size_t begin = is_part ? begin_of(call, CT_BUFFER_SEND, varies, call->rank) : 0;
    size_t ranks = (size_t)call->size, length = block_length(call, call->rank, call->rank);
    const double *values = call->recv;
    if (result == CT_CONTENTS_OF_FIRST || result == CT_CONTENTS_OF_EARLIER)
        ranks = (size_t)call->rank + (result == CT_CONTENTS_OF_FIRST);
    for (size_t k = 0; ranks > 0 && k < length; k++)
        if (values[k] != sum_at(ranks, begin + k))
            return false;
    return true;
}

/* The input of a reduction must have stayed as it was. */
static bool input_kept(const struct ct_bench_call *call, enum ct_contents input)
{
    const double *values = call->send;
    size_t length = block_length(call, call->rank, call->rank);
    if (input == CT_CONTENTS_PARTS)
        length = begin_of(call, CT_BUFFER_SEND, ct_collectives[call->collective].varies, call->size);
    for (size_t k = 0; k < length; k++)
        if (values[k] != value_at(call->rank, k))
            return false;
    return true;
}

bool ct_bench_call_right(const struct ct_bench_call *call)
{
    if (call->neighbors)
        return is_sparse_right(call);
    const struct ct_collective_description *about = &ct_collectives[call->collective];
    bool elsewhere = about->has_root && call->rank != 0;
    enum ct_contents result = about->result[elsewhere];
    if (!about->has_data)
        return true;
    if (about->reduces && !input_kept(call, about->input[elsewhere]))
        return false;
    if (result == CT_CONTENTS_NOTHING)
        return true;
    if (about->reduces)
        return right_sums(call, result);
    for (int i = 0; i < (ct_contents_are_many(result) ? call->size : 1); i++)
        if (!right_bytes(call, result, i))
            return false;
    return true;
}

void ct_bench_run(const struct ct_bench_group *group, const struct ct_method *method,
                  const struct ct_operands *operands)
{
    ct_bench_check(ct_execute(group->channel, method, operands), method->algorithm->name);
}
