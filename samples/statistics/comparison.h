/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_STATISTICS_COMPARISON_H
#define CT_SAMPLES_STATISTICS_COMPARISON_H

#include <stddef.h>

/* Tests of a method against the best one: p-values of two null hypotheses. */
struct ct_p_values {
    double not_slower;     /* "it takes at most the best one's time" */
    double not_equivalent; /* "it differs from the best one's time by the margin or more": the larger p-value
                              of two one-sided tests (Schuirmann 1987, doi:10.1007/BF01068419) */
};

/* Tests every method against the best one where several job launches measured all of them. `logs` are
 * logarithms of medians, logs[method * launches + launch]; `methods` and `launches` are at least 2; `margin`
 * is the logarithm of the ratio at which methods are no longer equivalent. Fills ret_p_values, by method,
 * except for the best one's. CT_OK or CT_E_MEMORY.
 *
 * The unit of observation is the job launch (Hunold and Carpen-Amarie 2016, doi:10.1109/TPDS.2016.2539167).
 * Methods are compared within a job launch, so an effect that it has on all methods cancels. A t-test
 * compares the mean logarithm of the ratio with its variation between job launches. A distribution-free test
 * would not do: the smallest p-value of a sign test with n job launches is 2^-n. With so few job launches a
 * method's own variance is poorly known, so it is shrunk towards that of the other methods as far as these
 * resemble each other (moderated t, Smyth 2004, doi:10.2202/1544-6115.1027), and it is never taken to be
 * below that of the pair.
 *
 * The logarithms are assumed to be roughly normal. Differences between similar methods are symmetric, so the
 * test holds well where they are not. */
int ct_launch_test(const double *logs, size_t methods, size_t launches, size_t best, double margin,
                   struct ct_p_values *ret_p_values);

/* The p-value of the null hypothesis "the median of `a` is not below `factor` times the median of `b`". Both
 * are sorted, independent and not empty; nothing else is assumed about their distributions. At level p an
 * upper confidence bound of one median and a lower bound of the other, each an order statistic at p / 2, just
 * separate (Conover 1999, Practical Nonparametric Statistics, section 3.2, for the bounds; Bonferroni's
 * inequality for both). The test is conservative: p is at least 2^(1 - n) for n samples on one side. */
double ct_order_test(const double *a, size_t a_count, const double *b, size_t b_count, double factor);

#endif
