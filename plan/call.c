/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/call.h"
#include "base/memory.h"
#include "plan/pattern_features.h"
#include "plan/routes.h"

#include <assert.h>

bool ct_may_be_in_place(enum ct_collective collective, bool is_root)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    if (about->in_place == CT_IN_PLACE_RESULT_IN_INPUT)
        return is_root;
    return about->in_place == CT_IN_PLACE_INPUT_IN_RESULT && about->input[!is_root] != CT_CONTENTS_NOTHING &&
           about->result[!is_root] != CT_CONTENTS_NOTHING;
}

/* Each rank has a block for each other, so counts are a table, not a vector. */
static bool counts_are_table(const struct ct_collective_description *about)
{
    return about->input[0] == CT_CONTENTS_PARTS && about->result[0] == CT_CONTENTS_PARTS_OF_EACH;
}

/* The same in a sparse collective. */
static struct ct_call sparse_call_of_rank(const struct ct_collective_description *about,
                                          const struct ct_call *all, int rank)
{
    struct ct_call own = *all;
    own.rank = rank;
    own.neighbors = &all->neighbors[rank];
    own.routes = all->routes ? &all->routes[rank] : NULL;
    if (all->send_counts)
        own.count = all->send_counts[rank];
    own.send_counts = own.neighbors->out_lengths;
    own.recv_counts =
        about->finds_sources && own.routes ? own.routes->source_lengths : own.neighbors->in_lengths;
    return own;
}

struct ct_call ct_call_of_rank(enum ct_collective collective, const struct ct_call *all, int rank)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    bool elsewhere = ct_is_elsewhere(about, rank, all->root);
    assert(rank >= 0 && rank < all->size);
    if (about->is_sparse)
        return sparse_call_of_rank(about, all, rank);
    size_t row = (size_t)rank * (size_t)all->size;
    struct ct_call own = *all;
    own.rank = rank;
    own.routes = all->routes ? &all->routes[rank] : NULL;
    own.in_place = all->in_place && ct_may_be_in_place(collective, !elsewhere);
    if (counts_are_table(about)) {
        own.send_counts = all->send_counts ? all->send_counts + row : NULL;
        own.recv_counts = all->recv_counts ? all->recv_counts + row : NULL;
        return own;
    }
    const size_t *counts = all->send_counts ? all->send_counts : all->recv_counts;
    if (counts)
        own.count = counts[rank];
    if (!ct_contents_are_many(about->input[elsewhere]))
        own.send_counts = NULL;
    if (!ct_contents_are_many(about->result[elsewhere]))
        own.recv_counts = NULL;
    return own;
}

size_t ct_call_bytes(enum ct_collective collective, const struct ct_call *call)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    if (!about->has_size)
        return 0;
    if (about->is_sparse && call->pattern)
        return call->pattern->edge_bytes;
    if (about->is_sparse && about->varies)
        return 0;
    if (!about->varies)
        return call->count * call->unit_bytes;
    const size_t *counts = call->send_counts ? call->send_counts : call->recv_counts;
    size_t sum = 0;
    for (int i = 0; counts && i < call->size; i++)
        sum += counts[i];
    return sum / (size_t)call->size * call->unit_bytes;
}

static bool sum_fits(const size_t *counts, size_t size)
{
    size_t sum = 0;
    for (size_t i = 0; i < size; i++)
        if (!ct_add(sum, counts[i], &sum))
            return false;
    return true;
}

bool ct_call_fits(enum ct_collective collective, const struct ct_call *call)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    size_t whole, blocks = (size_t)call->size, send_blocks = blocks, recv_blocks = blocks;
    if (about->is_sparse) {
        send_blocks = call->neighbors->out_count;
        recv_blocks =
            about->finds_sources && call->routes ? call->routes->source_count : call->neighbors->in_count;
        blocks = send_blocks > recv_blocks ? send_blocks : recv_blocks;
    }
    if (call->send_counts && !sum_fits(call->send_counts, send_blocks))
        return false;
    if (call->recv_counts && !sum_fits(call->recv_counts, recv_blocks))
        return false;
    if (about->is_sparse)
        return about->varies || ct_multiply(call->count, blocks, &whole);
    bool many = ct_contents_are_many(about->input[0]) || ct_contents_are_many(about->result[0]);
    return !many || about->varies || ct_multiply(call->count, (size_t)call->size, &whole);
}
