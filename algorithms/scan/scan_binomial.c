/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums go up a binomial tree in which each rank is the last of its subtree, then prefixes go down: a rank
 * receives the prefix of the ranks before its subtree, and so has what the subtrees within its own lack.
 * Twice the steps of recursive doubling, but fewer than two messages per rank.
 * Memory: scan: m; exscan: 2 m. */
#include "algorithms/descriptor.h"
#include "algorithms/scan/scan_prefix.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_prefix prefix = ct_prefix_begin(plan, call, call->descriptor == &ct_exscan_binomial);
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

const struct ct_descriptor ct_scan_binomial = {
    .text = "sums go up a binomial tree, prefixes come down",
    .source = "Sanders and Traeff 2006 (binomial tree); Blelloch 1990",
    .cost = "(2 ceil(log2 P) - 1) (alpha + m (beta + gamma))",
    .build = build,
};

const struct ct_descriptor ct_exscan_binomial = {
    .text = "sums go up a binomial tree, prefixes come down",
    .source = "Sanders and Traeff 2006 (binomial tree); Blelloch 1990",
    .cost = "(2 ceil(log2 P) - 1) (alpha + m (beta + 2 gamma))",
    .build = build,
};
