/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_VERIFY_VERIFIER_INTERNAL_H
#define CT_PLAN_VERIFY_VERIFIER_INTERNAL_H

#include "base/hash.h"
#include "plan/verify/verifier_runs.h"

/* Shared by the verifier's files. Arrays grow, so entries refer to each other by index. */

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

/* For barriers: sets of the ranks that are known to have entered. */
struct ct_knowledge {
    size_t words; /* of a set; 0 where nothing is recorded */
    uint64_t *ranks;
    size_t ranks_capacity;
    uint64_t *carried; /* sets carried by messages */
    size_t carried_capacity;
    uint32_t carried_count;
    uint32_t *idle; /* indices into `carried` */
    size_t idle_count;
    size_t idle_capacity;
};

/* 128 bits that tell plans and their task from others. */
struct ct_fingerprint {
    uint64_t low, high;
};

/* What was found about plans without a flaw. */
struct ct_known_plan {
    uint64_t high; /* of the fingerprint */
    size_t steps, messages, units;
};

struct ct_known_plans {
    struct ct_hash_table table; /* by `low` */
    struct ct_known_plan *items;
    size_t count, capacity;
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
};

static inline struct ct_cells *ct_verifier_cells(struct ct_verifier *verifier, int rank, unsigned buffer)
{
    return &verifier->cells[verifier->ranks[rank].cells + buffer];
}

/* --- verifier_engine.c --- */

/* Carries out all plans to their end. */
int ct_verifier_run(struct ct_verifier *verifier);

/* --- verifier_message.c --- */

void ct_channels_reset(struct ct_verifier *verifier);
/* Posts a flight; where its other end is posted already, the message moves and both are done. */
int ct_verifier_post(struct ct_verifier *verifier, uint32_t flight);

/* --- verifier_flight.c --- */

int ct_flights_reset(struct ct_verifier *verifier);
/* Adds a step to the rank's list of flights. */
int ct_flight_begin(struct ct_verifier *verifier, int rank, const struct ct_step *step, size_t position,
                    size_t operand, uint32_t *ret_flight);
/* It has been waited for. */
void ct_flight_end(struct ct_verifier *verifier, uint32_t flight);
/* The flight that overlaps with an access to [begin, begin + n), CT_NO_FLIGHT where there is none. */
uint32_t ct_flight_in_way(const struct ct_verifier *verifier, int rank, unsigned buffer, size_t begin,
                          size_t n, bool writes);
/* The flight of that slot. */
uint32_t ct_flight_of_slot(const struct ct_verifier *verifier, int rank, unsigned slot);

/* --- verifier_knowledge.c --- */

int ct_knowledge_reset(struct ct_knowledge *knowledge, int size);
/* Copies what `rank` knows now into a set that a message carries. */
int ct_knowledge_send(struct ct_knowledge *knowledge, int rank, uint32_t *ret_carried);
void ct_knowledge_receive(struct ct_knowledge *knowledge, int rank, uint32_t carried);
/* The first rank that `rank` does not know of; `size` where it knows of all. */
int ct_knowledge_lacks(const struct ct_knowledge *knowledge, int rank, int size);

/* --- verifier_known.c --- */

struct ct_fingerprint ct_fingerprint_of(const struct ct_task *task, const struct ct_plan *plans);
/* NULL: these plans were not verified, or long ago. */
const struct ct_known_plan *ct_known_find(const struct ct_known_plans *known, struct ct_fingerprint print);
/* CT_OK or CT_E_MEMORY. */
int ct_known_add(struct ct_known_plans *known, struct ct_fingerprint print, const struct ct_verdict *verdict);
void ct_known_free(struct ct_known_plans *known);

/* --- verifier_locate.c --- */

/* Position of the slice that the step writes (`written`) or else reads, in *ret_buffer; of a receive that
 * reduces, the operand that this rank has. False where it has none or is out of bounds. */
bool ct_step_locate(const struct ct_verifier *verifier, int rank, const struct ct_step *step, bool written,
                    unsigned *ret_buffer, size_t *ret_begin);

/* --- verifier_check.c --- */

/* Is the step well-formed? Finds the positions of its slices. */
int ct_check_message(struct ct_verifier *verifier, int rank, const struct ct_step *step, size_t *ret_begin,
                     size_t *ret_operand);
int ct_check_local(struct ct_verifier *verifier, int rank, const struct ct_step *step, size_t *ret_from,
                   size_t *ret_to);
/* Are all results complete and correct, and is everything stored used? */
int ct_check_results(struct ct_verifier *verifier);

/* --- verifier_sparse_task.c --- */

/* ct_task_make() of a sparse collective, whose pattern must be whole: what a rank has for another one, that
 * one expects. */
int ct_sparse_task_make(enum ct_collective collective, const struct ct_call *call,
                        struct ct_task_memory *memory, struct ct_task *ret_task);

/* --- verifier_report.c --- */

/* Records the flaw with one line: rank, round, step, and the formatted rest. Returns CT_E_ANSWER. `step` may
 * be NULL: then the round is the one that the rank is in. */
int ct_verifier_fail(struct ct_verifier *verifier, enum ct_flaw flaw, int rank, const struct ct_step *step,
                     const char *format, ...) __attribute__((format(printf, 5, 6)));
/* The same for what an operation on cells found in `buffer` of `rank`. */
int ct_verifier_fault(struct ct_verifier *verifier, const struct ct_fault *fault, int rank,
                      const struct ct_step *step, unsigned buffer);
/* A flaw at a position at the end: names the last step that wrote it. */
int ct_verifier_fail_at(struct ct_verifier *verifier, enum ct_flaw flaw, int rank, unsigned buffer,
                        size_t position, const char *format, ...) __attribute__((format(printf, 6, 7)));
/* No rank can go on: which rank waits for which? */
int ct_verifier_stuck(struct ct_verifier *verifier);
/* The number of the step within its round. */
size_t ct_step_place(const struct ct_plan *plan, const struct ct_step *step);

#endif
