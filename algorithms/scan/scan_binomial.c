/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums go up a binomial tree in which each rank is the last of its subtree, then prefixes go down: a rank
 * gets that of the ranks before its subtree and so has what the subtrees within its own lack. Twice the
 * steps of recursive doubling, but fewer than two messages a rank.
 *
 * Source: Sanders and Traeff 2006 (binomial tree); Blelloch 1990.
 * Cost:   (2 ceil(log2 P) - 1) (alpha + m (beta + gamma)); exscan adds twice.
 * Memory: scan: m; exscan: 2 m. */
#include "algorithms/registry.h"
#include "algorithms/scan/scan_prefix.h"

static void build(struct ct_plan *plan, const struct ct_call *call, bool exclusive)
{
    struct ct_prefix prefix = ct_prefix_begin(plan, call, exclusive);
    int rank = call->rank, others = call->size - 1 - rank;
    int subtree = (rank + 1) & -(rank + 1); /* so many ranks, this one the last */
    bool is_sent = subtree > 1 && others > 0;

    for (int distance = 1; distance < subtree; distance *= 2)
        ct_prefix_receive(plan, &prefix, rank - distance, is_sent);
    if (subtree <= others)
        ct_send(plan, rank + subtree, prefix.sum, 0, call->count);
    if (subtree <= rank)
        ct_prefix_receive(plan, &prefix, rank - subtree, is_sent);
    for (int distance = subtree / 2; distance > 0; distance /= 2)
        if (distance <= others)
            ct_send(plan, rank + distance, prefix.sum, 0, call->count);
}

static void build_scan(struct ct_plan *plan, const struct ct_call *call)
{
    build(plan, call, false);
}

static void build_exscan(struct ct_plan *plan, const struct ct_call *call)
{
    build(plan, call, true);
}

const struct ct_descriptor ct_scan_binomial = {
    .text = "sums up a binomial tree, prefixes down it",
    .source = "Sanders and Traeff 2006",
    .cost = "(2 ceil(log2 P) - 1) (alpha + m (beta + gamma))",
    .sends = {"lg(P)", "lg(P) * m", "2 * P - 2 - lg(P)", "(2 * P - 2 - lg(P)) * m"},
    .build = build_scan,
};

const struct ct_descriptor ct_exscan_binomial = {
    .text = "sums up a binomial tree, prefixes down it",
    .source = "Sanders and Traeff 2006",
    .cost = "(2 ceil(log2 P) - 1) (alpha + m (beta + 2 gamma))",
    .sends = {"lg(P)", "lg(P) * m", "2 * P - 2 - lg(P)", "(2 * P - 2 - lg(P)) * m"},
    .build = build_exscan,
};
