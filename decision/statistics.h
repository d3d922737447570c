/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_DECISION_STATISTICS_H
#define CT_DECISION_STATISTICS_H

#include <stddef.h>

/* Order statistics of samples, which need not be normal: times of collectives are skewed and have outliers.
 */

/* The quantile `share` in 0..1 of rising values, linear between neighbours; the median at 0.5. NAN of none.
 */
double ct_quantile(const double *sorted, size_t count, double share);

/* Distribution-free 95 % confidence interval of the median: ranks *ret_low and *ret_high (from 0) of the
 * sorted values that enclose it with at least that probability, exact from the binomial distribution with one
 * half, its normal approximation beyond 1000 values. Fewer than 6 values have none: the extremes, 0 and count
 * - 1. `count` is at least 1. */
void ct_median_interval(size_t count, size_t *ret_low, size_t *ret_high);

/* Sorts doubles, none of them NAN, rising. */
void ct_sort(double *values, size_t count);

#endif
