/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/adapt/cost_line.h"

#include <assert.h>

void ct_cost_line_add(struct ct_cost_line *line, double bytes, double seconds)
{
    assert(seconds > 0);
    const double weight = 1 / (seconds * seconds);
    if (line->weights == 0 || bytes < line->least_bytes)
        line->least_bytes = bytes;
    if (bytes > line->most_bytes)
        line->most_bytes = bytes;
    line->weights += weight;
    line->bytes += weight * bytes;
    line->seconds += weight * seconds;
    line->bytes_squared += weight * bytes * bytes;
    line->products += weight * bytes * seconds;
}

bool ct_cost_line_at(const struct ct_cost_line *line, double bytes, double *ret_seconds)
{
    if (line->most_bytes == 0 || line->most_bytes < 2 * line->least_bytes)
        return false;
    /* Sizes differ, so this is positive. */
    double determinant = line->weights * line->bytes_squared - line->bytes * line->bytes;
    double slope = (line->weights * line->products - line->bytes * line->seconds) / determinant;
    double start = (line->seconds - slope * line->bytes) / line->weights;
    if (slope < 0) {
        slope = 0;
        start = line->seconds / line->weights;
    } else if (start < 0) {
        slope = line->products / line->bytes_squared;
        start = 0;
    }
    double seconds = start + slope * bytes;
    if (seconds > 0)
        *ret_seconds = seconds;
    return seconds > 0;
}
