/* SPDX-License-Identifier: BSD-3-Clause */
/* Up a k-nomial tree, where a rank posts the receives of all its children before it waits for the first: for
 * short messages, whose cost is latency. Data are combined from the farthest child down, in rank order; where
 * order counts rank 0 is at the top and passes the result on.
 * Memory: m for each child. */
#include "algorithms/descriptor.h"
#include "algorithms/reduce/reduce_tree.h"
#include "algorithms/shared_parameters.h"

struct collection {
    unsigned blocks; /* of all children, or of all but the farthest, which comes in `sum` then */
    unsigned sum;
    size_t sum_offset;
};

static struct collection receive_all(struct ct_plan *plan, const struct ct_call *call,
                                     const struct ct_tree *tree)
{
    int last = tree->child_count - 1;
    bool in_result = call->rank == call->root && tree->parent < 0 && !call->in_place;
    size_t blocks = (size_t)last + (in_result ? 0 : 1);
    struct collection held = {.sum = CT_BUFFER_RECV};
    if (blocks > 0)
        held.blocks = ct_temporary(plan, blocks * call->count);
    if (!in_result) {
        held.sum = held.blocks;
        held.sum_offset = (size_t)last * call->count;
    }
    for (int i = 0; i <= last; i++) {
        int child = ct_actual(tree->children[i], ct_reduce_top(call), call->size);
        if (i == last)
            ct_receive(plan, child, held.sum, held.sum_offset, call->count);
        else
            ct_receive(plan, child, held.blocks, (size_t)i * call->count, call->count);
    }
    ct_round_end(plan);
    return held;
}

/* The sum of this rank's subtree; the input itself at a leaf. */
static struct ct_slice subtree_sum(struct ct_plan *plan, const struct ct_call *call,
                                   const struct ct_tree *tree)
{
    struct ct_slice own = {.buffer = ct_input(call), .n = call->count};
    if (tree->child_count == 0)
        return own;
    struct collection held = receive_all(plan, call, tree);
    for (int i = tree->child_count - 2; i >= 0; i--)
        ct_reduce(plan, held.sum, held.sum_offset, held.blocks, (size_t)i * call->count, call->count);
    ct_reduce(plan, held.sum, held.sum_offset, own.buffer, 0, call->count);
    return (struct ct_slice){.buffer = held.sum, .offset = held.sum_offset, .n = call->count};
}

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_tree tree;
    int top = ct_reduce_top(call);
    ct_tree_knomial(ct_reduce_virtual_rank(call), call->size, (int)ct_value(call, &ct_wide_radix_parameter),
                    &tree);
    struct ct_slice sum = subtree_sum(plan, call, &tree);
    ct_round_end(plan);
    if (tree.parent >= 0)
        ct_send(plan, ct_actual(tree.parent, top, call->size), sum.buffer, sum.offset, sum.n);
    else if (call->rank != call->root)
        ct_send(plan, call->root, sum.buffer, sum.offset, sum.n);
    else if (sum.buffer != CT_BUFFER_RECV)
        ct_copy(plan, CT_BUFFER_RECV, 0, sum.buffer, sum.offset, sum.n);
    if (call->rank == call->root && top != call->root) {
        ct_round_end(plan);
        ct_receive(plan, top, CT_BUFFER_RECV, 0, call->count);
    }
}

const struct ct_descriptor ct_reduce_knomial_ahead = {
    .text = "up a k-nomial tree, with the receives of all children posted at once",
    .source = "MVAPICH2's k-nomial reduce, as in SimGrid (smpi/reduce:mvapich2_knomial)",
    .cost = "ceil(log_k P) alpha + (k - 1) ceil(log_k P) m (beta + gamma)",
    .parameters = {&ct_wide_radix_parameter},
    .build = build,
};
