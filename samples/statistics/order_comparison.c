/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/statistics/order_comparison.h"
#include "base/statistics.h"

#include <math.h>

double ct_order_test(const double *a, size_t a_count, const double *b, size_t b_count, double factor)
{
    struct ct_binomial_tail above = ct_binomial_tail_begin(a_count), below = ct_binomial_tail_begin(b_count);
    double tail = fmax(above.chance, below.chance);
    while (tail < 0.5) {
        ct_binomial_tail_advance(&above, tail);
        ct_binomial_tail_advance(&below, tail);
        if (a[a_count - 1 - above.k] < factor * b[below.k])
            return 2 * tail;
        tail = fmin(ct_binomial_tail_next(above).chance, ct_binomial_tail_next(below).chance);
    }
    return 1;
}
