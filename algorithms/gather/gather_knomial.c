/* SPDX-License-Identifier: BSD-3-Clause */
/* As gather/binomial, up a k-nomial tree, which is flatter. Messages from different children overlap. */
#include "algorithms/gather_scatter.h"
#include "algorithms/registry.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    ct_gather_tree(plan, call, (int)ct_value(call, &ct_wide_radix_parameter));
}

/* The largest subtree is that of the first child at the largest distance, or, where few ranks are left for
 * it, that of a child one level below. */
const struct ct_descriptor ct_gather_knomial = {
    .text = "up a k-nomial tree, a subtree's blocks in one message",
    .source = "MPICH 4.0, Igather tsp_tree knomial",
    .cost = "(radix - 1) ceil(log_radix P) alpha + (P - 1) m beta",
    .parameters = {&ct_wide_radix_parameter},
    .build = build,
};
