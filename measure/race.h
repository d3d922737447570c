/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_RACE_H
#define CT_MEASURE_RACE_H

#include <stdbool.h>
#include <stddef.h>

/* Racing: a method that is significantly slower than the best of its cell needs no more repetitions. Only
 * agreed times count, so that all ranks come to the same answer.
 *
 * The medians' confidence intervals are compared, free of assumptions about the distribution. They are looked
 * at again and again while times come in, so each must hold for all looks together: after n times an interval
 * may fail with a probability of 0.05 / (n (n + 1)), which adds up to 5 % over all n. (A union bound over a
 * sequence, as in Darling and Robbins 1967, "Confidence sequences for mean, variance, and median".) The
 * earliest interval comes with 13 times. Repetitions are taken to be independent, which they are but
 * roughly. */

/* What is known of a method in a cell. */
struct ct_racer {
    const double *sorted; /* its times, rising */
    size_t count;
    bool out; /* no part of the race: its results are wrong */
};

/* Interval of the median of n rising times that holds for all n together with 95 %. False, and nothing
 * written, where n is too small for one. */
bool ct_race_interval(const double *sorted, size_t n, double *ret_low, double *ret_high);

/* Time that a method's whole interval must stay below for the method to go on: the least upper end of all the
 * racers' intervals, and `margin` (0.05: 5 %) more. INFINITY as long as there is no interval. */
double ct_race_limit(const struct ct_racer *racers, size_t count, double margin);

/* Is the method significantly slower than that? */
bool ct_race_lost(const struct ct_racer *racer, double limit);

#endif
