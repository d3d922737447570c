/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/race.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void ct_race_sort(double *times, size_t n)
{
    if (n > 1)
        qsort(times, n, sizeof *times, compare);
}

/* The largest k such that fewer than k of n times lie below the median with a probability of at most `tail`;
 * 0 where there is none. Exact up to EXACT times, by Hoeffding's inequality beyond. */
static size_t lower_order(size_t n, double tail)
{
    enum { EXACT = 1000 }; /* 2^-n is still a normal number */
    if (n > EXACT) {
        double below = (double)n / 2 - sqrt((double)n * log(1 / tail) / 2);
        return below < 0 ? 0 : (size_t)floor(below) + 1;
    }
    double chance = ldexp(1, -(int)n), sum = 0;
    size_t k = 0;
    while (k < n && sum + chance <= tail) {
        sum += chance;
        chance *= (double)(n - k) / (double)(k + 1);
        k++;
    }
    return k;
}

bool ct_race_interval(const double *sorted, size_t n, double *ret_low, double *ret_high)
{
    const double both_tails = 0.05;
    double tail = both_tails / 2 / ((double)n * (double)(n + 1));
    size_t k = n > 0 ? lower_order(n, tail) : 0;
    if (k == 0)
        return false;
    *ret_low = sorted[k - 1];
    *ret_high = sorted[n - k];
    return true;
}

double ct_race_limit(const struct ct_racer *racers, size_t count, double margin)
{
    double least = INFINITY, low, high;
    for (size_t i = 0; i < count; i++)
        if (!racers[i].out && ct_race_interval(racers[i].sorted, racers[i].count, &low, &high) &&
            high < least)
            least = high;
    return least * (1 + margin);
}

bool ct_race_lost(const struct ct_racer *racer, double limit)
{
    double low, high;
    return ct_race_interval(racer->sorted, racer->count, &low, &high) && low > limit;
}
