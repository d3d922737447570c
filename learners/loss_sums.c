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

static bool needs_other(const struct ct_points *points, size_t method)
{
    return points->kinds[method] != 0 && points->kinds[method] != CT_KIND_FORBIDDEN;
}

/* Where the sum stands of what the others lose while this one does not apply. */
static size_t row_of(const struct ct_points *points, size_t method)
{
    return points->kinds[method] * points->method_count;
}

struct ct_loss_choice ct_loss_sums_choose(const struct ct_points *points, const double *sums,
                                          size_t favourite)
{
    size_t best = favourite != SIZE_MAX && points->kinds[favourite] == 0 ? favourite : 0;
    while (best + 1 < points->method_count && points->kinds[best] != 0)
        best++;
    for (size_t m = 0; m < points->method_count; m++)
        if (points->kinds[m] == 0 && sums[m] < sums[best] - CT_LOSS_NOTHING)
            best = m;
    struct ct_loss_choice choice = {best, best, sums[best]};
    for (size_t m = 0; points->kind_count > 1 && m < points->method_count; m++) {
        if (!needs_other(points, m))
            continue;
        double loss = sums[m] + sums[row_of(points, m) + best];
        if (loss < choice.loss - CT_LOSS_NOTHING)
            choice = (struct ct_loss_choice){m, best, loss};
    }
    return choice;
}

double ct_loss_sums_least(const struct ct_points *points, const double *sums, const double *part)
{
    size_t best = 0;
    double least = INFINITY;
    for (size_t m = 0; m < points->method_count; m++)
        if (points->kinds[m] == 0 && sums[m] - part[m] < least) {
            least = sums[m] - part[m];
            best = m;
        }
    for (size_t m = 0; points->kind_count > 1 && m < points->method_count; m++) {
        size_t other = row_of(points, m) + best;
        if (needs_other(points, m))
            least = fmin(least, sums[m] - part[m] + sums[other] - part[other]);
    }
    return least;
}
