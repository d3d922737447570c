/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/scatter/scatter_flat.h"

void ct_scatter_flat(struct ct_plan *plan, const struct ct_call *call, unsigned window)
{
    if (call->rank != call->root) {
        ct_receive(plan, call->root, CT_BUFFER_RECV, 0, call->count);
        return;
    }
    for (int peer = 0; peer < call->size; peer++)
        if (peer != call->root)
            ct_post(plan, CT_STEP_SEND, peer, ct_send_block(call, peer), CT_DEFERRAL_IN_ROUND);
    if (!call->in_place)
        ct_copy_slice(plan, (struct ct_slice){.buffer = CT_BUFFER_RECV}, ct_send_block(call, call->rank));
    ct_window(plan, window);
}
