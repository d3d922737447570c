/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_EVALUATE_EVALUATE_H
#define CT_MODELS_EVALUATE_EVALUATE_H

#include "algorithms/method.h"
#include "models/model.h"

#include <signal.h>

/* How long a call takes by the plans of all its ranks and one of the parallel communication models: the plans
 * are carried out message by message. docs/evaluation.md shows the rules with examples and against the closed
 * formulas.
 *
 * Rules. All ranks enter at 0.
 *  - A round posts its messages in list order, then works (gamma a byte reduced, delta a byte copied), then
 *    takes in what it waits for, in list order, then waits for its sends. Waits for deferred steps come first
 *    in the round that names them, or at the end of the plan.
 *  - Sending begins when a message is posted and the way out is free. Sends are eager: nobody waits for the
 *    receiver. A send is done `send_done` after its begin (models/evaluate/message_cost.h) and not before
 * those posted before it.
 *  - A message is in when it has flown and the way in has had its gap for it. The way in is one, whatever
 *    link a message comes by; so is the way out. Either takes one message at a time; both go at once.
 *  - What is posted late is taken when posted. Taking in costs the receiver's CPU, which does one thing at a
 *    time; but what comes in while the rank waits for something else it has posted, is taken in meanwhile.
 *  - A window lets the next message of its round be posted when, in list order, so few are left that the
 *    round waits for.
 *  - Ranks of one node use the model's CT_LINK_NODE link where the call has nodes and the model knows it.
 *
 * With shared links, two rules more, which none of the three models has:
 *  - Messages of one length that a rank sends one behind the other have equal shares of its way out
 *    (models/evaluate/batch.h), in place of all of it in turn. They come later, and need the way in that much
 * less at the end: it may have taken them in ever since their receive was posted.
 *  - A message that a round waits for is not in before it could be had it begun when the round posted its
 *    receive: so it is where a transfer begins when both sides are there. Deferred receives are posted long
 *    before.
 *
 * Who is advanced first does not matter: which send meets which receive is fixed by the plans, and each time
 * is a sum or maximum of times of the same rank, in the order of its own plan, and of when messages that it
 * receives were sent. So whatever order respects these gives the same numbers, to the last bit. */

struct ct_evaluation_options {
    size_t most_messages; /* beyond so many it is given up; 0: CT_MESSAGES_USUAL */
    double most_seconds; /* of processor time, beyond which it is given up, too: there are plans that are long
                            to write and send little; 0 sets no bound */
    const volatile sig_atomic_t *stop; /* set where the user wants it to end; or NULL */
    bool shares_links;                 /* messages share links, and wait for their receive (see above) */
    const int *order; /* a permutation of the ranks: who is advanced first; NULL leaves it open */
};

/* Some seconds' work, and no more than 2 GB of memory. */
enum { CT_MESSAGES_USUAL = 1 << 24 };

struct ct_evaluation {
    double seconds; /* until the last rank leaves */
    size_t messages;
    size_t bytes;         /* sent, of all messages */
    const double *leaves; /* by rank; the evaluator's, valid until its next use */
};

struct ct_evaluator;

/* An evaluator keeps its memory between uses. One thread uses it at a time. NULL without memory. */
struct ct_evaluator *ct_evaluator_new(void);
void ct_evaluator_free(struct ct_evaluator *evaluator);

/* Evaluates a method for one call of all ranks (see call.h), to which it applies. `options` may be NULL.
 * CT_OK; CT_E_INPUT where the method has no plan or the model does not know the kind of model; CT_E_LIMIT
 * beyond the messages or the time allowed; CT_E_STOPPED; CT_E_ANSWER where the plans are wrong: messages that
 * are never sent or never received, differ in length, or are waited for in a circle; each with a line in
 * `error`; CT_E_MEMORY. */
int ct_evaluate(struct ct_evaluator *evaluator, const struct ct_method *method, const struct ct_call *call,
                const struct ct_model *model, enum ct_communication_model kind,
                const struct ct_evaluation_options *options, struct ct_error *error,
                struct ct_evaluation *ret_evaluation);

/* The same for plans that are there already, plans[rank]; of `call` its size, unit_bytes and nodes count. */
int ct_evaluate_plans(struct ct_evaluator *evaluator, const struct ct_plan *plans, const struct ct_call *call,
                      const struct ct_model *model, enum ct_communication_model kind,
                      const struct ct_evaluation_options *options, struct ct_error *error,
                      struct ct_evaluation *ret_evaluation);

#endif
