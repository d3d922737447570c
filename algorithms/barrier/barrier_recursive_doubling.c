/* SPDX-License-Identifier: BSD-3-Clause */
/* In step k ranks 2^k apart tell each other. Where P is not a power of two, the ranks that are left over pair
 * up with the first ones, which report for them before and release them after.
 *
 * Source: Pjesivac-Grbovic 2007, section 4.1.2, table 4.2.
 * Cost:   floor(log2 P) (+ 2) alpha.
 * Memory: none. */
#include "algorithms/registry.h"
#include "plan/shapes.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    int rank = call->rank, power = ct_power_of_two_below(call->size);
    bool reports_for_another = rank < call->size - power;
    if (rank >= power) {
        ct_send_token(plan, rank - power);
        ct_round_end(plan);
        ct_receive_token(plan, rank - power);
        return;
    }
    if (reports_for_another) {
        ct_receive_token(plan, rank + power);
        ct_round_end(plan);
    }
    for (int distance = 1; distance < power; distance *= 2) {
        ct_receive_token(plan, rank ^ distance);
        ct_send_token(plan, rank ^ distance);
        ct_round_end(plan);
    }
    if (reports_for_another)
        ct_send_token(plan, rank + power);
}

const struct ct_descriptor ct_barrier_recursive_doubling = {
    .text = "in step k ranks 2^k apart tell each other",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "floor(log2 P) (+ 2) alpha",
    /* lg(P) - odd(P) is the rounded down logarithm */
    .sends = {"lg(P)", "0", "2^(lg(P) - odd(P)) * (lg(P) - odd(P)) + 2 * (P - 2^(lg(P) - odd(P)))", "0"},
    .build = build,
};
