/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_STATISTICS_ESTIMATE_H
#define CT_SAMPLES_STATISTICS_ESTIMATE_H

#include <stddef.h>

/* What a method takes in a cell, as far as its samples tell. */
struct ct_estimate {
    double
        median;  /* seconds: of the launches' medians, so that each launch counts once and no outlier does */
    double low;  /* 95 % confidence interval of that; */
    double high; /* the extremes where there are too few samples for one */
};

/* From one launch's samples, rising and at least one: their median with its distribution-free interval, which
 * knows nothing of other launches. */
struct ct_estimate ct_estimate_of_samples(const double *samples, size_t count);

/* From the medians of launches, at least two; sorts them. From six launches on the interval is
 * distribution-free; fewer have none of 95 %, so it is Student's for the mean logarithm then, which takes
 * logarithms of launch medians for normal, and is wide: 6 % either way where two launches differ
 * by 1 %. (Resampling launches would be narrower, and wrong: of three it encloses the median in 75 % of cases
 * at most.) */
struct ct_estimate ct_estimate_of_launches(double *medians, size_t count);

#endif
