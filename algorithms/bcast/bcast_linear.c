/* SPDX-License-Identifier: BSD-3-Clause */
/* The root sends the whole message to every rank, all sends at once. */
#include "algorithms/registry.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    if (call->rank != call->root) {
        ct_receive(plan, call->root, CT_BUFFER_RECV, 0, call->count);
        return;
    }
    for (int peer = 0; peer < call->size; peer++)
        if (peer != call->root)
            ct_send(plan, peer, CT_BUFFER_RECV, 0, call->count);
}

const struct ct_descriptor ct_bcast_linear = {
    .text = "the root sends to every rank",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.3 (flat tree)",
    .cost = "(P - 1) (alpha + m beta)",
    .build = build,
};
