/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_BASE_STATISTICS_H
#define CT_BASE_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

/* Order statistics of samples, which need not be normal: times of collectives are skewed and have outliers.
 * Needs libc alone, for the benchmark program stops by them. */

/* The quantile `share` in 0..1 of rising values, linear between neighbours; the median at 0.5. NAN of none.
 */
double ct_quantile(const double *sorted, size_t count, double share);

/* Distribution-free confidence interval of the median: ranks *ret_low and *ret_high (from 0) of the sorted
 * values that enclose it with at least the probability `confidence`, exact from the binomial distribution
 * with one half (Conover 1999, Practical Nonparametric Statistics, section 3.2). False, and the extremes,
 * where even these do not: fewer than 6 values for 0.95, than 8 for 0.99. `count` is at least 1. */
bool ct_median_bounds(size_t count, double confidence, size_t *ret_low, size_t *ret_high);

/* The same for 0.95. */
bool ct_median_interval(size_t count, size_t *ret_low, size_t *ret_high);

/* The chance that at most k of n values lie below their median, for rising k from 0. */
struct ct_ladder {
    double n;
    size_t k;
    double log_term; /* of exactly k: 2^-n is no double beyond n = 1074 */
    double chance;
};

struct ct_ladder ct_ladder_begin(size_t n);
struct ct_ladder ct_ladder_next(struct ct_ladder ladder);
/* To the last k whose chance is at most `tail`, below one half; not back. */
void ct_ladder_climb(struct ct_ladder *ladder, double tail);

/* Sorts doubles, none of them NAN, rising. */
void ct_sort(double *values, size_t count);

#endif
