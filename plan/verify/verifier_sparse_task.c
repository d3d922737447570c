/* SPDX-License-Identifier: BSD-3-Clause */
/* The contents of each rank's buffers in sparse collectives, before and after. */
#include "plan/verify/verifier_sparse_task.h"
#include "base/memory.h"

#include <stdlib.h>

struct sparse_making {
    const struct ct_collective_description *about;
    const struct ct_call *all;
    struct ct_task_memory *memory;
    size_t piece_count;
    size_t begin_count;
    size_t **orders;       /* by rank: its destinations sorted, see ct_neighbors_order() */
    const size_t **inputs; /* by rank: where the blocks of its input begin */
};

static size_t *add_begins(struct sparse_making *making, const size_t *lengths, size_t count)
{
    size_t *begins = &making->memory->begins[making->begin_count];
    making->begin_count += count + 1;
    begins[0] = 0;
    for (size_t i = 0; i < count; i++)
        begins[i + 1] = begins[i] + (lengths ? lengths[i] : making->all->count);
    return begins;
}

static bool has_one_for_all(const struct sparse_making *making)
{
    return making->about->input[0] == CT_CONTENTS_OWN;
}

/* The length of the block that a rank has for all. */
static size_t own_length(const struct sparse_making *making, int rank)
{
    return making->all->send_counts ? making->all->send_counts[rank] : making->all->count;
}

static void add_input(struct sparse_making *making, int rank, struct ct_share *share)
{
    const struct ct_neighbors *neighbors = &making->all->neighbors[rank];
    share->input_buffer = CT_BUFFER_SEND;
    if (has_one_for_all(making)) {
        share->buffers[CT_BUFFER_SEND].length = own_length(making, rank);
    } else {
        making->inputs[rank] = add_begins(making, neighbors->out_lengths, neighbors->out_count);
        share->buffers[CT_BUFFER_SEND].length = making->inputs[rank][neighbors->out_count];
        if (making->about->varies) {
            share->buffers[CT_BUFFER_SEND].blocks = making->inputs[rank];
            share->buffers[CT_BUFFER_SEND].block_count = neighbors->out_count;
        }
    }
    size_t n = share->buffers[CT_BUFFER_SEND].length;
    share->inputs = &making->memory->pieces[making->piece_count];
    if (n > 0)
        making->memory->pieces[making->piece_count++] = (struct ct_piece){.n = n};
    share->input_count = n > 0;
}

/* Where in its input the k-th block begins that `source` has for `rank`. */
static size_t find_unit(const struct sparse_making *making, int source, int rank, size_t k)
{
    const struct ct_neighbors *neighbors = &making->all->neighbors[source];
    const size_t *order = making->orders[source];
    size_t place = ct_neighbors_find(neighbors->out, order, neighbors->out_count, rank) + k;
    assert(place < neighbors->out_count && neighbors->out[order[place]] == rank && "the pattern is whole");
    return has_one_for_all(making) ? 0 : making->inputs[source][order[place]];
}

/* In an exchange the sources are those that the set-up should find, by rising rank: all that send data. */
static void add_found_sources(struct sparse_making *making, int rank, struct ct_share *share)
{
    size_t offset = 0, count = 0, *begins = &making->memory->begins[making->begin_count];
    begins[0] = 0;
    for (int source = 0; source < making->all->size; source++) {
        const struct ct_neighbors *neighbors = &making->all->neighbors[source];
        const size_t *order = making->orders[source];
        size_t first = ct_neighbors_find(neighbors->out, order, neighbors->out_count, rank);
        for (size_t i = first; i < neighbors->out_count && neighbors->out[order[i]] == rank; i++) {
            size_t n = neighbors->out_lengths[order[i]];
            if (n == 0)
                continue;
            making->memory->pieces[making->piece_count++] = (struct ct_piece){
                .offset = offset, .n = n, .origin = source, .unit = making->inputs[source][order[i]]};
            offset += n;
            begins[++count] = offset;
        }
    }
    making->begin_count += count + 1;
    share->result_count = count;
    share->buffers[CT_BUFFER_RECV].length = offset;
    share->buffers[CT_BUFFER_RECV].blocks = begins;
    share->buffers[CT_BUFFER_RECV].block_count = count;
}

