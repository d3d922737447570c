/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_DECISION_SHRINK_H
#define CT_DECISION_SHRINK_H

#include <stddef.h>

/* Estimates of several alike quantities, of which the least or the largest may be chosen afterwards. */

/* A value with the variance of its error. */
struct ct_noisy {
    double value;
    double variance; /* at least 0 */
};

/* Moves values towards their common mean, as far as they differ by no more than their errors explain: the
 * least of many noisy values is too low, the moved one is not. The true values are taken as normal, with the
 * mean and the variance that suit the values best (empirical Bayes; Morris 1983,
 * doi:10.1080/01621459.1983.10477920; the variance by Paule and Mandel 1982, doi:10.6028/jres.087.022).
 * Variances in *ret_estimates count the error of the mean, too. `count` is at least one; a single value stays
 * as it is. */
void ct_shrink(const struct ct_noisy *values, size_t count, struct ct_noisy *ret_estimates);

#endif
