/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_SHARE_SENDS_H
#define CT_PLAN_SHARE_SENDS_H

#include "plan/fuse.h"

/* Marks sends of one slice in one round to ranks of this node: they may be one copy into memory that all of
 * these read. `other` of such steps is the number of their group in the round, from 1 on; that of other sends
 * is 0. The mark changes nothing of what the steps do, or of when each is complete. */

/* Shorter messages are copied for each receiver, which takes no longer. */
enum { CT_SHARED_BYTES = 2048 };

/* Marks all rounds of a finished plan. *ret_shared is the number of marked steps. */
void ct_plan_share_sends(struct ct_plan *plan, const struct ct_fusion *fusion, size_t *ret_shared);

/* Do two sends read the same slice? */
static inline bool ct_is_same_slice(const struct ct_step *a, const struct ct_step *b)
{
    return a->buffer == b->buffer && a->block == b->block && a->offset == b->offset && a->n == b->n;
}

#endif
