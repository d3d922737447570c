/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_ALLREDUCE_ALLREDUCE_H
#define CT_ALGORITHMS_ALLREDUCE_ALLREDUCE_H

#include "algorithms/descriptor.h"

/* Algorithms that have a special case of their own, where they lack their parameter. */

/* allreduce/recursive_multiplying; recursive_doubling has no radix, which then is 2. */
void ct_allreduce_recursive(struct ct_plan *plan, const struct ct_call *call);

/* allreduce/ring_segmented; ring has no segments. */
void ct_allreduce_ring_blocks(struct ct_plan *plan, const struct ct_call *call);

#endif
