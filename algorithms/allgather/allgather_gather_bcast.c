/* SPDX-License-Identifier: BSD-3-Clause */
/* A gather along a tree to rank 0, then a bcast of all blocks from there, by any algorithm. Blocks of
 * different lengths are packed.
 * Memory: that of the bcast; P m more where lengths differ. */
#include "algorithms/allgather/allgather_parts.h"
#include "algorithms/descriptor.h"
#include "algorithms/inner_plan.h"
#include "algorithms/part_tree.h"
#include "algorithms/shared_parameters.h"

static const struct ct_parameter bcast_parameter = {
    .name = "bcast",
    .text = "how all blocks are spread",
    .standard_name = "binomial",
    .inner_count = 1,
    .inner = {CT_COLLECTIVE_BCAST},
    .sweep = "binomial",
};

/* All ranks have room for the whole, so every block comes in where it belongs. A rank without children sends
 * its input as it is: the bcast will fill in its own block, too. */
static void gather(struct ct_plan *plan, const struct ct_call *call, const struct ct_allgather_parts *group)
{
    const int rank = group->rank;
    const struct ct_part_tree tree =
        ct_part_tree_place(ct_value(call, &ct_gather_tree_parameter), rank, group->size);
    for (int child = rank + 1, end; child < tree.end; child = end) {
        end = ct_part_tree_child_end(&tree, child);
        ct_receive_parts(plan, child, group->buffer, &group->parts, child, end);
    }
    if (!ct_part_tree_is_leaf(&tree) || rank == 0)
        ct_allgather_place_own(plan, group, ct_allgather_part(group, rank));
    ct_round_end(plan);
    if (!ct_part_tree_is_leaf(&tree) && rank > 0)
        ct_send_parts(plan, tree.parent, group->buffer, &group->parts, rank, tree.end);
    else if (rank > 0)
        ct_send_slice(plan, tree.parent, group->own);
}

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_allgather_parts group = ct_allgather_packed(plan, call);
    gather(plan, call, &group);
    struct ct_view view = {.map = {{CT_BUFFER_SEND, 0}, {group.buffer, 0}}};
    struct ct_call bcast = *call;
    bcast.count = ct_part_begin(&group.parts, call->size);
    ct_view_enter(plan, &view);
    ct_inner_build(plan, call, ct_inner_descriptor(call, &bcast_parameter, CT_COLLECTIVE_BCAST), &bcast);
    ct_view_leave(plan);
    if (group.buffer != CT_BUFFER_RECV)
        ct_allgather_unpack(plan, call, &group, 0);
}

const struct ct_descriptor ct_allgather_gather_bcast = {
    .text = "gather along a tree to rank 0, then any bcast",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "2 ceil(log2 P) alpha + (P - 1 + ceil(log2 P) P) m beta",
    .parameters = {&ct_unswept_segment_parameter, &ct_gather_tree_parameter, &bcast_parameter},
    .build = build,
};

const struct ct_descriptor ct_allgatherv_gather_bcast = {
    .text = "gather along a tree to rank 0, then any bcast, packed",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "2 ceil(log2 P) alpha + (P - 1 + ceil(log2 P) P) m beta",
    .parameters = {&ct_unswept_segment_parameter, &ct_gather_tree_parameter, &bcast_parameter},
    .build = build,
};
