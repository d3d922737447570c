/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/fit/fit_link.h"

#include <math.h>

struct ct_hockney ct_fit_hockney(const struct ct_link_points *points)
{
    struct ct_line line =
        ct_line_fit(points->points[CT_POINT_ROUND_TRIP], points->counts[CT_POINT_ROUND_TRIP]);
    return (struct ct_hockney){.alpha = line.start, .beta = line.slope};
}

struct ct_hockney ct_fit_hockney_extremes(const struct ct_link_points *points)
{
    struct ct_hockney hockney = {.alpha = INFINITY, .beta = INFINITY};
    for (size_t i = 0; i < points->counts[CT_POINT_ROUND_TRIP]; i++) {
        const struct ct_fit_point *point = &points->points[CT_POINT_ROUND_TRIP][i];
        hockney.alpha = fmin(hockney.alpha, point->seconds);
        if (point->bytes > 0)
            hockney.beta = fmin(hockney.beta, point->seconds / point->bytes);
    }
    return hockney;
}
