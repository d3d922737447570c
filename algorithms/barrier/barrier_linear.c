/* SPDX-License-Identifier: BSD-3-Clause */
/* All ranks report to rank 0, which then releases them. */
#include "algorithms/descriptor.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    if (call->rank != 0) {
        ct_send_token(plan, 0);
        ct_round_end(plan);
        ct_receive_token(plan, 0);
        return;
    }
    for (int peer = 1; peer < call->size; peer++)
        ct_receive_token(plan, peer);
    ct_round_end(plan);
    for (int peer = 1; peer < call->size; peer++)
        ct_send_token(plan, peer);
}

const struct ct_descriptor ct_barrier_linear = {
    .text = "all ranks report to rank 0, which then releases them",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.2 (flat tree)",
    .cost = "P alpha",
    .build = build,
};
