/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_PREDICT_PREDICTOR_H
#define CT_MODELS_PREDICT_PREDICTOR_H

#include "models/formulas/formula.h"
#include "models/predict/prediction.h"

/* The time of one method in one call: by evaluation of its plans, or by its closed formula. */

struct ct_predictor;

/* Keeps `prediction`. CT_OK; CT_E_MEMORY. Free with ct_predictor_free(). */
int ct_predictor_new(const struct ct_prediction *prediction, struct ct_predictor **ret_predictor);
void ct_predictor_free(struct ct_predictor *predictor);

/* Reductions sum doubles. */
enum { CT_PREDICTED_ELEMENT = 8 };

/* Sets the number of ranks of the following calls. CT_OK; CT_E_MEMORY. */
int ct_predictor_set_ranks(struct ct_predictor *predictor, size_t ranks);

/* Sets the pattern of the following calls of sparse collectives, a text of plan/pattern.h, on the ranks that
 * were set. CT_OK; CT_E_INPUT, CT_E_SYSTEM with a line in `error`; CT_E_MEMORY. */
int ct_predictor_set_pattern(struct ct_predictor *predictor, const char *text, struct ct_error *error);

/* Gives a sparse call its neighbors and the features of their pattern; other calls are left as they are. They
 * are valid until the next call gets some. CT_OK; CT_E_MEMORY. */
int ct_predictor_add_neighbors(struct ct_predictor *predictor, enum ct_collective collective,
                               size_t msg_bytes, struct ct_call *call);

/* A call of all the ranks that were set; valid until the next one is made. */
struct ct_call ct_predictor_call(struct ct_predictor *predictor, enum ct_collective collective,
                                 size_t msg_bytes);

/* The same call for formulas of the kind. They know one link: that of the node if all ranks share one,
 * otherwise the network. The model has its parameters (ct_prediction_check()). */
struct ct_formula_call ct_predictor_formula_call(const struct ct_predictor *predictor,
                                                 enum ct_communication_model kind,
                                                 const struct ct_method *method, size_t msg_bytes);

struct ct_predicted {
    double seconds;  /* NAN where there is no prediction */
    bool by_formula; /* not by plans */
    bool beyond;     /* the plans need more than is allowed */
};

/* The method's time in that call, to which it applies. If plans are asked for, and `is_beyond` does not say
 * that they need too much, they are evaluated; otherwise the closed formula is used, if there is one. CT_OK;
 * CT_E_INPUT if everything takes no time; other errors as ct_evaluate(). */
int ct_predictor_seconds(struct ct_predictor *predictor, const struct ct_method *method,
                         const struct ct_call *call, size_t msg_bytes, enum ct_communication_model kind,
                         bool is_beyond, struct ct_error *error, struct ct_predicted *ret_predicted);

/* The time of any method of a run in a call of the ranks that were set. It is NAN also if the method is
 * native or does not apply, and for reductions if the size is no whole number of elements. Errors as
 * ct_predictor_seconds(). */
int ct_predictor_method_seconds(struct ct_predictor *predictor, const struct ct_method *method,
                                size_t msg_bytes, enum ct_communication_model kind, struct ct_error *error,
                                struct ct_predicted *ret_predicted);

#endif
