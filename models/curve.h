/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_CURVE_H
#define CT_MODELS_CURVE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* A time that depends on the message size, as the overheads and the gap of PLogP: straight lines from point
 * to point. */

struct ct_curve_point {
    double bytes;
    double seconds;
};

/* At least one point, bytes rising from 0 or more. All zeroes is the curve that is 0 everywhere. */
struct ct_curve {
    struct ct_curve_point *points;
    size_t count;
};

/* Seconds at `bytes` (finite, >= 0). Before the first point the first one's; behind the last the last piece
 * goes on, level where that would fall. */
double ct_curve_at(const struct ct_curve *curve, double bytes);

/* Seconds per byte behind the last point: 0 of fewer than two points, and never below. */
double ct_curve_slope_at_end(const struct ct_curve *curve);

/* Does no point lie below the one before it? */
bool ct_curve_rises(const struct ct_curve *curve);

/* A copy of the points. CT_OK; CT_E_INPUT where they are none, or bytes do not rise from 0 or more, or a time
 * is negative or not finite, with a line in `error` that names the point; CT_E_MEMORY. Caller frees with
 * ct_curve_free(). */
int ct_curve_make(const struct ct_curve_point *points, size_t count, struct ct_error *error,
                  struct ct_curve *ret_curve);
/* Leaves all zeroes. */
void ct_curve_free(struct ct_curve *curve);

#endif
