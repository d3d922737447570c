/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_STOP_RULE_H
#define CT_MEASURE_STOP_RULE_H

#include <stdbool.h>
#include <stddef.h>

/* When a method has been repeated often enough in a cell. The rule looks at agreed times only, so that all
 * ranks come to the same answer. */

struct ct_stop_rule {
    size_t least;        /* repetitions, unless the seconds run out before */
    size_t most;         /* repetitions */
    double precision;    /* relative half width of the median's confidence interval, as below */
    double most_seconds; /* spent on the method in this cell */
};

/* Relative half width of the distribution-free confidence interval of the median of n times at a confidence
 * level of 99 %: half the distance of two order statistics over the median. INFINITY for fewer than eight
 * times, for which no such interval exists. Where the rule stops, the coverage is still at least 95 %
 * (test_stop_rule simulates it). `times` is sorted in place. */
double ct_median_error(double *times, size_t n);

/* Is it enough after n repetitions that took `seconds` in all? Sorts `times`. */
bool ct_stop(const struct ct_stop_rule *rule, double *times, size_t n, double seconds);

#endif
