/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/predict/size_axis.h"

#include <math.h>
#include <stdbool.h>

struct times {
    const double *seconds;
    size_t comm_size_count, msg_size_count, method_count;
};

static double time_of(const struct times *times, size_t p, size_t b, size_t m)
{
    return times->seconds[(p * times->msg_size_count + b) * times->method_count + m];
}

static bool has_times(const struct times *times, size_t b)
{
    for (size_t p = 0; p < times->comm_size_count; p++)
        for (size_t m = 0; m < times->method_count; m++)
            if (!isnan(time_of(times, p, b, m)))
                return true;
    return false;
}

/* Of those methods alone that have both times: else they would change the mean by coming and going. */
static double distance(const struct times *times, size_t from, size_t to)
{
    double sum = 0;
    size_t count = 0;
    for (size_t p = 0; p < times->comm_size_count; p++)
        for (size_t m = 0; m < times->method_count; m++) {
            double change = log(time_of(times, p, to, m) / time_of(times, p, from, m));
            if (isnan(change))
                continue;
            sum += change;
            count++;
        }
    return count > 0 ? sum / (double)count : 0;
}

void ct_size_axis(const double *seconds, size_t comm_size_count, size_t msg_size_count, size_t method_count,
                  double *ret_axis)
{
    const struct times times = {seconds, comm_size_count, msg_size_count, method_count};
    size_t first = 0;
    while (first + 1 < msg_size_count && !has_times(&times, first))
        first++;
    for (size_t b = 0; b < msg_size_count; b++)
        ret_axis[b] = distance(&times, first, b);
}
