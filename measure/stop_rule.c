/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/stop_rule.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The largest k such that fewer than k of n times lie below the median with a probability of at most 2.5 %; 0
 * where there is none. */
static size_t lower_order(size_t n)
{
    enum { EXACT = 1000 }; /* 2^-n is still a normal number */
    if (n > EXACT)
        return (size_t)floor(((double)n - 1.959964 * sqrt((double)n)) / 2);
    double chance = ldexp(1, -(int)n), sum = 0;
    size_t k = 0;
    while (k < n && sum + chance <= 0.025) {
        sum += chance;
        chance *= (double)(n - k) / (double)(k + 1);
        k++;
    }
    return k;
}

double ct_median_error(double *times, size_t n)
{
    size_t k = lower_order(n);
    if (k == 0)
        return INFINITY;
    qsort(times, n, sizeof *times, compare);
    double median = (times[(n - 1) / 2] + times[n / 2]) / 2;
    double width = times[n - k] - times[k - 1];
    return width > 0 ? width / 2 / median : 0;
}

bool ct_stop(const struct ct_stop_rule *rule, double *times, size_t n, double seconds)
{
    if (n >= rule->most || (n > 0 && seconds >= rule->most_seconds))
        return true;
    return n >= rule->least && ct_median_error(times, n) <= rule->precision;
}
