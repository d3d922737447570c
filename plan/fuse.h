/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_FUSE_H
#define CT_PLAN_FUSE_H

#include "plan/plan.h"

/* Rewrites a finished plan of a reduction for ranks that share a node, whose messages arrive in pieces that
 * can be combined at once. A receive and the reduction of what it brings become one step:
 *
 * - receive into t, then d = t op d: becomes CT_STEP_RECEIVE_LOWER into d, if nothing else reads t. The
 *   temporary memory is not used then.
 * - receive into d, then d = s op d: becomes CT_STEP_RECEIVE_UPPER. A piece is combined while it is in the
 *   cache.
 *
 * The step stands where the receive stood, and is waited for when that was. So nothing between the two may
 * touch d (of the former), or write s (of the latter). That is a matter of this plan alone: the messages stay
 * as they are, and other ranks need not rewrite theirs. Algorithms know nothing of this, and the verifier
 * reads the result as it reads all plans. */

/* Shorter messages arrive whole, and to copy them takes no time: the library leaves them as they are. */
enum { CT_FUSED_BYTES = 64 };

struct ct_fusion {
    /* Does the rank share this one's node? */
    bool (*is_near)(const void *context, int peer);
    const void *context;
    size_t least; /* units; shorter messages stay as they are */
    size_t limit; /* units; messages of so many or more stay as they are, too; 0: there is none */
};

/* Rewrites all rounds in place. A plan that was drained must not be rewritten. *ret_fused is the number of
 * fused steps. CT_OK, or CT_E_MEMORY with the plan unchanged. */
int ct_plan_fuse(struct ct_plan *plan, const struct ct_fusion *fusion, size_t *ret_fused);

#endif
