/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_STATISTICS_ESTIMATE_H
#define CT_SAMPLES_STATISTICS_ESTIMATE_H

#include <stddef.h>

/* The estimated time of a method in a cell. */
struct ct_estimate {
    double median; /* seconds: the median of the job launches' medians, so that each job launch counts once */
    double low;    /* its 95 % confidence interval; */
    double high;   /* the extremes if there are too few samples for one */
};

/* From one job launch's samples, sorted and at least one: their median with its distribution-free interval,
 * which does not cover the variation between job launches. */
struct ct_estimate ct_estimate_of_samples(const double *samples, size_t count);

/* From the medians of at least two job launches, which it sorts. From six job launches on the interval is
 * distribution-free. Fewer have no such interval at 95 %, so Student's interval of the mean logarithm is
 * used, which assumes that logarithms of medians are normal. It is wide: 6 % either way if two job launches
 * differ by 1 %. A bootstrap of job launches would be narrower and wrong: with three of them it covers the
 * median in at most 75 % of cases. */
struct ct_estimate ct_estimate_of_launches(double *medians, size_t count);

#endif
