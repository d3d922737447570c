/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_EVALUATE_EVALUATE_INTERNAL_H
#define CT_MODELS_EVALUATE_EVALUATE_INTERNAL_H

#include "models/evaluate/action_store.h"
#include "models/evaluate/batch.h"
#include "models/evaluate/evaluate.h"
#include "models/evaluate/idle.h"
#include "models/evaluate/mail.h"
#include "models/evaluate/script.h"

/* What the evaluator's files share. */

/* What only some ranks need. While receives are posted that the rank is not waiting for: when its way in and
 * its CPU had nothing to do; what comes in meanwhile is dealt with then. And when sends are done, by the
 * number that they are remembered under. */
struct ct_notes {
    size_t expected; /* messages that may come in at any time */
    struct ct_idle way_in;
    struct ct_idle cpu;
    double *sent;
    size_t sent_capacity;
};

/* How far a rank has come. */
struct ct_clock {
    double now;                   /* what its CPU has done, it had done by then */
    double way_out;               /* free from then on */
    double way_in;                /* free from then on */
    double posted;                /* the receives of its round */
    double all_sent;              /* its sends up to here are done */
    const struct ct_action *next; /* actions; `left` of them */
    uint32_t left;                /* CT_NOT_ENTERED while there are none yet */
    uint32_t chunk;               /* of the action store; CT_NOT_KEPT */
    struct ct_notes *notes;
};

_Static_assert(sizeof(struct ct_clock) == 64, "a clock is to fill a cache line");

#define CT_NOT_ENTERED UINT32_MAX
#define CT_NOT_KEPT    UINT32_MAX

struct ct_evaluator {
    struct ct_clock *clocks; /* by rank */
    size_t clock_capacity;
    int size; /* ranks whose clocks are in use */
    double *leaves;
    size_t leaves_capacity;
    struct ct_mail mail;
    int *ready; /* stack of ranks that can go on */
    size_t ready_count, ready_capacity;
    struct ct_script script;
    struct ct_action_store store;
    bool shares_links; /* of the options */
    struct ct_batch batch;
    struct ct_plan plan;
    struct ct_error *error;
};

/* Carries out the rank's actions until it has to wait for a message or has left; whom it makes ready goes
 * onto the stack. CT_OK; CT_E_ANSWER with a line in the error; CT_E_MEMORY or CT_E_LIMIT. */
int ct_evaluator_advance(struct ct_evaluator *evaluator, int rank);

static inline bool ct_clock_has_left(const struct ct_clock *clock)
{
    return clock->left == 0;
}

void ct_notes_free(struct ct_notes *notes);

/* Clocks at 0 and empty boxes for so many ranks. CT_OK, CT_E_MEMORY or CT_E_LIMIT. */
int ct_evaluator_begin(struct ct_evaluator *evaluator, int size);

/* Gives back what ranks that have not left keep. */
void ct_evaluator_end(struct ct_evaluator *evaluator);

#endif
