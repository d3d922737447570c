/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/fit/fit_link.h"

#include <math.h>

struct ct_loggp ct_fit_loggp(const struct ct_link_points *points, const struct ct_plogp *plogp)
{
    struct ct_line line =
        ct_line_fit(points->points[CT_POINT_ROUND_TRIP], points->counts[CT_POINT_ROUND_TRIP]);
    struct ct_loggp loggp = ct_loggp_of_plogp(plogp);
    double one_byte = ct_line_at(&line, 1);
    loggp.overhead = fmin(loggp.overhead, one_byte / 2);
    loggp.latency = one_byte - 2 * loggp.overhead;
    loggp.gap_per_byte = line.slope;
    return loggp;
}
