/* SPDX-License-Identifier: BSD-3-Clause */
/* All ranks send to the root, which combines their data from the highest rank down, in rank order, while the
 * next data arrive.
 * Memory: at most 2 m, at the root; 3 m where it is in place, order counts and it is not the highest rank. */
#include "algorithms/registry.h"

struct gathering {
    const struct ct_call *call;
    unsigned sum;
    int in_sum;      /* 1: the first data are received there; 0: it holds our own data from the start */
    unsigned blocks; /* two, into which the others are received in turn */
};

/* The rank whose data arrive as number k: 0 is the highest but for the root. */
static int sender(const struct ct_call *call, int k)
{
    int rank = call->size - 1 - k;
    return rank > call->root ? rank : rank - 1;
}

static size_t block_offset(const struct gathering *root, int k)
{
    return (size_t)((k - root->in_sum) % 2) * root->call->count;
}

static void receive(struct ct_plan *plan, const struct gathering *root, int k)
{
    const struct ct_call *call = root->call;
    if (k < root->in_sum)
        ct_receive(plan, sender(call, k), root->sum, 0, call->count);
    else if (k < call->size - 1)
        ct_receive(plan, sender(call, k), root->blocks, block_offset(root, k), call->count);
}

static void combine_all(struct ct_plan *plan, const struct gathering *root)
{
    const struct ct_call *call = root->call;
    unsigned input = ct_input(call);
    int above = call->commutative ? 1 : call->size - 1 - call->root; /* so many come before our own */
    receive(plan, root, 0);
    ct_round_end(plan);
    for (int k = 0; k < call->size - 1; k++) {
        receive(plan, root, k + 1);
        if (k >= root->in_sum)
            ct_reduce(plan, root->sum, 0, root->blocks, block_offset(root, k), call->count);
        if (root->in_sum && k + 1 == above)
            ct_reduce(plan, root->sum, 0, input, 0, call->count);
        ct_round_end(plan);
    }
}

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    if (call->rank != call->root) {
        ct_send(plan, call->root, CT_BUFFER_SEND, 0, call->count);
        return;
    }
    int others = call->size - 1;
    bool begins_with_own = call->commutative ? call->in_place || others == 0 : call->root == others;
    struct gathering root = {.call = call, .sum = CT_BUFFER_RECV, .in_sum = begins_with_own ? 0 : 1};
    if (begins_with_own && !call->in_place)
        ct_copy(plan, CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 0, call->count);
    if (!begins_with_own && call->in_place)
        root.sum = ct_temporary(plan, call->count);
    if (others > root.in_sum)
        root.blocks = ct_temporary(plan, others > root.in_sum + 1 ? 2 * call->count : call->count);
    combine_all(plan, &root);
    if (root.sum != CT_BUFFER_RECV)
        ct_copy(plan, CT_BUFFER_RECV, 0, root.sum, 0, call->count);
}

const struct ct_descriptor ct_reduce_linear = {
    .text = "all ranks send to the root, which combines from the highest rank down",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.8 (flat tree)",
    .cost = "(P - 1) (alpha + m (beta + gamma))",
    .build = build,
};
