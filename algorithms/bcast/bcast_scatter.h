/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_BCAST_BCAST_SCATTER_H
#define CT_ALGORITHMS_BCAST_BCAST_SCATTER_H

#include "algorithms/allgather/allgather_parts.h"

/* The call's data dealt to the ranks as parts of CT_BUFFER_RECV, the root's first. */
struct ct_allgather_parts ct_bcast_parts(const struct ct_call *call);

/* Down a binomial tree from the root every rank gets its part and those of its subtree. The first ranks, as
 * many pairs as are `folded`, are left out where they are odd, and the even ones get the parts of both. */
void ct_bcast_scatter(struct ct_plan *plan, const struct ct_allgather_parts *group, int folded);

#endif
