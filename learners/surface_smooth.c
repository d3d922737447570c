/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "learners/surface.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { WITNESSES = 2 };

/* The shortest times with more ranks and more bytes, and where they are. */
struct shortest {
    double logs[WITNESSES]; /* rising */
    size_t points[WITNESSES];
};

static const struct shortest none = {{INFINITY, INFINITY}, {SIZE_MAX, SIZE_MAX}};

static void enter(struct shortest *shortest, double value, size_t point)
{
    if (isnan(value) || point == shortest->points[0] || point == shortest->points[1])
        return;
    if (value < shortest->logs[0])
        *shortest = (struct shortest){{value, shortest->logs[0]}, {point, shortest->points[0]}};
    else if (value < shortest->logs[1])
        *shortest = (struct shortest){{shortest->logs[0], value}, {shortest->points[0], point}};
}

static void enter_all(struct shortest *shortest, const struct shortest *others)
{
    for (int i = 0; i < WITNESSES; i++)
        enter(shortest, others->logs[i], others->points[i]);
}

/* No time is longer than two with more ranks and more bytes. `seen` has room for the points. */
static void limit(struct ct_surface *surface, size_t method, struct shortest *seen)
{
    const double slack = 0.05;
    size_t columns = surface->columns;
    for (size_t point = surface->rows * columns; point-- > 0;) {
        size_t i = point * surface->methods + method;
        double measured = surface->logs[i];
        seen[point] = none;
        if (point / columns + 1 < surface->rows)
            enter_all(&seen[point], &seen[point + columns]);
        if (point % columns + 1 < columns)
            enter_all(&seen[point], &seen[point + 1]);
        double most = fmax(seen[point].logs[WITNESSES - 1] + slack, surface->least[i]);
        enter(&seen[point], measured, point);
        if (measured > most)
            surface->logs[i] = most;
    }
}

static double median_of_3(double a, double b, double c)
{
    return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

/* To at most that, within what its samples allow; NAN is no bound. */
static void shorten(struct ct_surface *surface, size_t i, double most)
{
    if (surface->logs[i] > most)
        surface->logs[i] = fmax(most, surface->least[i]);
}

/* Running medians of 3 over message sizes, where they are shorter (Tukey 1977, Exploratory Data Analysis,
 * chapter 7). The first has one neighbour, and should not take longer than that; the last not more than twice
 * as long as in proportion to its neighbour. */
static void take_medians(struct ct_surface *surface, size_t row, size_t method)
{
    double *logs = surface->logs, before = NAN;
    const double *places = surface->places + surface->rows;
    size_t first = ct_surface_index(surface, row, 0, method), step = surface->methods;
    size_t columns = surface->columns, last = first + (columns - 1) * step;
    if (columns < 3)
        return;
    for (size_t i = first; i < last; i += step) {
        double here = logs[i], next = logs[i + step];
        if (i > first && !isnan(before) && !isnan(next))
            shorten(surface, i, median_of_3(before, here, next));
        before = here;
    }
    shorten(surface, first, logs[first + step]);
    shorten(surface, last, logs[last - step] + M_LN2 * (1 + places[columns - 1] - places[columns - 2]));
}

int ct_surface_smooth(struct ct_surface *surface)
{
    struct shortest *seen = ct_allocate(surface->rows * surface->columns, sizeof *seen);
    if (!seen)
        return CT_E_MEMORY;
    for (size_t m = 0; m < surface->methods; m++) {
        limit(surface, m, seen);
        for (size_t row = 0; row < surface->rows; row++)
            take_medians(surface, row, m);
    }
    free(seen);
    return CT_OK;
}
