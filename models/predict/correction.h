/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_PREDICT_CORRECTION_H
#define CT_MODELS_PREDICT_CORRECTION_H

#include <stddef.h>

/* The error of a model's times of a method, interpolated between the calls in which it is known. */

/* Calls lie on a plane; both directions count alike. */
struct ct_correction_point {
    double across;    /* log of the ranks */
    double down;      /* of the message size, see ct_size_axis() */
    double log_ratio; /* log(measured / predicted) */
};

/* log(measured / predicted) for a call at that place: ordinary kriging over the nearest points, with a linear
 * variogram and a small nugget. There is nothing to choose or to fit: points that stand close together count
 * as one, a point at the very place decides nearly alone, and far outside the mean of the nearest points
 * remains. No points: 0. Source: Matheron 1963 (doi 10.2113/gsecongeo.58.8.1246). */
double ct_correction_at(const struct ct_correction_point *points, size_t count, double across, double down);

/* Places each message size so that distances are those of the model's times: 1 byte and 64 are close if
 * latency dominates, and a doubling is one unit if bandwidth does. A place is the mean, over communicator
 * sizes and methods, of log(time / time at the first size that has times). `seconds` is [communicator
 * size][message size][method], NAN if there is none; sizes without any time lie at 0. The order of sizes does
 * not matter. */
void ct_size_axis(const double *seconds, size_t comm_size_count, size_t msg_size_count, size_t method_count,
                  double *ret_axis);

#endif
