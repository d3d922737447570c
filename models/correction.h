/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_CORRECTION_H
#define CT_MODELS_CORRECTION_H

#include <stddef.h>

/* By how much a model is wrong about a method, between the calls where that is known. */

struct ct_correction_point {
    double ranks;
    double bytes;
    double log_ratio; /* log(measured / predicted) */
};

/* log(measured / predicted) for a call of these sizes: the mean over the nearest points, on a logarithmic
 * plane of ranks and bytes, each weighing the inverse of its squared distance; a point at the very place says
 * it alone. Two points at least have the less the farther they are; none: 0. Source: inverse distance
 * weighting, Shepard 1968 (doi 10.1145/800186.810616), over the nearest points as he proposes. */
double ct_correction_at(const struct ct_correction_point *points, size_t count, double ranks, double bytes);

#endif
