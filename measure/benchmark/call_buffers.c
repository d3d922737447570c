/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/call_buffers.h"
#include "base/memory.h"
#include "library/mpi/backend_mpi.h"
#include "measure/benchmark/charged_operation.h"
#include "measure/benchmark/operand_types.h"
#include "measure/benchmark/program.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Calls, their buffers and the check of their results. Inputs and expected results follow from the
 * description of the collective, the datatype and the operation. */

enum { PATTERN = 251, CACHE_LINE = 64 };

/* Bytes of the mean block of a collective without a message size. */
enum { UNSIZED_BLOCK = 1024 };

/* The byte that `origin` has for `to` (0 if it has the same for all). */
static unsigned char byte_at(int origin, int to, size_t position)
{
    return (unsigned char)(1 + ((size_t)origin * 31 + (size_t)to * 17 + position) % PATTERN);
}

static const struct ct_data_type_description *type_of(const struct ct_bench_call *call)
{
    return &ct_data_types[call->type];
}

/* Elements of the mean block, or of the whole. */
static size_t mean_of(const struct ct_collective_description *about, enum ct_data_type type, size_t msg_bytes)
{
    if (!about->has_data)
        return 0;
    return (about->has_size ? msg_bytes : UNSIZED_BLOCK) / ct_data_types[type].bytes;
}

/* Elements from rank to rank. */
static size_t block_length(const struct ct_bench_call *call, int from, int to)
{
    return ct_block_length(call->collective, call->mean, from, to, call->size);
}

/* Most bytes that one of the buffers of a cell needs. */
static size_t room_for(const struct ct_job *job, const struct ct_job_cell *cell, enum ct_contents contents)
{
    const struct ct_collective_description *about = &ct_collectives[cell->collective];
    const enum ct_data_type type = ct_data_type_of(cell->collective, job->datatype, job->operation);
    size_t mean = mean_of(about, type, cell->key.msg_bytes), bytes;
    size_t blocks = ct_contents_are_many(contents) ? cell->key.comm_size : 1;
    if (!ct_multiply(2 * mean * ct_data_types[type].extent, blocks, &bytes) ||
        (about->varies && bytes > INT_MAX))
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
        size_t send = room_for(job, cell, about->input[0]), recv = room_for(job, cell, about->result[0]);
        most_send = !about->one_buffer && send > most_send ? send : most_send;
        most_recv = recv > most_recv ? recv : most_recv;
        ranks = cell->key.comm_size > ranks ? cell->key.comm_size : ranks;
    }
    *call = (struct ct_bench_call){.asked = job->datatype,
                                   .operation = job->operation,
                                   .op = ct_bench_op_make(job->operation, job->datatype),
                                   .send = ct_bench_allocate_pages(most_send),
                                   .recv = ct_bench_allocate_pages(most_recv)};
    call->charged_op = ct_bench_charged_op_make(call->op, ct_operations[job->operation].commutes);
    for (int type = 0; type < CT_DATA_TYPES; type++)
        call->made[type] = ct_bench_type_make((enum ct_data_type)type);
    for (int side = 0; side < 2; side++) {
        call->counts[side] = ct_bench_allocate_pages(ranks * sizeof *call->counts[side]);
        call->places[side] = ct_bench_allocate_pages((ranks + 1) * sizeof *call->places[side]);
    }
    call->types = ct_bench_allocate_pages(ranks * sizeof *call->types);
    for (size_t i = 0; i < ranks; i++)
        call->types[i] = call->made[job->datatype];
}

void ct_bench_call_free(struct ct_bench_call *call)
{
    for (int side = 0; side < 2; side++) {
        free(call->counts[side]);
        free(call->places[side]);
    }
    for (int type = 0; type < CT_DATA_TYPES; type++)
        ct_bench_type_free((enum ct_data_type)type, &call->made[type]);
    ct_bench_charged_op_free(&call->charged_op);
    ct_bench_op_free(call->operation, &call->op);
    free(call->types);
    free(call->send);
    free(call->recv);
}

struct ct_operands ct_bench_call_operands(const struct ct_bench_call *call, bool native)
{
    struct ct_operands operands = call->operands;
    if (native && ct_collectives[call->collective].reduces)
        operands.op = call->charged_op;
    return operands;
}

/* Displacements are in elements, of alltoallw in bytes. */
static int unit_of_places(const struct ct_bench_call *call)
{
    return call->collective == CT_COLLECTIVE_ALLTOALLW ? (int)type_of(call)->extent : 1;
}

