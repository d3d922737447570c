/* SPDX-License-Identifier: BSD-3-Clause */
/* Fan-in, fan-out: reports run up a k-nomial tree to rank 0, the release runs down it. A rank hears all its
 * children at once, and releases the largest subtree first.
 *
 * Source: Pjesivac-Grbovic 2007, section 4.1.2 (fan-in-fan-out as a gather and a broadcast).
 * Cost:   at most radix ceil(log_radix P) alpha: a level up costs one alpha, one down radix - 1.
 * Memory: none. */
#include "algorithms/registry.h"
#include "plan/shapes.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_tree tree;
    ct_tree_knomial(call->rank, call->size, (int)call->values[0], &tree);
    ct_tree_reverse(&tree);
    for (int i = 0; i < tree.child_count; i++)
        ct_receive_token(plan, tree.children[i]);
    ct_round_end(plan);
    if (tree.parent >= 0) {
        ct_send_token(plan, tree.parent);
        ct_round_end(plan);
        ct_receive_token(plan, tree.parent);
        ct_round_end(plan);
    }
    for (int i = 0; i < tree.child_count; i++)
        ct_send_token(plan, tree.children[i]);
}

const struct ct_descriptor ct_barrier_tree = {
    .text = "reports run up a k-nomial tree, the release down it",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "radix ceil(log_radix P) alpha",
    /* rank 0's children; lgr(radix, P + 1) - 1 is the rounded down logarithm: on so many levels all are there
     */
    .sends = {"(lgr(radix, P + 1) - 1) * (radix - 1) + floor((P - 1) / radix^(lgr(radix, P + 1) - 1))", "0",
              "2 * (P - 1)", "0"},
    .parameters = {&ct_wide_radix_parameter},
    .build = build,
};
