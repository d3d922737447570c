/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXECUTE_KEPT_PLANS_H
#define CT_LIBRARY_EXECUTE_KEPT_PLANS_H

#include "algorithms/method.h"
#include "library/execute/channel_state.h"
#include "library/execute/shortcut.h"

/* Plans that a channel keeps for calls that repeat. */

/* A plan that is kept for calls that repeat one: all that plans depend on. */
struct ct_kept_plan {
    uint64_t used;    /* when it was last: the channel's count of uses */
    uint64_t since;   /* when it was kept: the same */
    unsigned flights; /* that carry it out; meanwhile it stays */
    struct ct_method method;
    int root;
    bool in_place;
    bool commutative;
    size_t count;
    size_t unit_bytes;
    size_t *lengths[2]; /* copies of send_counts and recv_counts */
    unsigned routes;    /* the number of its routes; 0 where it has none */
    struct ct_plan *plan;
    struct ct_shortcut *shortcut; /* of `plan`; NULL: it has none */
    /* `plan` as it is rewritten for ranks of a node, see fuse.h and share_sends.h; NULL: as it is. */
    struct ct_plan *fused;
    bool reduces; /* `fused` has receives that reduce */
};

/* Enough for all methods that a sweep calls in turn: it times calls as they repeat in applications. */
enum { CT_KEPT_PLANS = 64 };
/* Numbers of calls that came once: a plan is kept when its call comes again. */
enum { CT_SEEN_CALLS = 128 };

/* Those of a channel. */
struct ct_kept_plans {
    struct ct_kept_plan plans[CT_KEPT_PLANS]; /* since 0: an empty entry */
    uint64_t numbers[CT_KEPT_PLANS];          /* of their methods and calls */
    struct ct_kept_plan *last;                /* that of the last call; NULL if it had none */
    uint64_t uses;
    uint64_t number; /* of the call whose plan was looked for last */
    uint64_t seen[CT_SEEN_CALLS];
};

/* NULL if no plan is kept for such a call. Valid until the next one is kept. */
struct ct_kept_plan *ct_kept_plan_find(struct ct_channel *channel, const struct ct_method *method,
                                       const struct ct_call *call);
/* Where none was found for the call: has such a call come not long ago, so that its plan is worth keeping?
 * Asked once of each call. */
bool ct_kept_plan_is_wanted(struct ct_channel *channel, const struct ct_call *call);
/* Keeps a copy of the plan, where none was found, with its shortcut or its rewritten form, in an empty entry,
 * or in that which was not used for longest. Then it is that of the last call. NULL without memory, or if all
 * are in use. */
struct ct_kept_plan *ct_kept_plan_keep(struct ct_channel *channel, const struct ct_method *method,
                                       const struct ct_call *call, const struct ct_plan *plan);
void ct_kept_plans_forget(struct ct_channel *channel);

#endif
