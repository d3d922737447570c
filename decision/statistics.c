/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/statistics.h"

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

void ct_median_interval(size_t count, size_t *ret_low, size_t *ret_high)
{
    enum { EXACT = 1000 };
    const double tail = 0.025, deviations = 1.959963984540054;
    size_t low = 0;
    if (count > EXACT) {
        /* rounded outwards by one half for the step function's sake */
        low = (size_t)floor((double)count / 2 - deviations * sqrt((double)count) / 2 - 0.5);
    } else {
        /* the largest `low` such that at most `low` of the values lie below the median with P <= tail */
        double term = pow(0.5, (double)count), below = term;
        while (below <= tail) {
            term *= (double)(count - low) / (double)(low + 1);
            below += term;
            if (below <= tail)
                low++;
            else
                break;
        }
    }
    *ret_low = low;
    *ret_high = count - 1 - low;
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
