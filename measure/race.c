/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/race.h"
#include "base/statistics.h"

#include <math.h>

bool ct_race_interval(const double *sorted, size_t n, double *ret_low, double *ret_high)
{
    const double failure = 0.05 / ((double)n * (double)(n + 1));
    size_t low, high;
    if (n == 0 || !ct_median_bounds(n, 1 - failure, &low, &high))
        return false;
    *ret_low = sorted[low];
    *ret_high = sorted[high];
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
