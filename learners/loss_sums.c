/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/loss_sums.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static void add_row(const struct ct_points *points, size_t point, double *sums)
{
    const double *losses = points->losses + point * points->method_count;
    const double *excess = points->excess ? points->excess + point * points->method_count : NULL;
    for (size_t m = 0; m < points->method_count; m++)
        sums[m] += losses[m] + (excess ? excess[m] : 0);
}

void ct_loss_sums_add(const struct ct_points *points, size_t point, double *sums)
{
    add_row(points, point, sums);
    for (size_t kind = 1; kind < points->kind_count; kind++)
        if (!points->applies[point * points->kind_count + kind])
            add_row(points, point, sums + kind * points->method_count);
}

void ct_loss_sums_clear(const struct ct_points *points, double *sums)
{
    memset(sums, 0, points->kind_count * points->method_count * sizeof *sums);
}

/* Of the methods of kind 0 the one that loses least by this row of sums; the favourite, else the first, where
 * nothing is better. Where there is no such method it is the last. */
static size_t best_in(const struct ct_points *points, const double *row, size_t favourite)
{
    size_t best = favourite != SIZE_MAX && points->kinds[favourite] == 0 ? favourite : 0;
    while (best + 1 < points->method_count && points->kinds[best] != 0)
        best++;
    for (size_t m = 0; m < points->method_count; m++)
        if (points->kinds[m] == 0 && row[m] < row[best] - CT_LOSS_NOTHING)
            best = m;
    return best;
}

struct ct_loss_choice ct_loss_sums_choose(const struct ct_points *points, const double *sums,
                                          size_t favourite)
{
    size_t best = best_in(points, sums, favourite);
    struct ct_loss_choice choice = {best, best, sums[best]};
    for (size_t kind = 1; kind < points->kind_count; kind++) {
        const double *row = sums + kind * points->method_count;
        size_t other = best_in(points, row, favourite);
        for (size_t m = 0; m < points->method_count; m++)
            if (points->kinds[m] == kind && sums[m] + row[other] < choice.loss - CT_LOSS_NOTHING)
                choice = (struct ct_loss_choice){m, other, sums[m] + row[other]};
    }
    return choice;
}

/* The least of the methods of that kind by this row of sums less those of a part. */
static double least_in(const struct ct_points *points, size_t kind, const double *row, const double *part)
{
    double least = INFINITY;
    for (size_t m = 0; m < points->method_count; m++)
        if (points->kinds[m] == kind)
            least = fmin(least, row[m] - part[m]);
    return least;
}

double ct_loss_sums_least(const struct ct_points *points, const double *sums, const double *part)
{
    double least = least_in(points, 0, sums, part);
    for (size_t kind = 1; kind < points->kind_count; kind++) {
        size_t row = kind * points->method_count;
        least = fmin(least, least_in(points, kind, sums, part) + least_in(points, 0, sums + row, part + row));
    }
    return least;
}
