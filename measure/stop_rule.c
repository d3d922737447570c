/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/stop_rule.h"
#include "base/statistics.h"

#include <math.h>

/* Higher than the 95 % that the result must have: a rule that looks after each repetition stops at a lucky
 * moment, where only 89 % of 95 % intervals hold the median. */
static const double confidence = 0.99;

double ct_median_error(double *times, size_t n)
{
    size_t low, high;
    if (n == 0 || !ct_median_bounds(n, confidence, &low, &high))
        return INFINITY;
    ct_sort(times, n);
    double width = times[high] - times[low];
    return width > 0 ? width / 2 / ct_quantile(times, n, 0.5) : 0;
}

bool ct_stop(const struct ct_stop_rule *rule, double *times, size_t n, double seconds)
{
    if (n >= rule->most || (n > 0 && seconds >= rule->most_seconds))
        return true;
    return n >= rule->least && ct_median_error(times, n) <= rule->precision;
}
