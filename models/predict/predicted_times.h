/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_PREDICT_PREDICTED_TIMES_H
#define CT_MODELS_PREDICT_PREDICTED_TIMES_H

#include "models/predict/prediction.h"

/* A cache of the times that a model predicts: each is computed once. */

struct ct_predicted_times;

/* Copies `prediction`, whose model must live as long and stays as it is; the first communication model with a
 * weight is used. CT_OK, CT_E_MEMORY. Free with ct_predicted_times_free(). */
int ct_predicted_times_new(const struct ct_prediction *prediction, struct ct_predicted_times **ret_times);
void ct_predicted_times_free(struct ct_predicted_times *times);

/* Sets the number of ranks on each node and how messages travel there; forgets all times if either changes.
 * CT_OK; CT_E_INPUT with a line in `error` that begins with `file`, the model's, if the model has parameters
 * within a node for the other channel alone. */
int ct_predicted_times_place(struct ct_predicted_times *times, size_t ppn, enum ct_node_channel channel,
                             const char *file, struct ct_error *error);

/* Sets the pattern of calls of sparse collectives that are asked for from now on, a text of plan/pattern.h
 * that must stay; NULL: none, as at first. */
void ct_predicted_times_set_pattern(struct ct_predicted_times *times, const char *pattern);

/* Seconds of the method in a call of so many ranks; sizes of reductions are rounded up to whole elements, and
 * 0 bytes to one. NAN if the model has no time of the kind asked for: the method is native or does not apply,
 * its collective cannot be predicted, its plans need more than is allowed, it has no formula, or it is of a
 * sparse collective and no pattern is set. CT_OK; errors as ct_predictor_seconds() and
 * ct_predictor_set_pattern(). */
int ct_predicted_times_at(struct ct_predicted_times *times, const struct ct_method *method, size_t ranks,
                          size_t msg_bytes, struct ct_error *error, double *ret_seconds);

#endif
