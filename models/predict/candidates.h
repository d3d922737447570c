/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_PREDICT_CANDIDATES_H
#define CT_MODELS_PREDICT_CANDIDATES_H

#include "models/predict/predictor.h"

/* The methods that are predicted in a cell: the user's methods, with the cell's segment sizes if these are
 * chosen. */

struct ct_candidate {
    struct ct_method method;
    size_t source; /* index of its source */
};

struct ct_candidates {
    struct ct_method *sources; /* the user's methods */
    bool *is_cut;              /* by source: its segment size is chosen in each cell */
    size_t source_count;
    struct ct_candidate *in_cell; /* those of the last cell asked */
    size_t count;
};

/* From the methods of a description; if segment sizes are chosen, methods that differ only in these are one.
 * CT_OK or CT_E_MEMORY; free with ct_candidates_free(). */
int ct_candidates_make(const struct ct_method *methods, size_t method_count,
                       const struct ct_prediction *prediction, struct ct_candidates *ret_candidates);
void ct_candidates_free(struct ct_candidates *candidates);

/* Fills in `in_cell`: all methods of the collective that apply to the call, none twice. */
int ct_candidates_of_cell(struct ct_candidates *candidates, const struct ct_prediction *prediction,
                          const struct ct_predictor *predictor, enum ct_collective collective,
                          const struct ct_call *call, size_t msg_bytes, struct ct_error *error);

#endif
