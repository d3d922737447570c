/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_PREDICT_PREDICTED_MAP_H
#define CT_MODELS_PREDICT_PREDICTED_MAP_H

#include "decision/map.h"
#include "models/predict/predicted_times.h"

/* The times that a model predicts where a map has measured ones, and how far the two are apart. */

struct ct_predicted_map {
    enum ct_communication_model kind;
    const struct ct_map *map;
    double *seconds; /* [cell * method_count + method]; NAN where there is no prediction */
};

/* Predicts with `times`, which use the kind. The map must outlive the result. CT_OK; CT_E_MEMORY; errors as
 * ct_predictor_seconds(). Caller frees with ct_predicted_map_free(). */
int ct_predicted_map_make(const struct ct_map *map, struct ct_predicted_times *times,
                          enum ct_communication_model kind, struct ct_error *error,
                          struct ct_predicted_map *ret_predicted);
void ct_predicted_map_free(struct ct_predicted_map *predicted);

/* The predicted time of a method of the map in the cell with this key; NAN where there is none. */
double ct_predicted_map_at(const struct ct_predicted_map *predicted, const struct ct_cell_key *key,
                           size_t method);

/* Relative errors |predicted / measured - 1| of a method, or of all methods of the collective. */
struct ct_prediction_errors {
    size_t method; /* of the map; SIZE_MAX: all */
    size_t cells;  /* with both times; for all methods the number of such times */
    double median;
    double percentile95;
    double most;
};

/* Those of all methods, then of each that has any. CT_OK or CT_E_MEMORY. Caller frees. */
int ct_prediction_errors_find(const struct ct_predicted_map *predicted,
                              struct ct_prediction_errors **ret_errors, size_t *ret_count);

#endif
