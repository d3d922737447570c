/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/curve.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool ct_curve_rises(const struct ct_curve *curve)
{
    for (size_t i = 1; i < curve->count; i++)
        if (curve->points[i].seconds < curve->points[i - 1].seconds)
            return false;
    return true;
}

int ct_curve_make(const struct ct_curve_point *points, size_t count, struct ct_error *error,
                  struct ct_curve *ret_curve)
{
    if (count == 0)
        return ct_fail(error, CT_E_INPUT, "no points: expected at least one");
    for (size_t i = 0; i < count; i++) {
        double least = i == 0 ? 0 : nextafter(points[i - 1].bytes, INFINITY);
        if (!isfinite(points[i].bytes) || points[i].bytes < least)
            return ct_fail(error, CT_E_INPUT,
                           "point %zu: %g bytes: expected sizes in ascending order, from 0 or more", i + 1,
                           points[i].bytes);
        if (!isfinite(points[i].seconds) || points[i].seconds < 0)
            return ct_fail(error, CT_E_INPUT, "point %zu: %g seconds: expected 0 or more", i + 1,
                           points[i].seconds);
    }
    struct ct_curve_point *copy = ct_allocate(count, sizeof *copy);
    if (!copy)
        return CT_E_MEMORY;
    memcpy(copy, points, count * sizeof *copy);
    *ret_curve = (struct ct_curve){.points = copy, .count = count};
    return CT_OK;
}

void ct_curve_free(struct ct_curve *curve)
{
    free(curve->points);
    *curve = (struct ct_curve){0};
}
