/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_FIT_TIMES_H
#define CT_MODELS_FIT_TIMES_H

#include "models/fit/line_fit.h"
#include "samples/point_samples.h"

#include <gsl/gsl_rng.h>

/* The times of one kind over one link, by message size. The median represents a size, because single outliers
 * do not move it. */

struct ct_times_at {
    double bytes;
    size_t first; /* its seconds are seconds[first ... first + count - 1], ascending */
    size_t count;
};

/* All owned. */
struct ct_times {
    struct ct_times_at *at; /* bytes ascend */
    size_t count;           /* sizes, at most CT_SIZES_MAX */
    double *seconds;
    size_t sample_count;
};

/* The times of this kind and subject, of all partners together, each multiplied by `scale`; no sizes if there
 * are none. CT_E_INPUT with a line in `error` for more sizes than CT_SIZES_MAX, and if round trips with one
 * partner take several times as long as with the fastest at most of the sizes: an average would represent
 * neither. CT_E_MEMORY. Caller frees with ct_times_free(). */
int ct_times_gather(const struct ct_point_samples *samples, enum ct_point_kind kind, size_t subject,
                    double scale, struct ct_error *error, struct ct_times *ret_times);

void ct_times_free(struct ct_times *times);

/* The medians, one point a size, with their standard errors: from the median's 95 % confidence interval, but
 * at least the median error of all sizes, and at least a quarter of a percent. */
void ct_times_medians(const struct ct_times *times, struct ct_fit_point points[CT_SIZES_MAX]);

/* Sets the points to the medians of resampled times, drawn with replacement, at each size (bootstrap, Efron
 * 1979). `scratch` has room for ct_times_most() numbers. */
void ct_times_resample(const struct ct_times *times, gsl_rng *random, double *scratch,
                       struct ct_fit_point points[CT_SIZES_MAX]);

/* The largest number of times of a size. */
size_t ct_times_most(const struct ct_times *times);

#endif
