/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_ALLTOALL_ALLTOALL_BLOCKS_H
#define CT_ALGORITHMS_ALLTOALL_ALLTOALL_BLOCKS_H

#include "algorithms/descriptor.h"

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
    ct_receive_slice(plan, from, ct_recv_block(call, from));
    ct_send_slice(plan, to, ct_send_block(call, to));
}

/* All blocks at once, see alltoall_linear.c. */
void ct_alltoall_at_once(struct ct_plan *plan, const struct ct_call *call);

#endif
