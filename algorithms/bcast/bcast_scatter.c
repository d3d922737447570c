/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/bcast/bcast_scatter.h"

struct ct_allgather_parts ct_bcast_parts(const struct ct_call *call)
{
    struct ct_allgather_parts group = {
        .rank = ct_virtual(call->rank, call->root, call->size),
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
                         CT_BUFFER_RECV, 0, &group->parts, group->rank,
                         ct_allgather_core_rank(ct_allgather_subtree_end(place, core), folded));
    ct_round_end(plan);
    for (int i = 0; i < tree.child_count; i++) {
        int first = ct_allgather_core_rank(tree.children[i], folded);
        int last = ct_allgather_core_rank(ct_allgather_subtree_end(tree.children[i], core), folded);
        ct_send_parts(plan, ct_allgather_peer(group, first), CT_BUFFER_RECV, 0, &group->parts, first, last);
    }
    ct_round_end(plan);
}