/* One side's arguments: one block, equal blocks, or blocks that vary. */
static void set_side(struct ct_bench_call *call, unsigned which, enum ct_contents contents,
                     struct ct_side *side)
{
    const struct ct_collective_description *about = &ct_collectives[call->collective];
    bool many = ct_contents_are_many(contents), sends = which == CT_BUFFER_SEND;
    side->type = call->made[call->type];
    side->count = about->reduces || !about->varies ? call->mean : block_length(call, call->rank, call->rank);
    if (!many || !about->varies)
        return;
    int *counts = call->counts[which], *places = call->places[which];
    const int unit = unit_of_places(call);
    places[0] = 0;
    for (int i = 0; i < call->size; i++) {
        counts[i] = (int)(sends ? block_length(call, call->rank, i) : block_length(call, i, call->rank));
        places[i + 1] = places[i] + counts[i] * unit;
    }
    side->counts = counts;
    side->displacements = places;
    side->types = call->collective == CT_COLLECTIVE_ALLTOALLW ? call->types : NULL;
}

/* Is it a rank other than the root of a collective that has one? */
static bool is_elsewhere(const struct ct_bench_call *call)
{
    return ct_collectives[call->collective].has_root && call->rank != call->operands.root;
}

void ct_bench_call_set(struct ct_bench_call *call, const struct ct_job_cell *cell, int rank)
{
    const struct ct_collective_description *about = &ct_collectives[cell->collective];
    call->collective = cell->collective;
    call->rank = rank;
    call->size = (int)cell->key.comm_size;
    call->type = ct_data_type_of(cell->collective, call->asked, call->operation);
    call->mean = mean_of(about, call->type, cell->key.msg_bytes);
    call->operands = (struct ct_operands){.recv.buffer = call->recv,
                                          .op = about->reduces ? call->op : MPI_OP_NULL,
                                          .root = (int)cell->key.root};
    const bool elsewhere = is_elsewhere(call);
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

static size_t received_by_sparse(const struct ct_neighbors *neighbors)
{
    size_t received = 0;
    for (size_t i = 0; i < neighbors->in_count; i++)
        received += neighbors->in_lengths[i];
    return received;
}

static void fill_sparse(struct ct_bench_call *call)
{
    const struct ct_neighbors *neighbors = call->neighbors;
    const bool one = sends_one(call);
    unsigned char *bytes = call->send;
    memset(call->recv, 0, received_by_sparse(neighbors));
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
    return is_varied ? (size_t)(call->places[which][i] / unit_of_places(call)) : (size_t)i * call->mean;
}

static enum ct_contents input_of(const struct ct_bench_call *call)
{
    const struct ct_collective_description *about = &ct_collectives[call->collective];
    return about->input[is_elsewhere(call)];
}

static size_t bytes_of(const struct ct_bench_call *call, unsigned which, enum ct_contents contents)
{
    const struct ct_collective_description *about = &ct_collectives[call->collective];
    if (!about->has_data || contents == CT_CONTENTS_NOTHING)
        return 0;
    const size_t elements = ct_contents_are_many(contents) ? begin_of(call, which, about->varies, call->size)
                                                           : block_length(call, call->rank, call->rank);
    return elements * type_of(call)->extent;
}

static size_t bytes_of_input(const struct ct_bench_call *call)
{
    return call->neighbors ? call->sent : bytes_of(call, CT_BUFFER_SEND, input_of(call));
}

static size_t bytes_of_result(const struct ct_bench_call *call)
{
    const enum ct_contents result = ct_collectives[call->collective].result[is_elsewhere(call)];
    return call->neighbors ? received_by_sparse(call->neighbors) : bytes_of(call, CT_BUFFER_RECV, result);
}

/* Writes the block that `origin` has for `to`. */
static void put_bytes(const struct ct_data_type_description *type, unsigned char *at, size_t elements,
                      int origin, int to)
{
    for (size_t e = 0; e < elements; e++, at += type->extent)
        for (size_t i = 0; i < type->bytes; i++)
            at[type->places[i]] = byte_at(origin, to, e * type->bytes + i);
}

/* Is it there? */
static bool has_bytes(const struct ct_data_type_description *type, const unsigned char *at, size_t elements,
                      int origin, int to)
{
    for (size_t e = 0; e < elements; e++, at += type->extent)
        for (size_t i = 0; i < type->bytes; i++)
            if (at[type->places[i]] != byte_at(origin, to, e * type->bytes + i))
                return false;
    return true;
}

/* Writes this rank's input of a reduction. */
static void put_values(const struct ct_bench_call *call, size_t begin, size_t count)
{
    double (*const value)(int rank, size_t position) = ct_operations[call->operation].value;
    for (size_t k = begin; k < begin + count; k++)
        ct_data_type_set_number(call->type, value(call->rank, k % CT_OPERATION_PERIOD),
                                (unsigned char *)call->send + k * type_of(call)->extent);
}

static bool is_value(const struct ct_bench_call *call, const void *values, size_t at, double value)
{
    const void *element = (const unsigned char *)values + at * type_of(call)->extent;
    if (call->type == CT_DATA_INT)
        value = (int)(unsigned)(long long)value;
    return ct_data_type_number(call->type, element) == value;
}

/* Writes the input of this rank to where the collective wants it. */
void ct_bench_call_fill(struct ct_bench_call *call)
{
    if (call->neighbors) {
        fill_sparse(call);
        return;
    }
    const struct ct_collective_description *about = &ct_collectives[call->collective];
    enum ct_contents input = input_of(call);
    int blocks = ct_contents_are_many(input) ? call->size : 1;
    bool varied = about->varies && ct_contents_are_many(input);
    memset(call->recv, 0, bytes_of_result(call));
    if (input == CT_CONTENTS_NOTHING)
        return;
    unsigned char *bytes = about->one_buffer ? call->recv : call->send;
    for (int i = 0; i < blocks; i++) {
        int to = input == CT_CONTENTS_PARTS ? i : 0;
        size_t begin = begin_of(call, CT_BUFFER_SEND, varied, i);
        size_t length = input == CT_CONTENTS_PARTS ? block_length(call, call->rank, i)
                                                   : block_length(call, call->rank, call->rank);
        if (about->reduces)
            put_values(call, begin, length);
        else
            put_bytes(type_of(call), bytes + begin * type_of(call)->extent, length, call->rank, to);
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

void ct_bench_call_make_beside(const struct ct_bench_call *call, struct ct_bench_call *ret_beside)
{
    struct ct_bench_call beside = *call;
    const size_t input = bytes_of_input(call), result = bytes_of_result(call);
    beside.send = ct_bench_allocate_pages(input);
    beside.recv = ct_bench_allocate_pages(result > input ? result : input); /* of one buffer */
    beside.operands.send.buffer = call->operands.send.buffer ? beside.send : NULL;
    beside.operands.recv.buffer = beside.recv;
    ct_bench_call_fill(&beside);
    *ret_beside = beside;
}

void ct_bench_call_free_beside(struct ct_bench_call *beside)
{
    free(beside->send);
    free(beside->recv);
}

/* Block `i` of a data mover's result. */
static bool right_bytes(const struct ct_bench_call *call, enum ct_contents result, int i)
{
    const struct ct_collective_description *about = &ct_collectives[call->collective];
    bool many = ct_contents_are_many(result);
    int origin = many ? i : call->operands.root,
        to = result == CT_CONTENTS_PART_OF_ROOT || result == CT_CONTENTS_PARTS_OF_EACH ? call->rank : 0;
    const unsigned char *bytes =
        (const unsigned char *)call->recv +
        begin_of(call, CT_BUFFER_RECV, about->varies && many, i) * type_of(call)->extent;
    size_t length =
        result == CT_CONTENTS_OF_EACH ? block_length(call, i, call->rank) : block_length(call, origin, to);
    return has_bytes(type_of(call), bytes, length, origin, to);
}

static bool right_values(const struct ct_bench_call *call, enum ct_contents result)
{
    bool is_part = result == CT_CONTENTS_PART_OF_ALL;
    bool varies = ct_collectives[call->collective].varies;
    size_t begin = is_part ? begin_of(call, CT_BUFFER_SEND, varies, call->rank) : 0;
    size_t ranks = (size_t)call->size, length = block_length(call, call->rank, call->rank);
    double expected[CT_OPERATION_PERIOD];
    if (result == CT_CONTENTS_OF_FIRST || result == CT_CONTENTS_OF_EARLIER)
        ranks = (size_t)call->rank + (result == CT_CONTENTS_OF_FIRST);
    for (size_t k = 0; ranks > 0 && k < length; k++) {
        if (k < CT_OPERATION_PERIOD)
            expected[k] = ct_operation_result(call->operation, ranks, begin + k);
        if (!is_value(call, call->recv, k, expected[k % CT_OPERATION_PERIOD]))
            return false;
    }
    return true;
}

/* The input of a reduction must have stayed as it was. */
static bool input_kept(const struct ct_bench_call *call, enum ct_contents input)
{
    double (*const value)(int rank, size_t position) = ct_operations[call->operation].value;
    size_t length = block_length(call, call->rank, call->rank);
    if (input == CT_CONTENTS_PARTS)
        length = begin_of(call, CT_BUFFER_SEND, ct_collectives[call->collective].varies, call->size);
    for (size_t k = 0; k < length; k++)
        if (!is_value(call, call->send, k, value(call->rank, k % CT_OPERATION_PERIOD)))
            return false;
    return true;
}

bool ct_bench_call_right(const struct ct_bench_call *call)
{
    if (call->neighbors)
        return is_sparse_right(call);
    const struct ct_collective_description *about = &ct_collectives[call->collective];
    bool elsewhere = is_elsewhere(call);
    enum ct_contents result = about->result[elsewhere];
    if (!about->has_data)
        return true;
    if (about->reduces && !input_kept(call, about->input[elsewhere]))
        return false;
    if (result == CT_CONTENTS_NOTHING)
        return true;
    if (about->reduces)
        return right_values(call, result);
    for (int i = 0; i < (ct_contents_are_many(result) ? call->size : 1); i++)
        if (!right_bytes(call, result, i))
            return false;
    return true;
}
