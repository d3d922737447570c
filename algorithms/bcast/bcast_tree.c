/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/bcast/bcast_tree.h"

void bcast_tree(struct ct_plan *plan, const struct ct_call *call, const struct ct_tree *tree,
                size_t segment_bytes)
{
    struct ct_segments segments = ct_segments_cut(call->count, call->unit_bytes, segment_bytes);
    bool has_parent = tree->parent >= 0;
    int parent = has_parent ? ct_actual(tree->parent, call->root, call->size) : -1;

    if (has_parent && segments.count > 0)
        ct_receive(plan, parent, CT_RECV, 0, ct_segment_length(&segments, 0));
    ct_round_end(plan);
    for (size_t s = 0; s < segments.count; s++) {
        if (has_parent && s + 1 < segments.count)
            ct_receive(plan, parent, CT_RECV, ct_segment_offset(&segments, s + 1),
                       ct_segment_length(&segments, s + 1));
        for (int i = 0; i < tree->child_count; i++)
            ct_send(plan, ct_actual(tree->children[i], call->root, call->size), CT_RECV,
                    ct_segment_offset(&segments, s), ct_segment_length(&segments, s));
        ct_round_end(plan);
    }
}
