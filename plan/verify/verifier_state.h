/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_VERIFY_VERIFIER_STATE_H
#define CT_PLAN_VERIFY_VERIFIER_STATE_H

#include "algorithms/routing.h"
#include "base/hash.h"
#include "plan/plan.h"
#include "plan/verify/verifier_knowledge.h"
#include "plan/verify/verifier_known.h"
#include "plan/verify/verifier_runs.h"
#include "plan/verify/verifier_task.h"
#include "plan/verify/verifier_verdict.h"

/* What a verifier holds. Arrays grow, so entries refer to each other by index. */

enum { CT_NO_FLIGHT = 0 }; /* index 0 of the flights is never handed out */

/* A communication step from the round that lists it until it is waited for. */
struct ct_flight {
    const struct ct_step *step;
    size_t round;
    size_t begin;   /* position in its buffer */
    size_t operand; /* of receive upper: position of its first operand in `other` */
    int rank;
    bool done;   /* it has met its other end */
    bool waited; /* its rank is waiting for it */
    uint32_t next_in_channel;
    uint32_t next_to_post;
    uint32_t before, after; /* in the rank's list */
    uint32_t knowledge;     /* of barriers: what its message carries; 0 none */
};

enum ct_phase {
    CT_PHASE_ENTERS,
    CT_PHASE_AWAITS_NAMED,
    CT_PHASE_POSTS,
    CT_PHASE_AWAITS_ROUND,
    CT_PHASE_AWAITS_END,
    CT_PHASE_LEFT
};

struct ct_rank_state {
    const struct ct_plan *plan;
    size_t cells; /* index of CT_BUFFER_SEND's; the other buffers' follow */
    enum ct_phase phase;
    bool asleep;
    bool stalled; /* in CT_PHASE_POSTS by its window */
    size_t round;
    size_t begin, end;  /* the round's steps */
    uint32_t reading;   /* flights: sends and tokens */
    uint32_t writing;   /* flights: receives */
    uint32_t to_post;   /* flights of the round, in list order */
    size_t outstanding; /* posted in this round and not done */
    size_t blockers;    /* waited for and not done */
};

/* Pending sends or receives, never both, from one rank to another. */
struct ct_channel {
    uint32_t head, tail;
};

struct ct_verifier {
    const struct ct_task *task;
    bool ordered;

    struct ct_rank_state *ranks;
    size_t rank_capacity;
    struct ct_cells *cells;
    size_t cell_count, cell_capacity;
    struct ct_traffic *traffic;
    size_t traffic_capacity;

    struct ct_flight *flights;
    size_t flight_count, flight_capacity;
    uint32_t idle_flight; /* list by `after` */

    struct ct_channel *channels;
    size_t channel_count, channel_capacity;
    struct ct_hash_table channel_table; /* by pair of ranks */

    int *ready; /* stack of ranks that can go on */
    size_t ready_count, ready_capacity;

    struct ct_knowledge knowledge;
    struct ct_run_array patch;
    struct ct_error *error;
    struct ct_verdict result;

    /* of ct_verify() */
    struct ct_plan *plans;
    size_t plan_count; /* ever used: all these are to be freed */
    size_t plan_capacity;
    struct ct_task_memory memory;
    struct ct_known_plans known;
    struct ct_router router; /* of exchanges whose blocks are forwarded */
};

static inline struct ct_cells *ct_verifier_cells(struct ct_verifier *verifier, int rank, unsigned buffer)
{
    return &verifier->cells[verifier->ranks[rank].cells + buffer];
}

#endif
