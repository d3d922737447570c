/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/subtree.h"

void ct_subtree_knomial(struct ct_plan *plan, const struct ct_call *call, int radix, unsigned of_root,
                        unsigned of_leaf, struct ct_subtree *ret_subtree)
{
    int rank = ct_virtual(call->rank, call->root, call->size);
    ret_subtree->call = call;
    ret_subtree->rank = rank;
    ret_subtree->end = ct_tree_knomial_end(rank, call->size, radix);
    ct_tree_knomial(rank, call->size, radix, &ret_subtree->tree);
    if (rank == 0)
        ret_subtree->buffer = of_root;
    else if (ret_subtree->tree.child_count == 0)
        ret_subtree->buffer = of_leaf;
    else
        ret_subtree->buffer = ct_temporary(plan, (size_t)(ret_subtree->end - rank) * call->count);
}

/* Where the block of a rank in the subtree lies in this rank's buffer. */
static size_t offset_of(const struct ct_subtree *subtree, int rank)
{
    const struct ct_call *call = subtree->call;
    int place = subtree->rank == 0 ? ct_actual(rank, call->root, call->size) : rank - subtree->rank;
    return (size_t)place * call->count;
}

size_t ct_subtree_own(const struct ct_subtree *subtree)
{
    return offset_of(subtree, subtree->rank);
}

/* The blocks of [first, last). */
static void post(struct ct_plan *plan, enum ct_step_kind kind, const struct ct_subtree *subtree, int peer,
                 int first, int last)
{
    const struct ct_call *call = subtree->call;
    int real_peer = ct_actual(peer, call->root, call->size);
    int real_first = ct_virtual(0, call->root, call->size); /* where the real ranks begin anew */
    bool at_root = subtree->rank == 0 || peer == 0;
    int middle = at_root && first < real_first && real_first < last ? real_first : last;
    ct_post_plain(plan, kind, real_peer, subtree->buffer, offset_of(subtree, first),
                  (size_t)(middle - first) * call->count);
    if (middle < last)
        ct_post_plain(plan, kind, real_peer, subtree->buffer, offset_of(subtree, middle),
                      (size_t)(last - middle) * call->count);
}

void ct_subtree_post(struct ct_plan *plan, enum ct_step_kind kind, const struct ct_subtree *subtree)
{
    if (subtree->tree.parent >= 0)
        post(plan, kind, subtree, subtree->tree.parent, subtree->rank, subtree->end);
}

void ct_subtree_post_child(struct ct_plan *plan, enum ct_step_kind kind, const struct ct_subtree *subtree,
                           int index)
{
    const struct ct_tree *tree = &subtree->tree;
    int end = index + 1 < tree->child_count ? tree->children[index + 1] : subtree->end;
    post(plan, kind, subtree, tree->children[index], tree->children[index], end);
}
