/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_PREDICT_CORRECTION_H
#define CT_MODELS_PREDICT_CORRECTION_H

#include <stddef.h>

/* By how much a model is wrong about a method, between the calls where that is known. */

/* Calls lie on a plane, on which both ways count alike. */
struct ct_correction_point {
    double across;    /* log of the ranks */
    double down;      /* of the message size, see models/predict/size_axis.h */
    double log_ratio; /* log(measured / predicted) */
};

/* log(measured / predicted) for a call that lies there: ordinary kriging over the nearest points, errors
 * being the less alike the farther apart calls are, in proportion (a linear variogram), with a small nugget
 * for what is not alike in the same place either. So there is nothing to be chosen or fitted, points that
 * stand close together count as one, one at the very place says nearly all, and far outside the nearest
 * points' mean remains. No points: 0. Source: Matheron 1963 (doi 10.2113/gsecongeo.58.8.1246). */
double ct_correction_at(const struct ct_correction_point *points, size_t count, double across, double down);

#endif
