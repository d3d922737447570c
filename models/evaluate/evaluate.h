/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_EVALUATE_EVALUATE_H
#define CT_MODELS_EVALUATE_EVALUATE_H

#include "algorithms/method.h"
#include "models/evaluate/evaluation.h"
#include "models/model.h"

/* How long a call takes, by the plans of all its ranks and one of the parallel communication models: the
 * plans are carried out message by message under the full-duplex one-port model. docs/evaluation.md has the
 * rules; message_cost.h has the costs of a message, ports.h the ports of a rank, rank_clocks.h its times.
 *
 * The order in which ranks are advanced does not matter. The plans determine which send meets which receive,
 * and each time is a sum or maximum of times of the same rank, in the order of its own plan, and of the times
 * when its messages were sent. Every order that respects these gives the same numbers, to the last bit. */

struct ct_evaluator;

/* An evaluator keeps its memory between uses. One thread uses it at a time. NULL without memory. */
struct ct_evaluator *ct_evaluator_new(void);
void ct_evaluator_free(struct ct_evaluator *evaluator);

/* Evaluates a method for one call of all ranks (see call.h), to which it applies. `options` may be NULL.
 * If the call has routes of that method, these are used; else a method that needs some gets a set-up.
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
