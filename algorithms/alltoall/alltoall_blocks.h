/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_ALLTOALL_ALLTOALL_BLOCKS_H
#define CT_ALGORITHMS_ALLTOALL_ALLTOALL_BLOCKS_H

#include "algorithms/algorithm.h"

/* Blocks that are sent directly to where they belong, in the round being written. They may differ in length.
 */

/* Copies this rank's block for itself. */
static inline void ct_alltoall_own(struct ct_plan *plan, const struct ct_call *call)
{
    ct_copy_slice(plan, ct_recv_block(call, call->rank), ct_send_block(call, call->rank));
}

/* Receives the block from one rank and sends that for another. */
static inline void ct_alltoall_exchange(struct ct_plan *plan, const struct ct_call *call, int from, int to)
{
    ct_post(plan, CT_STEP_RECEIVE, from, ct_recv_block(call, from), CT_DEFERRAL_IN_ROUND);
    ct_post(plan, CT_STEP_SEND, to, ct_send_block(call, to), CT_DEFERRAL_IN_ROUND);
}

/* All blocks, nearest ranks first, with at most `window` messages outstanding; 0 sets no bound. The k-th
 * receive of any rank meets the k-th send of another: with two messages outstanding at each, those of the
 * least k that is not done are in flight at both ends. */
static inline void ct_alltoall_at_once(struct ct_plan *plan, const struct ct_call *call, unsigned window)
{
    ct_window(plan, window);
    for (int distance = 1; distance < call->size; distance++)
        ct_alltoall_exchange(plan, call, ct_virtual(call->rank, distance, call->size),
                             ct_actual(call->rank, distance, call->size));
    ct_alltoall_own(plan, call);
}

#endif
