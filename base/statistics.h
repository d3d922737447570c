/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_BASE_STATISTICS_H
#define CT_BASE_STATISTICS_H

#include "base/sort.h"

#include <stdbool.h>
#include <stddef.h>

/* Order statistics of samples, which need not be normal: times of collectives are skewed and have outliers.
 * Needs libc alone, since the benchmark program decides by them when to stop. */

/* The quantile `share` (0 to 1) of values in rising order, interpolated linearly between neighbours; the
 * median at 0.5. NAN where there is no value. */
double ct_quantile(const double *sorted, size_t count, double share);

/* Sorts the values, rising, and returns their median; NAN where there is no value. */
double ct_median(double *values, size_t count);

/* A distribution-free confidence interval of the median: the indices *ret_low and *ret_high (from 0) of the
 * sorted values that enclose it with at least the probability `confidence`, exact from the binomial
 * distribution with one half (Conover 1999, Practical Nonparametric Statistics, section 3.2). False, and the
 * extremes, where even these do not enclose it: fewer than 6 values for 0.95, than 8 for 0.99. `count` is at
 * least 1. */
bool ct_median_bounds(size_t count, double confidence, size_t *ret_low, size_t *ret_high);

/* The same for a confidence level of 0.95. */
bool ct_median_interval(size_t count, size_t *ret_low, size_t *ret_high);

/* The lower tail of the binomial distribution with one half: the probability that at most k of n values lie
 * below their median, for k rising from 0. */
struct ct_binomial_tail {
    double n;
    size_t k;
    double log_term; /* of exactly k: 2^-n is no double beyond n = 1074 */
    double chance;
};

struct ct_binomial_tail ct_binomial_tail_begin(size_t n);
struct ct_binomial_tail ct_binomial_tail_next(struct ct_binomial_tail lower);
/* Advances to the last k whose probability is at most `tail` (below one half); does not go back. */
void ct_binomial_tail_advance(struct ct_binomial_tail *lower, double tail);

#endif
