/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_EVALUATE_RANK_CLOCKS_H
#define CT_MODELS_EVALUATE_RANK_CLOCKS_H

#include "models/evaluate/mail.h"
#include "models/evaluate/ports.h"
#include "models/evaluate/script.h"

/* The actions of ranks, timed: each rank has a clock, which carries out the rank's actions (script.h) until
 * the rank must wait for a message. */

struct ct_rank_notes;

/* The progress of a rank. */
struct ct_rank_clock {
    double now;                   /* the CPU is busy until then */
    double send_port;             /* is busy until then */
    double receive_port;          /* is busy until then */
    double posted;                /* when the receives of its round were */
    double all_sent;              /* all sends so far are done then */
    const struct ct_action *next; /* actions; `left` of them */
    uint32_t left;                /* CT_NOT_ENTERED while there are none yet */
    uint32_t chunk;               /* of the action store (evaluate.c); or CT_NOT_KEPT */
    struct ct_rank_notes *notes;
};

_Static_assert(sizeof(struct ct_rank_clock) == 64, "a clock fills one cache line");

#define CT_NOT_ENTERED UINT32_MAX
#define CT_NOT_KEPT    UINT32_MAX

/* All zeroes to begin with; memory is kept from call to call. */
struct ct_rank_clocks {
    struct ct_rank_clock *all; /* by rank */
    size_t capacity;
    int size; /* ranks whose clocks are in use */
    struct ct_mail mail;
    int *ready; /* stack of ranks that waited for a message that has been sent since */
    size_t ready_count, ready_capacity;
    const struct ct_script_costs *costs; /* of all actions */
    bool shares_links;                   /* messages share links, and wait for their receive */
    struct ct_batch batch;
    struct ct_error *error;
};

void ct_rank_clocks_free(struct ct_rank_clocks *clocks);

/* Clocks for the ranks of another call, which have no actions yet. CT_OK or CT_E_MEMORY. */
int ct_rank_clocks_begin(struct ct_rank_clocks *clocks, int size, bool shares_links,
                         const struct ct_script_costs *costs, struct ct_error *error);

/* Ends the call. The times of the clocks are lost. */
void ct_rank_clocks_end(struct ct_rank_clocks *clocks);

/* The rank has carried out all its actions. */
static inline bool ct_rank_clock_is_done(const struct ct_rank_clock *clock)
{
    return clock->left == 0;
}

/* Frees what a rank that has left needs no longer. */
void ct_rank_clock_leave(struct ct_rank_clock *clock);

/* Carries out the rank's actions until it has none left, or must wait for a message. Ranks that waited for
 * its messages become ready. CT_OK; CT_E_ANSWER with a line in the error where a message has another length
 * than its receiver expects; CT_E_MEMORY, CT_E_LIMIT. */
int ct_rank_clocks_advance(struct ct_rank_clocks *clocks, int rank);

/* No rank is ready. CT_OK; CT_E_ANSWER, with a line in the error, where ranks still wait or messages are
 * left. */
int ct_rank_clocks_check_end(const struct ct_rank_clocks *clocks);

#endif
