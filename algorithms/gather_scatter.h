/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_GATHER_SCATTER_H
#define CT_ALGORITHMS_GATHER_SCATTER_H

#include "algorithms/descriptor.h"

/* Shared by algorithms of gather and scatter: blocks move between the root and all other ranks. */

/* The root receives from or sends to every rank directly, at most as many messages at once as
 * ct_requests_parameter says; all at once where the algorithm does not have it. Blocks may differ in length.
 */
void ct_gather_flat(struct ct_plan *plan, const struct ct_call *call);
void ct_scatter_flat(struct ct_plan *plan, const struct ct_call *call);

/* Puts the root's own block in its place in a gather's result, if it is not there already. */
void ct_gather_own(struct ct_plan *plan, const struct ct_call *call);

/* Equal blocks move along a k-nomial tree with ct_wide_radix_parameter, or a binomial one: the blocks of a
 * subtree, whose ranks are consecutive, in one message between its parent and its root. Gathers receive from
 * all children at once; scatters send to the largest subtree first.
 *
 * Below the root of the call a buffer holds the blocks of a subtree in the order of virtual ranks. At the
 * root they lie by real rank: there the subtree that goes on from the last rank to the first is in two
 * places. It moves as two messages between the root and that child, since that costs less than memory and a
 * copy of up to half of the data. */
void ct_gather_tree(struct ct_plan *plan, const struct ct_call *call);
void ct_scatter_tree(struct ct_plan *plan, const struct ct_call *call);

#endif
