/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/statistics.h"

#include <math.h>

double ct_quantile(const double *sorted, size_t count, double share)
{
    if (count == 0)
        return NAN;
    double place = share * (double)(count - 1);
    size_t below = (size_t)place;
    if (below + 1 >= count)
        return sorted[count - 1];
    double part = place - (double)below;
    return part > 0 ? sorted[below] + part * (sorted[below + 1] - sorted[below]) : sorted[below];
}

double ct_median(double *values, size_t count)
{
    ct_sort(values, count);
    return ct_quantile(values, count, 0.5);
}

struct ct_binomial_tail ct_binomial_tail_begin(size_t n)
{
    double log_term = -(double)n * M_LN2;
    return (struct ct_binomial_tail){.n = (double)n, .log_term = log_term, .chance = exp(log_term)};
}

struct ct_binomial_tail ct_binomial_tail_next(struct ct_binomial_tail lower)
{
    lower.log_term += log((lower.n - (double)lower.k) / (double)(lower.k + 1));
    lower.chance += exp(lower.log_term);
    lower.k++;
    return lower;
}

void ct_binomial_tail_advance(struct ct_binomial_tail *lower, double tail)
{
    for (struct ct_binomial_tail next = ct_binomial_tail_next(*lower); next.chance <= tail;
         next = ct_binomial_tail_next(next))
        *lower = next;
}

bool ct_median_bounds(size_t count, double confidence, size_t *ret_low, size_t *ret_high)
{
    const double tail = (1 - confidence) / 2;
    struct ct_binomial_tail lower = ct_binomial_tail_begin(count);
    bool enclosed = lower.chance <= tail;
    if (enclosed)
        ct_binomial_tail_advance(&lower, tail);
    *ret_low = lower.k;
    *ret_high = count - 1 - lower.k;
    return enclosed;
}

bool ct_median_interval(size_t count, size_t *ret_low, size_t *ret_high)
{
    return ct_median_bounds(count, 0.95, ret_low, ret_high);
}
