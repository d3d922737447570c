/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/gather/gather_tree.h"
#include "plan/subtree.h"

void ct_gather_tree(struct ct_plan *plan, const struct ct_call *call, int radix)
{
    struct ct_subtree subtree;
    ct_subtree_knomial(plan, call, radix, CT_BUFFER_RECV, CT_BUFFER_SEND, &subtree);
    for (int i = 0; i < subtree.tree.child_count; i++)
        ct_subtree_post_child(plan, CT_STEP_RECEIVE, &subtree, i);
    if (subtree.buffer != CT_BUFFER_SEND && !call->in_place)
        ct_copy(plan, subtree.buffer, ct_subtree_own(&subtree), CT_BUFFER_SEND, 0, call->count);
    ct_round_end(plan);
    ct_subtree_post(plan, CT_STEP_SEND, &subtree);
}
