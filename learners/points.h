/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_POINTS_H
#define CT_LEARNERS_POINTS_H

#include "learners/learn_features.h"

/* What a tree by lost time is learned from: calls, and what each method loses in them. */

struct ct_points {
    size_t count;
    size_t method_count;               /* of the map */
    struct ct_feature_columns columns; /* what may be tested */
    size_t *values;                    /* [count][columns.count] */
    double *losses;                    /* [count][method_count] */
    double *excess; /* likewise, what breaking a bound costs on top; NULL where there is none */
};

/* A measured loss counts whole, as log(time / best time), up to the cap, and hardly more beyond: so large a
 * one is as likely a disturbed sample as a slow method. */
#define CT_LOSS_CAP 1.5

/* What a method costs that failed, or was not measured among others that were. */
#define CT_LOSS_UNKNOWN 1.5

/* Room for `count` points, all zeroes. CT_OK, CT_E_MEMORY, CT_E_LIMIT. Caller frees with ct_points_free(). */
int ct_points_make(size_t count, size_t method_count, const struct ct_feature_columns *columns,
                   struct ct_points *ret_points);

/* The features of a point. */
static inline size_t *ct_point_values(const struct ct_points *points, size_t point)
{
    return points->values + point * points->columns.count;
}

/* The cells of a map in which several allowed methods were measured; where there are none, all in which one
 * was. One method alone tells nothing of which is better. `allowed` is by method of the map.
 *
 * A method that is surely as good as the best loses nothing. One that does not apply to a call leaves it to
 * another (ct_learn_fill_otherwise()): it loses what the best of those loses that always apply.
 *
 * CT_OK; CT_E_INPUT where no allowed method was measured at all; CT_E_MEMORY, CT_E_LIMIT. Caller frees with
 * ct_points_free(). */
int ct_points_of_map(const struct ct_map *map, const struct ct_feature_columns *columns, const bool *allowed,
                     struct ct_error *error, struct ct_points *ret_points);

/* What the allowed methods lose in calls of this cell, of which the sizes and nodes count, where they take
 * these times (seconds by method; NAN where not known). Unless the times are computed native loses 2 % less
 * than that, for no gain so small is sure to be one. */
void ct_points_losses(const struct ct_map *map, const bool *allowed, const struct ct_cell *cell,
                      const double *times, double *ret_losses);

/* Makes penalties of more than `worst` (0.5 is 50 %) cost so much that everything else is given up first.
 * `exact`: as the map the losses are of. CT_OK, CT_E_MEMORY. */
int ct_points_bound(struct ct_points *points, double worst, bool exact);

void ct_points_free(struct ct_points *points);

#endif
