/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_STATISTICS_CHANGE_TEST_H
#define CT_SAMPLES_STATISTICS_CHANGE_TEST_H

#include <stddef.h>

/* Tests of one method in one cell of two runs: are its times the same in both? */

/* Logarithms of the medians of its job launches, at least one on each side. */
struct ct_change_pair {
    const double *before;
    size_t before_count;
    const double *after;
    size_t after_count;
};

/* p-values of the null hypotheses */
struct ct_change_p_values {
    double not_slower;     /* "the second run takes at most the first one's time" */
    double not_faster;     /* "it takes at least the first one's time" */
    double not_equivalent; /* "the two differ by the margin or more": the larger p-value of two one-sided
                              tests */
};

/* Tests the pairs of a group, whose job launches are those of the two runs; `margin` is the logarithm of the
 * ratio at which times are no longer equivalent. Fills ret_p_values. CT_OK or CT_E_MEMORY.
 *
 * The unit of observation is the job launch, as in ct_launch_test(), with which it shares the moderated t.
 * Launches of two runs have nothing to do with each other, so nothing cancels: the mean logarithms are
 * compared with their variation between the launches of either run. Pairs with one launch on each side take
 * the variance of the others; where all have one launch, nothing can be said, and all p-values are 1.
 *
 * The variances of a group say little about one another where a job launch disturbs all pairs alike. So the
 * degrees of freedom of the group are those of one pair times the design effect (Kish 1965, Survey Sampling,
 * section 8.2): the mean variance of a pair over that of the launches' means. The latter is known from a few
 * launches only, so its upper 75 % confidence bound is taken. The effect is 1 where launches disturb all
 * alike, and of the order of the number of pairs where they disturb each pair apart. */
int ct_change_test(const struct ct_change_pair *pairs, size_t count, double margin,
                   struct ct_change_p_values *ret_p_values);

/* The same for one job launch on each side, from their samples in rising order, by ct_order_test(): the
 * result holds for these two launches alone. */
struct ct_change_p_values ct_change_order_test(const double *before, size_t before_count, const double *after,
                                               size_t after_count, double margin);

#endif
