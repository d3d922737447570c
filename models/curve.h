/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_CURVE_H
#define CT_MODELS_CURVE_H

#include "base/error.h"
#include "models/parameters.h"

#include <stdbool.h>

/* Making and freeing curves; models/parameters.h reads them. */

/* Is no point below its predecessor? */
bool ct_curve_rises(const struct ct_curve *curve);

/* A copy of the points. CT_OK; CT_E_INPUT if there are no points, or bytes do not ascend from 0 or more, or a
 * time is negative or not finite, with a line in `error` that names the point; CT_E_MEMORY. Caller frees with
 * ct_curve_free(). */
int ct_curve_make(const struct ct_curve_point *points, size_t count, struct ct_error *error,
                  struct ct_curve *ret_curve);

/* Leaves all zeroes. */
void ct_curve_free(struct ct_curve *curve);

#endif
