/* SPDX-License-Identifier: BSD-3-Clause */
/* The left half of the message runs down the left subtree of a balanced binary tree, the right half down the
 * right subtree, both in segments. Then each rank swaps halves with its counterpart in the other subtree. A
 * last rank without counterpart gets the right half from the root. */
#include "algorithms/descriptor.h"
#include "algorithms/shared_parameters.h"
#include "plan/shapes.h"

struct half {
    size_t begin;
    struct ct_segments segments;
};

/* The odd virtual ranks are the left subtree (see ct_tree_binary). */
static bool is_left(int virtual_rank)
{
    return virtual_rank % 2 == 1;
}

static void post_segment(struct ct_plan *plan, enum ct_step_kind kind, int peer, const struct half *half,
                         size_t s)
{
    if (s < half->segments.count)
        ct_post_plain(plan, kind, peer, CT_BUFFER_RECV, half->begin + ct_segment_offset(&half->segments, s),
                      ct_segment_length(&half->segments, s));
}

static void pipe_down(struct ct_plan *plan, const struct ct_call *call, const struct ct_tree *tree,
                      const struct half *own, const struct half halves[2])
{
    int parent = tree->parent < 0 ? -1 : ct_actual(tree->parent, call->root, call->size);
    size_t count = own ? own->segments.count : halves[0].segments.count;
    if (own)
        post_segment(plan, CT_STEP_RECEIVE, parent, own, 0);
    ct_round_end(plan);
    for (size_t s = 0; s < count; s++) {
        if (own)
            post_segment(plan, CT_STEP_RECEIVE, parent, own, s + 1);
        for (int i = 0; i < tree->child_count; i++)
            post_segment(plan, CT_STEP_SEND, ct_actual(tree->children[i], call->root, call->size),
                         own ? own : &halves[i], s);
        ct_round_end(plan);
    }
}

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    int rank = ct_virtual(call->rank, call->root, call->size);
    struct ct_tree tree;
    ct_tree_binary(rank, call->size, &tree);
    size_t middle = call->count - call->count / 2;
    const struct half halves[2] = {
        {.begin = 0, .segments = ct_call_segments(call, middle)},
        {.begin = middle, .segments = ct_call_segments(call, call->count - middle)}};
    const struct half *own = rank == 0 ? NULL : &halves[!is_left(rank)];

    pipe_down(plan, call, &tree, own, halves);

    int last = call->size - 1;
    bool last_alone = is_left(last);
    if (rank == 0 && last_alone) {
        ct_send(plan, ct_actual(last, call->root, call->size), CT_BUFFER_RECV, halves[1].begin,
                halves[1].segments.n);
    } else if (rank == last && last_alone) {
        ct_receive(plan, call->root, CT_BUFFER_RECV, halves[1].begin, halves[1].segments.n);
    } else if (rank > 0) {
        const struct half *other = &halves[is_left(rank)];
        int pair = ct_actual(is_left(rank) ? rank + 1 : rank - 1, call->root, call->size);
        ct_receive(plan, pair, CT_BUFFER_RECV, other->begin, other->segments.n);
        ct_send(plan, pair, CT_BUFFER_RECV, own->begin, own->segments.n);
    }
}

const struct ct_descriptor ct_bcast_split_binary = {
    .text = "halves run down the two subtrees of a binary tree, then pairs of ranks swap them",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.3",
    .cost = "(ceil(log2(P + 1)) + ceil(n_s / 2) - 2) 2 (alpha + m_s beta) + alpha + m / 2 beta",
    .parameters = {&ct_segment_parameter},
    .build = build,
};
