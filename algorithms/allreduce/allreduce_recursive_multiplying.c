/* SPDX-License-Identifier: BSD-3-Clause */
/* Recursive doubling with wider steps: in step k groups of `radix` ranks, radix^k apart, swap all they have
 * combined, each with each. The last step takes as many as fit, 2 to radix - 1, and the fewer than radix^k
 * ranks that are then left over pair up with others before and after.
 *
 * Source: Ruefenacht, Bull, Booth 2017, "Generalisation of recursive doubling for AllReduce: Now with
 * simulation". MPICH has it by this name.
 * Cost:   ceil(log_radix P) (+ 2) (alpha + (radix - 1) m (beta + gamma)), messages of a step at once.
 * Memory: (radix - 1) m. */
#include "algorithms/allreduce/allreduce_recursive.h"
#include "algorithms/registry.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    ct_allreduce_recursive(plan, call, (int)call->values[0]);
}

/* With W = power(radix, P), floor(P / W) is the width of the last step, and P - floor(P / W) W ranks are left
 * over. */
const struct ct_descriptor ct_allreduce_recursive_multiplying = {
    .text = "in step k groups of radix ranks swap and combine all they have",
    .source = "Ruefenacht, Bull, Booth 2017",
    .cost = "ceil(log_radix P) (+ 2) (alpha + (radix - 1) m (beta + gamma))",
    .sends =
        {"(radix - 1) * lgr(radix, power(radix, P)) + floor(P / power(radix, P)) - 1 + min(P - floor(P / "
         "power(radix, P)) * power(radix, P), 1)",
         "((radix - 1) * lgr(radix, power(radix, P)) + floor(P / power(radix, P)) - 1 + min(P - floor(P / "
         "power(radix, P)) * power(radix, P), 1)) * m",
         "floor(P / power(radix, P)) * power(radix, P) * ((radix - 1) * lgr(radix, power(radix, P)) + "
         "floor(P / power(radix, P)) - 1) + 2 * (P - floor(P / power(radix, P)) * power(radix, P))",
         "(floor(P / power(radix, P)) * power(radix, P) * ((radix - 1) * lgr(radix, power(radix, P)) + "
         "floor(P / power(radix, P)) - 1) + 2 * (P - floor(P / power(radix, P)) * power(radix, P))) * m"},
    .parameters = {&ct_wide_radix_parameter},
    .build = build,
};
