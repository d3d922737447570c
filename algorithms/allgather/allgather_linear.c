/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank sends its block to every other, all at once. Each begins with the next rank, so that no rank is
 * first in all lists. */
#include "algorithms/allgather/allgather_parts.h"
#include "algorithms/descriptor.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_allgather_parts group = ct_allgather_in_result(call);
    for (int i = 1; i < call->size; i++) {
        int peer = ct_virtual(call->rank, i, call->size);
        ct_receive_slice(plan, peer, ct_recv_block(call, peer));
    }
    for (int i = 1; i < call->size; i++)
        ct_send_slice(plan, ct_actual(call->rank, i, call->size), group.own);
    ct_allgather_place_own(plan, &group, ct_recv_block(call, call->rank));
}

const struct ct_descriptor ct_allgather_linear = {
    .text = "every rank sends to every other at once",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2 (linear alltoall)",
    .cost = "(P - 1) (alpha + m beta)",
    .build = build,
};
