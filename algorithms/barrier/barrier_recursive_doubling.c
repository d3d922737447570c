/* SPDX-License-Identifier: BSD-3-Clause */
/* In step k ranks 2^k apart signal each other. Where P is not a power of two, each remaining rank has a
 * partner among the first ranks, which reports for it before and releases it afterwards. */
#include "algorithms/descriptor.h"
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
    .text = "in step k ranks 2^k apart signal each other",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.2",
    .cost = "floor(log2 P) (+ 2) alpha",
    .build = build,
};
