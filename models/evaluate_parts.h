/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_EVALUATE_PARTS_H
#define CT_MODELS_EVALUATE_PARTS_H

#include "models/batch.h"
#include "models/evaluate.h"
#include "models/idle.h"
#include "models/mail.h"
#include "models/script.h"

/* What the evaluator's files share. */

enum { CT_NOBODY = -1 };

/* What only some ranks need. While receives are posted that the rank is not waiting for: when its way in and
 * its CPU had nothing to do; what comes in meanwhile is dealt with then. And when sends are done, by the
 * number that they are remembered under. */
struct ct_notes {
    struct ct_idle way_in;
    struct ct_idle cpu;
    double *sent;
    size_t sent_capacity;
};

/* How far a rank has come. */
struct ct_clock {
    double now;      /* what its CPU has done, it had done by then */
    double way_out;  /* free from then on */
    double way_in;   /* free from then on */
    double posted;   /* the receives of its round */
    double all_sent; /* its sends up to here are done */
    struct ct_action *actions;
    size_t count;
    size_t at;       /* the next action */
    size_t expected; /* messages that may come in at any time */
    struct ct_notes *notes;
    struct ct_mail_message handed;
    int awaits;     /* the rank whose message it cannot go on without; CT_NOBODY */
    bool is_handed; /* that message has been sent and is `handed` */
    bool owns_actions;
};

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
    return clock->at == clock->count;
}

void ct_notes_free(struct ct_notes *notes);

#endif