static int add_known_sources(struct sparse_making *making, int rank, struct ct_share *share)
{
    const struct ct_neighbors *neighbors = &making->all->neighbors[rank];
    const size_t *begins = add_begins(making, neighbors->in_lengths, neighbors->in_count);
    size_t *order, *turns = ct_allocate(neighbors->in_count + 1, sizeof *turns);
    int status = turns ? ct_neighbors_order(neighbors->in, neighbors->in_count, &order) : CT_E_MEMORY;
    if (status != CT_OK) {
        free(turns);
        return status;
    }
    for (size_t i = 1; i < neighbors->in_count; i++)
        if (neighbors->in[order[i]] == neighbors->in[order[i - 1]])
            turns[order[i]] = turns[order[i - 1]] + 1;
    for (size_t i = 0; i < neighbors->in_count; i++) {
        if (begins[i + 1] == begins[i])
            continue;
        making->memory->pieces[making->piece_count++] =
            (struct ct_piece){.offset = begins[i],
                              .n = begins[i + 1] - begins[i],
                              .origin = neighbors->in[i],
                              .unit = find_unit(making, neighbors->in[i], rank, turns[i])};
        share->result_count++;
    }
    share->buffers[CT_BUFFER_RECV].length = begins[neighbors->in_count];
    if (making->about->varies) {
        share->buffers[CT_BUFFER_RECV].blocks = begins;
        share->buffers[CT_BUFFER_RECV].block_count = neighbors->in_count;
    }
    free(order);
    free(turns);
    return CT_OK;
}

static int make_room(struct sparse_making *making)
{
    struct ct_task_memory *memory = making->memory;
    size_t size = (size_t)making->all->size, edges = 0;
    for (size_t i = 0; i < size; i++)
        edges += making->all->neighbors[i].out_count + making->all->neighbors[i].in_count;
    int status = ct_grow(&memory->shares, &memory->share_capacity, size, sizeof *memory->shares);
    if (status == CT_OK)
        status = ct_grow(&memory->pieces, &memory->piece_capacity, edges + size, sizeof *memory->pieces);
    if (status == CT_OK)
        status = ct_grow(&memory->begins, &memory->begin_capacity, edges + 2 * size, sizeof *memory->begins);
    making->orders = ct_allocate(size, sizeof *making->orders);
    making->inputs = ct_allocate(size, sizeof *making->inputs);
    if (!making->orders || !making->inputs)
        status = CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < size; i++)
        status = ct_neighbors_order(making->all->neighbors[i].out, making->all->neighbors[i].out_count,
                                    &making->orders[i]);
    return status;
}

int ct_sparse_task_make(enum ct_collective collective, const struct ct_call *call,
                        struct ct_task_memory *memory, struct ct_task *ret_task)
{
    struct sparse_making making = {.about = &ct_collectives[collective], .all = call, .memory = memory};
    int status = make_room(&making);
    for (int rank = 0; status == CT_OK && rank < call->size; rank++) {
        memory->shares[rank] = (struct ct_share){0};
        add_input(&making, rank, &memory->shares[rank]);
    }
    for (int rank = 0; status == CT_OK && rank < call->size; rank++) {
        struct ct_share *share = &memory->shares[rank];
        share->results = &memory->pieces[making.piece_count];
        if (making.about->finds_sources)
            add_found_sources(&making, rank, share);
        else
            status = add_known_sources(&making, rank, share);
    }
    for (int rank = 0; making.orders && rank < call->size; rank++)
        free(making.orders[rank]);
    free(making.orders);
    free(making.inputs);
    if (status == CT_OK)
        *ret_task = (struct ct_task){.size = call->size, .commutative = true, .shares = memory->shares};
    return status;
}
