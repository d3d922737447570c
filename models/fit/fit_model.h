/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_FIT_FIT_MODEL_H
#define CT_MODELS_FIT_FIT_MODEL_H

#include "base/text.h"
#include "models/fit/fit_link.h"
#include "samples/point_samples.h"

enum { CT_FIT_RESAMPLES = 500 }; /* the usual number */

/* Fits all that the samples tell of: links (fit_link.h), gamma, delta. A reduction or copy costs what it does
 * at the largest size measured, the steady state; gamma is that of the sum of doubles, else the median of all
 * reductions, and delta that of the copy. Appends to `notes` what the user should know of the samples, a line
 * each: no spread at all, a very wide one, times that fall with size. CT_OK; CT_E_INPUT with a line in
 * `error` that names what was expected; CT_E_MEMORY. Name and source of the model are left NULL. Caller frees
 * with ct_model_free(). */
int ct_fit_model(const struct ct_point_samples *samples, const struct ct_fit_options *options,
                 struct ct_error *error, struct ct_text *notes, struct ct_model *ret_model);

#endif
