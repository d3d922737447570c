/* SPDX-License-Identifier: BSD-3-Clause */
/* Up a binomial tree: for every child, for every segment, receive and combine, while the next segment comes
 * in; then the whole goes to the parent in segments. Operations that do not commute are combined in rank
 * order at rank 0, which then sends the result to the root.
 * Memory: m and two segments, at the root two segments; 2 m where the operation does not commute. */
#include "algorithms/descriptor.h"
#include "algorithms/reduce/reduce_tree.h"
#include "algorithms/shared_parameters.h"

struct climb {
    struct ct_segments segments;
    unsigned sum;      /* what has been combined so far; the input at first */
    unsigned arriving; /* where a child's data comes in */
    bool in_pieces;    /* `arriving` holds two segments in turn, not the whole */
};

static void receive_segment(struct ct_plan *plan, const struct climb *climb, int child, size_t s)
{
    size_t offset =
        climb->in_pieces ? s % 2 * climb->segments.length : ct_segment_offset(&climb->segments, s);
    if (s < climb->segments.count)
        ct_receive(plan, child, climb->arriving, offset, ct_segment_length(&climb->segments, s));
}

/* sum = sum op child's data, in `arriving` where that holds the whole, else in `sum`. The child's ranks
 * follow those combined so far, so the former keeps their order. */
static void combine_child(struct ct_plan *plan, struct climb *climb, int child)
{
    receive_segment(plan, climb, child, 0);
    ct_round_end(plan);
    for (size_t s = 0; s < climb->segments.count; s++) {
        size_t offset = ct_segment_offset(&climb->segments, s);
        size_t length = ct_segment_length(&climb->segments, s);
        receive_segment(plan, climb, child, s + 1);
        if (climb->in_pieces)
            ct_reduce(plan, climb->sum, offset, climb->arriving, s % 2 * climb->segments.length, length);
        else
            ct_reduce(plan, climb->arriving, offset, climb->sum, offset, length);
        ct_round_end(plan);
    }
    if (!climb->in_pieces)
        climb->sum = climb->arriving;
}

static void combine_children(struct ct_plan *plan, const struct ct_call *call, const struct ct_tree *tree,
                             int top, struct climb *climb)
{
    size_t two_segments = climb->segments.count > 1 ? 2 * climb->segments.length : climb->segments.length;
    unsigned pieces = 0,
             idle = call->rank == call->root && !call->in_place ? CT_BUFFER_RECV : 0; /* 0: none yet */
    for (int i = 0; i < tree->child_count; i++) {
        unsigned before = climb->sum;
        /* the input must not be written, and where order counts the sum must not be combined into */
        climb->in_pieces = call->commutative && before != CT_BUFFER_SEND;
        if (climb->in_pieces && !pieces)
            pieces = ct_temporary(plan, two_segments);
        if (!climb->in_pieces && !idle)
            idle = ct_temporary(plan, call->count);
        climb->arriving = climb->in_pieces ? pieces : idle;
        combine_child(plan, climb, ct_actual(tree->children[i], top, call->size));
        if (!climb->in_pieces)
            idle = before == CT_BUFFER_SEND ? 0 : before;
    }
}

static void post_all(struct ct_plan *plan, enum ct_step_kind kind, const struct climb *climb, int peer,
                     unsigned buffer)
{
    for (size_t s = 0; s < climb->segments.count; s++) {
        ct_post_plain(plan, kind, peer, buffer, ct_segment_offset(&climb->segments, s),
                      ct_segment_length(&climb->segments, s));
        ct_round_end(plan);
    }
}

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    int top = ct_reduce_top(call), rank = ct_reduce_virtual_rank(call);
    struct ct_tree tree;
    ct_tree_binomial(rank, call->size, &tree);
    struct climb climb = {.segments = ct_call_segments(call, call->count), .sum = ct_input(call)};

    combine_children(plan, call, &tree, top, &climb);
    if (rank > 0)
        post_all(plan, CT_STEP_SEND, &climb, ct_actual(tree.parent, top, call->size), climb.sum);
    else if (call->rank != call->root)
        post_all(plan, CT_STEP_SEND, &climb, call->root, climb.sum);
    else if (climb.sum != CT_BUFFER_RECV)
        ct_copy(plan, CT_BUFFER_RECV, 0, climb.sum, 0, call->count);
    if (call->rank == call->root && rank > 0)
        post_all(plan, CT_STEP_RECEIVE, &climb, top, CT_BUFFER_RECV);
}

const struct ct_descriptor ct_reduce_binomial = {
    .text = "up a binomial tree, child by child, each in segments",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.8 (child loop outside)",
    .cost = "ceil(log2 P) n_s (alpha + m_s (beta + gamma))",
    .parameters = {&ct_segment_parameter},
    .build = build,
};
