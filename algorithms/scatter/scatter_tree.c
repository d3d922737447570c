/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/scatter/scatter_tree.h"
#include "algorithms/subtree.h"

void scatter_tree(struct ct_plan *plan, const struct ct_call *call, int radix)
{
    struct ct_subtree subtree;
    ct_subtree_knomial(call, radix, &subtree);
    unsigned blocks = CT_RECV; /* all that a leaf gets is its own */
    if (call->rank == call->root)
        blocks = CT_SEND;
    else if (subtree.tree.child_count > 0)
        blocks = ct_temporary(plan, ct_subtree_length(&subtree));

    ct_subtree_post(plan, CT_STEP_RECEIVE, &subtree, blocks);
    ct_round_end(plan);
    for (int i = subtree.tree.child_count - 1; i >= 0; i--)
        ct_subtree_post_child(plan, CT_STEP_SEND, &subtree, i, blocks);
    if (blocks != CT_RECV && !call->in_place)
        ct_copy(plan, CT_RECV, 0, blocks, ct_subtree_own(&subtree), call->count);
}
