/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_STATISTICS_MODERATION_H
#define CT_SAMPLES_STATISTICS_MODERATION_H

#include <stddef.h>

/* Variances of few observations each, shrunk towards one another as far as they resemble each other: the
 * moderated t (Smyth 2004, doi:10.2202/1544-6115.1027). */

/* What the variances of a group have in common: a variance with degrees of freedom, more of them the more the
 * variances resemble each other; and their median. */
struct ct_prior {
    double variance;
    double freedom; /* 0: of two variances or fewer, or where the median is 0 */
    double middle;
};

/* The prior of `count` variances, each with degrees of freedom (both at least one of them positive). One
 * without degrees of freedom does not count. `scratch` has room for `count` numbers. */
struct ct_prior ct_prior_find(const double *variances, const double *freedoms, size_t count, double *scratch);

/* A variance, shrunk towards the prior. It is never taken to be below the median of the group: job launches
 * may settle in one of two states, and then one may show no variance by chance. */
double ct_prior_moderate(const struct ct_prior *prior, double variance, double freedom);

/* The one-sided p-value of a mean whose expectation is at most zero; `error` is its standard error. */
double ct_upper_tail(double mean, double error, double freedom);

#endif
