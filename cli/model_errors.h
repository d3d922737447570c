/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_MODEL_ERRORS_H
#define CT_CLI_MODEL_ERRORS_H

#include "models/predict/predicted_map.h"
#include "samples/run.h"

/* How far a model's predictions are from the times of a run, for `colltune report --model`. */

struct ct_model_errors {
    struct ct_predicted_map *predicted; /* by map and kind of model that it has parameters of */
    size_t count;
};

/* Predicts the times of all maps, which must outlive the result. CT_OK; CT_E_INPUT if the model is wrong, has
 * no parameters for this run, or predicts none of its times; CT_E_SYSTEM, CT_E_MEMORY. Caller frees with
 * ct_model_errors_free(). */
int ct_model_errors_find(const char *file, bool shares_links, const struct ct_run *run,
                         const struct ct_map *maps, size_t map_count, struct ct_error *error,
                         struct ct_model_errors *ret_errors);
void ct_model_errors_free(struct ct_model_errors *errors);

/* Writes FOLDER/model-errors.csv. CT_OK, CT_E_INPUT, CT_E_SYSTEM, CT_E_MEMORY. */
int ct_model_errors_write(const struct ct_model_errors *errors, const char *folder, struct ct_error *error);

#endif
