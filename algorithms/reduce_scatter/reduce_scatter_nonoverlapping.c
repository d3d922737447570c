/* SPDX-License-Identifier: BSD-3-Clause */
/* A reduce of the whole vector to rank 0, by any algorithm, then a scatter of its parts from there, along a
 * tree.
 * Memory: that of the reduce; P m at rank 0, at others less than the parts of their subtree. */
#include "algorithms/descriptor.h"
#include "algorithms/inner_plan.h"
#include "algorithms/part_tree.h"
#include "algorithms/shared_parameters.h"
#include "plan/parts.h"

static const struct ct_parameter reduce_parameter = {
    .name = "reduce",
    .text = "how the data are combined at rank 0",
    .standard_name = "binomial",
    .inner_count = 1,
    .inner = {CT_COLLECTIVE_REDUCE},
    .sweep = "binomial",
};

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
    ct_inner_build(plan, call, ct_inner_descriptor(call, &reduce_parameter, CT_COLLECTIVE_REDUCE), &inner);
    ct_view_leave(plan);
    return sum;
}

/* Down a tree in which a subtree's parts follow one another; its own comes first. The subtree of the highest
 * ranks is served first: in a binomial tree it is the largest. */
static void scatter(struct ct_plan *plan, const struct ct_call *call, const struct ct_parts *parts,
                    unsigned sum)
{
    const struct ct_part_tree tree =
        ct_part_tree_place(ct_value(call, &ct_scatter_tree_parameter), call->rank, call->size);
    size_t child_count = 0;
    const int *children = ct_part_tree_children(plan, &tree, &child_count);
    if (tree.parent >= 0) {
        if (child_count > 0)
            sum = ct_temporary(plan, ct_parts_length(parts, call->rank, tree.end));
        ct_receive(plan, tree.parent, sum, 0, ct_parts_length(parts, call->rank, tree.end));
        ct_round_end(plan);
    }
    for (size_t i = child_count; i-- > 0;) {
        const int child = children[i];
        ct_send(plan, child, sum, ct_parts_length(parts, call->rank, child),
                ct_parts_length(parts, child, ct_part_tree_child_end(&tree, child)));
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
    .text = "any reduce to rank 0, then scatter of the parts along a tree",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.9",
    .cost = "2 ceil(log2 P) alpha + ceil(log2 P) P m (beta + gamma) + (P - 1) m beta",
    .parameters = {&ct_unswept_segment_parameter, &reduce_parameter, &ct_scatter_tree_parameter},
    .build = build,
};
