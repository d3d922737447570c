/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_RACE_H
#define CT_MEASURE_RACE_H

#include <stdbool.h>
#include <stddef.h>

/* Racing: a method that is significantly slower than the best of its cell needs no more repetitions. Only
 * agreed times count, so that all ranks come to the same answer.
 *
 * The distribution-free confidence intervals of the medians are compared after every turn. The intervals of a
 * method form a confidence sequence: after n times an interval may fail with probability 0.05 / (n (n + 1)),
 * and by the union bound all of them hold jointly with a confidence level of 95 %. (Darling and Robbins 1967,
 * "Confidence sequences for mean, variance, and median".) The first interval needs 13 times. Repetitions are
 * assumed to be independent, which holds only approximately. */

/* What is known of a method in a cell. */
struct ct_racer {
    const double *sorted; /* its times, rising */
    size_t count;
    bool out; /* ignored, because its results are wrong */
};

/* The confidence interval of the median of n rising times, joint over all n at a confidence level of 95 %.
 * False, and nothing is written, if n is too small. */
bool ct_race_interval(const double *sorted, size_t n, double *ret_low, double *ret_high);

/* A method whose whole interval is above this time is dropped: the least upper end of all intervals plus
 * `margin` (0.05: 5 %). INFINITY while there is no interval. */
double ct_race_limit(const struct ct_racer *racers, size_t count, double margin);

/* Is the method significantly slower than the limit? */
bool ct_race_lost(const struct ct_racer *racer, double limit);

#endif
