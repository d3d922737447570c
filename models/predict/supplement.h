/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_PREDICT_SUPPLEMENT_H
#define CT_MODELS_PREDICT_SUPPLEMENT_H

#include "models/predict/prediction.h"

/* Unmeasured cells of a run filled in with a model's times, calibrated on the measured cells. Source:
 * Pjesivac-Grbovic 2007, sections 3.3 and 6.5, for the idea of models in place of measurements. */

struct ct_supplement {
    struct ct_sample *samples; /* the run's and those added, which are CT_SAMPLE_PREDICTED */
    size_t sample_count;
    size_t sample_capacity;
    struct ct_run_cell *cells; /* the run's and those added; sorted */
    size_t cell_count;
    size_t cell_capacity;
    size_t added;       /* samples */
    size_t added_cells; /* of them, cells that were not measured at all */
    size_t left_out;    /* methods of a collective that could not be filled in: native, or never measured */
};

/* The ranks on a node with which a run is filled in. */
size_t ct_run_ppn(const struct ct_run *run);

/* Fills in each cell of the run's grid, its communicator sizes by its message sizes, with the applicable
 * methods that have no time there. The time is the model's, times measured over predicted as in the nearest
 * cells that have the method (ct_correction_at()); near means near to the model (ct_size_axis()). A method
 * that failed in a cell is not filled in there. The first model with a weight counts; no segment sizes are
 * chosen. If all cells of the run are on one node, so are all that are filled in. If not, ranks are placed on
 * nodes as in the run's fullest cell, and cells with another placement are not filled in.
 *
 * CT_OK; CT_E_INPUT if no measured method can be predicted, or if the run has calls that are not blocking; as
 * ct_predictor_seconds(). Free with ct_supplement_free(). */
int ct_supplement_make(const struct ct_run *run, const struct ct_prediction *prediction,
                       struct ct_error *error, struct ct_supplement *ret_supplement);
void ct_supplement_free(struct ct_supplement *supplement);

#endif
