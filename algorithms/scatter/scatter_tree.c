/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/scatter/scatter_tree.h"
#include "plan/subtree.h"

void ct_scatter_tree(struct ct_plan *plan, const struct ct_call *call, int radix)
{
    struct ct_subtree subtree;
    ct_subtree_knomial(plan, call, radix, CT_BUFFER_SEND, CT_BUFFER_RECV, &subtree);
    ct_subtree_post(plan, CT_STEP_RECEIVE, &subtree);
    ct_round_end(plan);
    for (int i = subtree.tree.child_count - 1; i >= 0; i--)
        ct_subtree_post_child(plan, CT_STEP_SEND, &subtree, i);
    if (subtree.buffer != CT_BUFFER_RECV && !call->in_place)
        ct_copy(plan, CT_BUFFER_RECV, 0, subtree.buffer, ct_subtree_own(&subtree), call->count);
}
