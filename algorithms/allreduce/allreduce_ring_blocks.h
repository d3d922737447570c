/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_ALLREDUCE_ALLREDUCE_RING_BLOCKS_H
#define CT_ALGORITHMS_ALLREDUCE_ALLREDUCE_RING_BLOCKS_H

#include "plan/call.h"

/* The data is dealt into a block for each rank. Each block travels once around the ring being combined, then
 * once more as the result, in segments of at most `segment_bytes` (0: whole), several of which are under
 * way at a time, while those that came before them are combined. Blocks may be empty, so any count will do.
 */
void ct_allreduce_ring_blocks(struct ct_plan *plan, const struct ct_call *call, size_t segment_bytes);

#endif
