/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_EVALUATE_EVALUATE_TOGETHER_H
#define CT_MODELS_EVALUATE_EVALUATE_TOGETHER_H

#include "models/evaluate/evaluation.h"
#include "models/evaluate/timeline.h"

/* What is evaluated: the plans of a method, written when their turn comes, or plans that exist already. */
struct ct_evaluation_subject {
    const struct ct_method *method; /* NULL: there are plans */
    const struct ct_plan *plans;
    const struct ct_call *call;
    struct ct_evaluation_options options; /* most_messages is not 0 */
};

/* Evaluates all ranks in the order of time, with links that messages share (timeline.h). The model must have
 * parameters of that kind for the call. `leaves`, a number for each rank, gets when each leaves the call, and
 * becomes that of *ret_evaluation. *ret_is_done: false where the plans have too many steps to be held at a
 * time; nothing is evaluated then. CT_OK, or errors as of ct_evaluate(). */
int ct_evaluate_together(struct ct_timeline *timeline, const struct ct_evaluation_subject *subject,
                         const struct ct_model *model, enum ct_communication_model kind, double *leaves,
                         struct ct_error *error, struct ct_evaluation *ret_evaluation, bool *ret_is_done);

#endif
