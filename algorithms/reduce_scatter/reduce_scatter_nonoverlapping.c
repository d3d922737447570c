/* SPDX-License-Identifier: BSD-3-Clause */
/* A binomial reduce of the whole vector to rank 0, which keeps the order of ranks, then a binomial scatter of
 * its parts from there.
 * Memory: that of reduce/binomial; P m at rank 0, at most P m / 2 at others. */
#include "algorithms/registry.h"
#include "plan/parts.h"

/* In place only a part of the input may be written, so the inner call sees it as CT_BUFFER_SEND. Returns the
 * buffer of the sum at rank 0. */
static unsigned reduce_all(struct ct_plan *plan, const struct ct_call *call, size_t n)
{
    struct ct_call inner = *call;
    inner.root = 0;
    inner.count = n;
    inner.in_place = false;
    inner.send_counts = NULL;
    unsigned sum = call->rank == 0 ? ct_temporary(plan, n) : CT_BUFFER_RECV;
    struct ct_view view = {.map = {{ct_input(call), 0}, {sum, 0}}};
    ct_view_enter(plan, &view);
    ct_inner_build(plan, call, &ct_reduce_binomial, &inner);
    ct_view_leave(plan);
    return sum;
}

/* Down an in-order tree, where a subtree's parts follow one another; its own comes first. */
static void scatter(struct ct_plan *plan, const struct ct_call *call, const struct ct_parts *parts,
                    unsigned sum)
{
    struct ct_tree tree;
    ct_tree_binomial(call->rank, call->size, &tree);
    int end = ct_tree_knomial_end(call->rank, call->size, 2); /* of the subtree */
    size_t begin = ct_part_begin(parts, call->rank);
    if (tree.parent >= 0) {
        if (tree.child_count > 0)
            sum = ct_temporary(plan, ct_parts_length(parts, call->rank, end));
        ct_receive(plan, tree.parent, sum, 0, ct_parts_length(parts, call->rank, end));
        ct_round_end(plan);
    }
    for (int i = tree.child_count - 1; i >= 0; i--) {
        int child = tree.children[i];
        ct_send(plan, child, sum, ct_part_begin(parts, child) - begin, ct_parts_length(parts, child, end));
        end = child;
    }
    if (sum != CT_BUFFER_RECV)
        ct_copy(plan, CT_BUFFER_RECV, 0, sum, 0, call->count);
}

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_parts parts = ct_parts_of(plan, call->send_counts, call->size, call->count);
    if (call->size > 1)
        scatter(plan, call, &parts, reduce_all(plan, call, ct_part_begin(&parts, call->size)));
    else if (!call->in_place)
        ct_copy(plan, CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 0, call->count);
}

const struct ct_descriptor ct_reduce_scatter_nonoverlapping = {
    .text = "binomial reduce to rank 0, then binomial scatter of the parts",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.9",
    .cost = "2 ceil(log2 P) alpha + ceil(log2 P) P m (beta + gamma) + (P - 1) m beta",
    .build = build,
};
