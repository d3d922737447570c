/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_ALLTOALL_ALLTOALL_BLOCKS_H
#define CT_ALGORITHMS_ALLTOALL_ALLTOALL_BLOCKS_H

#include "plan/call.h"

/* What the algorithms that send each block straight to where it belongs are made of. Equal blocks and those
 * of any length are the same to them. */

/* Copies this rank's block for itself, in the round being written. */
void ct_alltoall_own(struct ct_plan *plan, const struct ct_call *call);

/* Receives the block from one rank and sends that for another, in the round being written. */
void ct_alltoall_exchange(struct ct_plan *plan, const struct ct_call *call, int from, int to);

/* All blocks in one round, nearest ranks first, at most `window` messages outstanding; 0 sets no bound. */
void ct_alltoall_at_once(struct ct_plan *plan, const struct ct_call *call, unsigned window);

#endif
