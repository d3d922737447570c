/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_FIT_FIT_MODEL_H
#define CT_MODELS_FIT_FIT_MODEL_H

#include "base/text.h"
#include "models/fit/fit_link.h"
#include "samples/point_samples.h"

enum { CT_FIT_RESAMPLES = 500 }; /* the usual number */

/* Fits all links (fit_link.h), gamma and delta for which there are samples. The cost of a reduction or copy
 * is that at the largest size measured, the steady state. gamma is the cost of the sum of doubles, else the
 * median of all reductions; delta is the cost of the copy. Appends to `notes` one line for each peculiarity
 * of the samples: no spread, a very large spread, times that fall with size. CT_OK; CT_E_INPUT with a line in
 * `error` that names what was expected; CT_E_MEMORY. Name and source of the model are left NULL. Caller frees
 * with ct_model_free(). */
int ct_fit_model(const struct ct_point_samples *samples, const struct ct_fit_options *options,
                 struct ct_error *error, struct ct_text *notes, struct ct_model *ret_model);

#endif
