/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/alltoall/alltoall_blocks.h"
#include "plan/shapes.h"

void ct_alltoall_own(struct ct_plan *plan, const struct ct_call *call)
{
    ct_copy_slice(plan, ct_recv_block(call, call->rank), ct_send_block(call, call->rank));
}

void ct_alltoall_exchange(struct ct_plan *plan, const struct ct_call *call, int from, int to)
{
    ct_post(plan, CT_STEP_RECEIVE, from, ct_recv_block(call, from), CT_DEFERRAL_IN_ROUND);
    ct_post(plan, CT_STEP_SEND, to, ct_send_block(call, to), CT_DEFERRAL_IN_ROUND);
}

/* The k-th receive of any rank meets the k-th send of another: with two messages outstanding at each, those
 * of the least k that is not done are on their way at both ends. */
void ct_alltoall_at_once(struct ct_plan *plan, const struct ct_call *call, unsigned window)
{
    ct_window(plan, window);
    for (int distance = 1; distance < call->size; distance++)
        ct_alltoall_exchange(plan, call, ct_virtual(call->rank, distance, call->size),
                             ct_actual(call->rank, distance, call->size));
    ct_alltoall_own(plan, call);
}
