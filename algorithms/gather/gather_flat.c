/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/gather/gather_flat.h"

void ct_gather_own(struct ct_plan *plan, const struct ct_call *call)
{
    if (!call->in_place)
        ct_copy_slice(plan, ct_recv_block(call, call->rank),
                      (struct ct_slice){.buffer = CT_BUFFER_SEND, .n = call->count});
}

void ct_gather_flat(struct ct_plan *plan, const struct ct_call *call, unsigned window)
{
    if (call->rank != call->root) {
        ct_send(plan, call->root, CT_BUFFER_SEND, 0, call->count);
        return;
    }
    for (int peer = 0; peer < call->size; peer++)
        if (peer != call->root)
            ct_post(plan, CT_STEP_RECEIVE, peer, ct_recv_block(call, peer), CT_DEFERRAL_IN_ROUND);
    ct_gather_own(plan, call);
    ct_window(plan, window);
}
