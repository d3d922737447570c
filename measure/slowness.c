/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/slowness.h"
#include "base/sort.h"

static const double slow_factor = 10;

double ct_slowness_of_slowest(double *seconds, size_t count)
{
    if (count == 0)
        return 1;
    ct_sort(seconds, count);
    double median = seconds[(count - 1) / 2];
    return median > 0 ? seconds[count - 1] / median : 1;
}

bool ct_slowness_is_much(double factor)
{
    return factor > slow_factor;
}
