/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/statistics/order_comparison.h"
#include "base/statistics.h"

#include <math.h>

double ct_order_test(const double *a, size_t a_count, const double *b, size_t b_count, double factor)
{
    struct ct_ladder above = ct_ladder_begin(a_count), below = ct_ladder_begin(b_count);
    double tail = fmax(above.chance, below.chance);
    while (tail < 0.5) {
        ct_ladder_climb(&above, tail);
        ct_ladder_climb(&below, tail);
        if (a[a_count - 1 - above.k] < factor * b[below.k])
            return 2 * tail;
        tail = fmin(ct_ladder_next(above).chance, ct_ladder_next(below).chance);
    }
    return 1;
}
