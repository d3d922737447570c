/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/bcast/bcast_tree.h"

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

void ct_bcast_tree(struct ct_plan *plan, const struct ct_call *call, const struct ct_tree *tree,
                   size_t segment_bytes)
{
    size_t n = call->count, length = ct_segments_cut(n, call->unit_bytes, segment_bytes).length;
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
