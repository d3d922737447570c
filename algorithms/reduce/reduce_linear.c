/* SPDX-License-Identifier: BSD-3-Clause */
/* All send to the root, which combines what comes in, from the highest rank down, while the next one's data
 * arrive: in rank order, whatever the operation.
 *
 * Source: Pjesivac-Grbovic 2007, section 4.1.2, table 4.8 (flat tree).
 * Cost:   (P - 1) (alpha + m (beta + gamma)).
 * Memory: 2 m at the root; 3 m where it is in place, order counts and it is not the highest rank. */
#include "algorithms/registry.h"

struct gathering {
    const struct ct_call *call;
    unsigned sum;
    unsigned blocks; /* two, in which data come in by turns */
    bool holds_own; /* the sum holds the root's own data from the start; else the first arrival comes in there
                     */
};

/* The rank whose data come in as number k: 0 is the highest but for the root. */
static int sender(const struct ct_call *call, int k)
{
    int rank = call->size - 1 - k;
    return rank > call->root ? rank : rank - 1;
}

static bool comes_into_sum(const struct gathering *root, int k)
{
    return k == 0 && !root->holds_own;
}

static void receive(struct ct_plan *plan, const struct gathering *root, int k)
{
    size_t n = root->call->count;
    if (k >= root->call->size - 1)
        return;
    if (comes_into_sum(root, k))
        ct_receive(plan, sender(root->call, k), root->sum, 0, n);
    else
        ct_receive(plan, sender(root->call, k), root->blocks, (size_t)(k % 2) * n, n);
}

static void combine_all(struct ct_plan *plan, const struct gathering *root)
{
    const struct ct_call *call = root->call;
    unsigned input = call->in_place ? CT_RECV : CT_SEND;
    int above = call->commutative ? 1 : call->size - 1 - call->root; /* so many are combined before our own */
    receive(plan, root, 0);
    ct_round_end(plan);
    for (int k = 0; k < call->size - 1; k++) {
        receive(plan, root, k + 1);
        if (!comes_into_sum(root, k))
            ct_reduce(plan, root->sum, 0, root->blocks, (size_t)(k % 2) * call->count, call->count);
        if (!root->holds_own && k + 1 == above)
            ct_reduce(plan, root->sum, 0, input, 0, call->count);
        ct_round_end(plan);
    }
}

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    if (call->rank != call->root) {
        ct_send(plan, call->root, CT_SEND, 0, call->count);
        return;
    }
    bool is_alone = call->size == 1, is_highest = call->root == call->size - 1;
    struct gathering root = {.call = call, .sum = CT_RECV};
    root.holds_own = call->commutative ? call->in_place || is_alone : is_highest;
    if (root.holds_own && !call->in_place)
        ct_copy(plan, CT_RECV, 0, CT_SEND, 0, call->count);
    if (!root.holds_own && call->in_place)
        root.sum = ct_temporary(plan, call->count);
    if (call->size > 2 || (root.holds_own && !is_alone))
        root.blocks = ct_temporary(plan, 2 * call->count);
    combine_all(plan, &root);
    if (root.sum != CT_RECV)
        ct_copy(plan, CT_RECV, 0, root.sum, 0, call->count);
}

const struct ct_algorithm reduce_linear = {
    .name = "linear",
    .collective = CT_REDUCE,
    .text = "all send to the root, which combines from the highest rank down",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "(P - 1) (alpha + m (beta + gamma))",
    .sends = {"min(P - 1, 1)", "min(P - 1, 1) * m", "P - 1", "(P - 1) * m"},
    .build = build,
};
