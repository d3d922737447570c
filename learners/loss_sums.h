/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_LOSS_SUMS_H
#define CT_LEARNERS_LOSS_SUMS_H

#include "learners/points.h"

/* What methods lose in several points together, and which of them to choose there.
 *
 * A method that does not apply to some of the points needs one that stands in for it, the same in all. So
 * sums are taken by kind of methods as well: sums[kind * method_count + m] is what m loses in those points
 * that the kind does not apply to; for kind 0, which always applies, in all points. */

/* Losses that do not matter: rounding, and less than a microsecond in a second. */
#define CT_LOSS_NOTHING 1e-6

struct ct_loss_choice {
    size_t method;
    size_t fallback; /* stands in for it; itself where it always applies */
    double loss;     /* of both together */
};

/* All of sums [kind_count][method_count] to 0. */
void ct_loss_sums_clear(const struct ct_points *points, double *sums);

/* Adds a point, with what breaking a bound costs. */
void ct_loss_sums_add(const struct ct_points *points, size_t point, double *sums);

/* What loses least: a method of kind 0, or another with the one of kind 0 that loses least where that other
 * does not apply. Of equally good ones the favourite (SIZE_MAX: none), else kind 0, else the first of the
 * lowest kind. */
struct ct_loss_choice ct_loss_sums_choose(const struct ct_points *points, const double *sums,
                                          size_t favourite);

/* The loss of that choice for `sums` less those of a part of the points. */
double ct_loss_sums_least(const struct ct_points *points, const double *sums, const double *part);

#endif
