/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/gather_scatter.h"
#include "algorithms/shared_parameters.h"

void ct_gather_own(struct ct_plan *plan, const struct ct_call *call)
{
    if (!call->in_place)
        ct_copy_slice(plan, ct_recv_block(call, call->rank),
                      (struct ct_slice){.buffer = CT_BUFFER_SEND, .n = call->count});
}

void ct_gather_flat(struct ct_plan *plan, const struct ct_call *call)
{
    if (call->rank != call->root) {
        ct_send(plan, call->root, CT_BUFFER_SEND, 0, call->count);
        return;
    }
    for (int peer = 0; peer < call->size; peer++)
        if (peer != call->root)
            ct_receive_slice(plan, peer, ct_recv_block(call, peer));
    ct_gather_own(plan, call);
    ct_window(plan, (unsigned)ct_value_or(call, &ct_requests_parameter, 0));
}

void ct_scatter_flat(struct ct_plan *plan, const struct ct_call *call)
{
    if (call->rank != call->root) {
        ct_receive(plan, call->root, CT_BUFFER_RECV, 0, call->count);
        return;
    }
    for (int peer = 0; peer < call->size; peer++)
        if (peer != call->root)
            ct_send_slice(plan, peer, ct_send_block(call, peer));
    if (!call->in_place)
        ct_copy_slice(plan, (struct ct_slice){.buffer = CT_BUFFER_RECV}, ct_send_block(call, call->rank));
    ct_window(plan, (unsigned)ct_value_or(call, &ct_requests_parameter, 0));
}

/* The subtree of the call's rank. Ranks are virtual, the root of the call is 0. */
struct subtree {
    const struct ct_call *call;
    struct ct_tree tree;
    int rank;        /* the subtree's root */
    int end;         /* one more than its last rank */
    unsigned buffer; /* holds its blocks */
};

/* The blocks are in `of_root` at the root, in `of_leaf` at a leaf, which has only its own, and in a temporary
 * buffer at other ranks. */
static void find_subtree(struct ct_plan *plan, const struct ct_call *call, unsigned of_root, unsigned of_leaf,
                         struct subtree *ret_subtree)
{
    int radix = (int)ct_value_or(call, &ct_wide_radix_parameter, 2);
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
static size_t offset_of(const struct subtree *subtree, int rank)
{
    const struct ct_call *call = subtree->call;
    int place = subtree->rank == 0 ? ct_actual(rank, call->root, call->size) : rank - subtree->rank;
    return (size_t)place * call->count;
}

/* The blocks of [first, last). */
static void post(struct ct_plan *plan, enum ct_step_kind kind, const struct subtree *subtree, int peer,
                 int first, int last)
{
    const struct ct_call *call = subtree->call;
    int real_peer = ct_actual(peer, call->root, call->size);
    int real_first = ct_virtual(0, call->root, call->size); /* where the real ranks begin again */
    bool at_root = subtree->rank == 0 || peer == 0;
    int middle = at_root && first < real_first && real_first < last ? real_first : last;
    ct_post_plain(plan, kind, real_peer, subtree->buffer, offset_of(subtree, first),
                  (size_t)(middle - first) * call->count);
    if (middle < last)
        ct_post_plain(plan, kind, real_peer, subtree->buffer, offset_of(subtree, middle),
                      (size_t)(last - middle) * call->count);
}

/* The whole subtree to or from the parent; nothing at the root. */
static void post_parent(struct ct_plan *plan, enum ct_step_kind kind, const struct subtree *subtree)
{
    if (subtree->tree.parent >= 0)
        post(plan, kind, subtree, subtree->tree.parent, subtree->rank, subtree->end);
}

/* The subtree of child `index` to or from it. */
static void post_child(struct ct_plan *plan, enum ct_step_kind kind, const struct subtree *subtree, int index)
{
    const struct ct_tree *tree = &subtree->tree;
    int end = index + 1 < tree->child_count ? tree->children[index + 1] : subtree->end;
    post(plan, kind, subtree, tree->children[index], tree->children[index], end);
}

void ct_gather_tree(struct ct_plan *plan, const struct ct_call *call)
{
    struct subtree subtree;
    find_subtree(plan, call, CT_BUFFER_RECV, CT_BUFFER_SEND, &subtree);
    for (int i = 0; i < subtree.tree.child_count; i++)
        post_child(plan, CT_STEP_RECEIVE, &subtree, i);
    if (subtree.buffer != CT_BUFFER_SEND && !call->in_place)
        ct_copy(plan, subtree.buffer, offset_of(&subtree, subtree.rank), CT_BUFFER_SEND, 0, call->count);
    ct_round_end(plan);
    post_parent(plan, CT_STEP_SEND, &subtree);
}

void ct_scatter_tree(struct ct_plan *plan, const struct ct_call *call)
{
    struct subtree subtree;
    find_subtree(plan, call, CT_BUFFER_SEND, CT_BUFFER_RECV, &subtree);
    post_parent(plan, CT_STEP_RECEIVE, &subtree);
    ct_round_end(plan);
    for (int i = subtree.tree.child_count - 1; i >= 0; i--)
        post_child(plan, CT_STEP_SEND, &subtree, i);
    if (subtree.buffer != CT_BUFFER_RECV && !call->in_place)
        ct_copy(plan, CT_BUFFER_RECV, 0, subtree.buffer, offset_of(&subtree, subtree.rank), call->count);
}
