/* SPDX-License-Identifier: BSD-3-Clause */
/* A binomial gather to rank 0, then a binomial bcast of all blocks from there. Blocks of different lengths
 * are packed.
 * Memory: none; P m where lengths differ. */
#include "algorithms/allgather/allgather_parts.h"
#include "algorithms/registry.h"

/* All ranks have room for the whole, so every block comes in where it belongs. A rank without children sends
 * its input as it is: the bcast will fill in its own block, too. */
static void gather(struct ct_plan *plan, const struct ct_allgather_parts *group)
{
    int rank = group->rank, size = group->size;
    struct ct_tree tree;
    ct_tree_binomial(rank, size, &tree);
    for (int i = 0; i < tree.child_count; i++)
        ct_receive_parts(plan, tree.children[i], group->buffer, 0, &group->parts, tree.children[i],
                         ct_tree_knomial_end(tree.children[i], size, 2));
    if (tree.child_count > 0 || rank == 0)
        ct_allgather_place_own(plan, group, ct_allgather_part(group, rank));
    ct_round_end(plan);
    if (tree.child_count > 0 && rank > 0)
        ct_send_parts(plan, tree.parent, group->buffer, 0, &group->parts, rank,
                      ct_tree_knomial_end(rank, size, 2));
    else if (rank > 0)
        ct_send_slice(plan, tree.parent, group->own);
}

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_allgather_parts group = ct_allgather_packed(plan, call);
    gather(plan, &group);
    struct ct_view view = {.map = {{CT_BUFFER_SEND, 0}, {group.buffer, 0}}};
    struct ct_call bcast = *call;
    bcast.count = ct_part_begin(&group.parts, call->size);
    ct_view_enter(plan, &view);
    ct_inner_build(plan, call, &ct_bcast_binomial, &bcast);
    ct_view_leave(plan);
    if (group.buffer != CT_BUFFER_RECV)
        ct_allgather_unpack(plan, call, &group, 0);
}

const struct ct_descriptor ct_allgather_gather_bcast = {
    .text = "binomial gather to rank 0, then binomial bcast",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "2 ceil(log2 P) alpha + (P - 1 + ceil(log2 P) P) m beta",
    .build = build,
};

const struct ct_descriptor ct_allgatherv_gather_bcast = {
    .text = "binomial gather to rank 0, then binomial bcast, packed",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "2 ceil(log2 P) alpha + (P - 1 + ceil(log2 P) P) m beta",
    .build = build,
};
