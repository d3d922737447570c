/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports go up a k-nomial tree to rank 0 and the release comes down. A rank receives the reports of all its
 * children at once, and releases the largest subtree first: a level costs one alpha on the way up and radix -
 * 1 on the way down. */
#include "algorithms/descriptor.h"
#include "algorithms/shared_parameters.h"
#include "plan/shapes.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_tree tree;
    ct_tree_knomial(call->rank, call->size, (int)ct_value(call, &ct_wide_radix_parameter), &tree);
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
    .text = "reports go up a k-nomial tree, the release comes down",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2 (fan-in-fan-out)",
    .cost = "radix ceil(log_radix P) alpha",
    .parameters = {&ct_wide_radix_parameter},
    .build = build,
};
