/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_PREDICT_PREDICT_H
#define CT_MODELS_PREDICT_PREDICT_H

#include "models/predict/prediction.h"

/* A run predicted by a model: every cell of a grid has one sample of each method, from the evaluation of its
 * plans or from its closed formula. */

struct ct_prediction_summary {
    size_t cells;
    size_t samples;
    size_t by_formula;   /* of them, not by plans */
    size_t beyond;       /* samples that are missing: too many messages, or too long, and no formula */
    size_t uneven;       /* cells of reductions that are missing: no whole number of elements */
    size_t beyond_cells; /* cells that are missing because all their samples are */
    size_t without;      /* methods without a formula, if only formulas were asked for */
};

/* Makes the run in a new folder: the description's collectives, sizes and methods, except those that do not
 * apply; reductions sum doubles, so that sizes that are no multiple of 8 are left out there. Where segment
 * sizes are chosen, an algorithm's methods that differ in nothing else give way to one for each size that is
 * chosen somewhere: by each of the models asked, in each cell; if its formula is cut in segments. The
 * description then has those methods, and, in any case, how many samples are by formula. Nothing is made on
 * failure. CT_OK; CT_E_INPUT where the folder exists or no cell is left; CT_E_STOPPED, CT_E_SYSTEM,
 * CT_E_MEMORY. `ret_summary` may be NULL. */
int ct_predict(const char *folder, struct ct_run_description *description,
               const struct ct_prediction *prediction, struct ct_error *error,
               struct ct_prediction_summary *ret_summary);

#endif
