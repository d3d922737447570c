/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_STATISTICS_ORDER_COMPARISON_H
#define CT_SAMPLES_STATISTICS_ORDER_COMPARISON_H

#include <stddef.h>

/* The p-value of "the median of `a` is not below `factor` times the median of `b`", small where the samples
 * speak for it being below. Both are rising, independent and not empty; nothing else is assumed about their
 * distributions. At level p an upper confidence bound of one median and a lower one of the other, each an
 * order statistic at p / 2, just part (Conover 1999, Practical Nonparametric Statistics, section 3.2, for the
 * bounds; Bonferroni's inequality for the two together). It is conservative, and no less than 2^(1 - n) for n
 * samples on one side. */
double ct_order_test(const double *a, size_t a_count, const double *b, size_t b_count, double factor);

#endif
