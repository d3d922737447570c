/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/statistics.h"

#include <math.h>
#include <stdlib.h>

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

struct ct_ladder ct_ladder_begin(size_t n)
{
    double log_term = -(double)n * M_LN2;
    return (struct ct_ladder){.n = (double)n, .log_term = log_term, .chance = exp(log_term)};
}

struct ct_ladder ct_ladder_next(struct ct_ladder ladder)
{
    ladder.log_term += log((ladder.n - (double)ladder.k) / (double)(ladder.k + 1));
    ladder.chance += exp(ladder.log_term);
    ladder.k++;
    return ladder;
}

void ct_ladder_climb(struct ct_ladder *ladder, double tail)
{
    for (struct ct_ladder next = ct_ladder_next(*ladder); next.chance <= tail; next = ct_ladder_next(next))
        *ladder = next;
}

bool ct_median_bounds(size_t count, double confidence, size_t *ret_low, size_t *ret_high)
{
    const double tail = (1 - confidence) / 2;
    struct ct_ladder ladder = ct_ladder_begin(count);
    bool enclosed = ladder.chance <= tail;
    if (enclosed)
        ct_ladder_climb(&ladder, tail);
    *ret_low = ladder.k;
    *ret_high = count - 1 - ladder.k;
    return enclosed;
}

bool ct_median_interval(size_t count, size_t *ret_low, size_t *ret_high)
{
    return ct_median_bounds(count, 0.95, ret_low, ret_high);
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

void ct_sort(double *values, size_t count)
{
    if (count > 1)
        qsort(values, count, sizeof *values, compare);
}
