/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_NODE_SHOWN_CALLS_H
#define CT_LIBRARY_NODE_SHOWN_CALLS_H

#include "library/node/call_counts.h"
#include "library/node/lane.h"

/* What a rank lets the other ranks of its node see in its own memory: how often it has arrived for each of
 * them, and which blocking calls it has left. The rank alone writes it, so that it finds it in its cache as
 * long as nobody waits. All zeroes at first. */

enum {
    CT_SHOWN_RANKS = 768, /* ranks of a node that are told apart */
    CT_SHOWN_SETS = 60    /* sets of ranks whose calls are shown */
};

struct ct_shown_calls {
    _Alignas(CT_LINE) _Atomic uint32_t arrivals[CT_SHOWN_RANKS]; /* by rank of the node */
    /* By set of ranks, until one that has no label: the number of the call that this rank has left last. */
    struct ct_shown_count {
        _Atomic uint64_t set_label;
        _Atomic uint32_t left;
    } counts[CT_SHOWN_SETS];
};

/* This rank arrives for another one. */
static inline void ct_shown_arrive(struct ct_shown_calls *own, int other)
{
    uint32_t number = atomic_load_explicit(&own->arrivals[other], memory_order_relaxed) + 1;
    atomic_store_explicit(&own->arrivals[other], number, memory_order_release);
}

/* Has the rank `other`, which shows `theirs`, arrived for `rank` as often as `rank` for it? */
static inline bool ct_shown_has_arrived(const struct ct_shown_calls *own, int rank,
                                        const struct ct_shown_calls *theirs, int other)
{
    uint32_t here = atomic_load_explicit(&own->arrivals[other], memory_order_relaxed);
    uint32_t there = atomic_load_explicit(&theirs->arrivals[rank], memory_order_acquire);
    return (int32_t)(there - here) >= 0;
}

/* Shows the calls of a set at that place from now on. */
void ct_shown_add(struct ct_shown_calls *own, unsigned place, struct ct_call_count *count);

/* Is it seen that the rank has left the call? */
bool ct_shown_has_left(const struct ct_shown_calls *theirs, const struct ct_lane_call *call);

#endif
