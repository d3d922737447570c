/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/bcast/bcast.h"
#include "algorithms/shared_parameters.h"

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

void ct_bcast_tree(struct ct_plan *plan, const struct ct_call *call, const struct ct_tree *tree)
{
    size_t n = call->count, length = ct_call_segments(call, n).length;
    int parent = tree->parent < 0 ? -1 : ct_actual(tree->parent, call->root, call->size);
    if (parent >= 0) {
        ct_receive(plan, parent, CT_BUFFER_RECV, 0, length);
        ct_round_end(plan);
    }
    for (size_t begin = 0, next; begin < n; begin = next) {
        next = begin + least(length, n - begin);
        if (parent >= 0)
            ct_receive(plan, parent, CT_BUFFER_RECV, next, least(length, n - next));
        for (int i = 0; i < tree->child_count; i++)
            ct_send(plan, ct_actual(tree->children[i], call->root, call->size), CT_BUFFER_RECV, begin,
                    next - begin);
        ct_round_end(plan);
    }
}

struct ct_allgather_parts ct_bcast_parts(const struct ct_call *call)
{
    struct ct_allgather_parts group = {
        .rank = ct_bcast_virtual_rank(call),
        .size = call->size,
        .root = call->root,
        .buffer = CT_BUFFER_RECV,
        .parts = ct_parts_dealt(call->count, call->size),
        .scattered = true,
    };
    group.own = ct_allgather_part(&group, group.rank);
    return group;
}

void ct_bcast_scatter(struct ct_plan *plan, const struct ct_allgather_parts *group, int folded)
{
    if (group->rank < 2 * folded && group->rank % 2 == 1)
        return;
    int core = group->size - folded, place = ct_allgather_core_place(group->rank, folded);
    struct ct_tree tree;
    ct_tree_binomial(place, core, &tree);
    ct_tree_reverse(&tree);
    if (place > 0)
        ct_receive_parts(plan, ct_allgather_peer(group, ct_allgather_core_rank(tree.parent, folded)),
                         CT_BUFFER_RECV, &group->parts, group->rank,
                         ct_allgather_core_rank(ct_tree_knomial_end(place, core, 2), folded));
    ct_round_end(plan);
    for (int i = 0; i < tree.child_count; i++) {
        int first = ct_allgather_core_rank(tree.children[i], folded);
        int last = ct_allgather_core_rank(ct_tree_knomial_end(tree.children[i], core, 2), folded);
        ct_send_parts(plan, ct_allgather_peer(group, first), CT_BUFFER_RECV, &group->parts, first, last);
    }
    ct_round_end(plan);
}
