/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_POINTS_H
#define CT_LEARNERS_POINTS_H

#include "learners/learn_features.h"

#include <limits.h>

/* What a tree by lost time is learned from: calls, and what each method loses in them. */

/* Methods differ in when they apply: those of a kind apply to the same calls, of kind 0 to all. In a call
 * that a leaf's method does not apply to, another stands in for it, one of kind 0, which is the leaf's, too.
 */
struct ct_points {
    size_t count;
    size_t method_count;               /* of the map */
    struct ct_feature_columns columns; /* what may be tested */
    size_t *values;                    /* [count][columns.count] */
    double *losses; /* [count][method_count]; 0 where the method does not apply: its stand-in loses there */
    double *excess; /* likewise, what breaking a bound costs on top; NULL where there is none */
    unsigned char *kinds; /* [method_count]; CT_KIND_FORBIDDEN where a method is not allowed */
    size_t kind_count;    /* at least one */
    bool lacks_stand_ins; /* no method that always applies is allowed: all count as if they did */
    bool *applies;        /* [count][kind_count]; NULL where there is one kind alone */
};

#define CT_KIND_FORBIDDEN UCHAR_MAX

/* A measured loss counts whole, as log(time / best time), up to the cap, and hardly more beyond: so large a
 * one is as likely a disturbed sample as a slow method. */
#define CT_LOSS_CAP 1.5

/* What a method costs that failed, or was not measured among others that were. */
#define CT_LOSS_UNKNOWN 1.5

/* Room for `count` points, all zeroes, of methods that apply to all calls. CT_OK, CT_E_MEMORY, CT_E_LIMIT.
 * Caller frees with ct_points_free(). */
int ct_points_make(size_t count, size_t method_count, const struct ct_feature_columns *columns,
                   struct ct_points *ret_points);

/* Likewise of the map's methods, as far as they are allowed, with their kinds. Where none that always applies
 * is allowed, all count as of kind 0, and one that does not apply is as one that failed. */
int ct_points_make_for(const struct ct_map *map, const bool *allowed, size_t count,
                       const struct ct_feature_columns *columns, struct ct_points *ret_points);

/* The features of a point. */
static inline size_t *ct_point_values(const struct ct_points *points, size_t point)
{
    return points->values + point * points->columns.count;
}

/* Does the method apply to the call? */
static inline bool ct_point_applies(const struct ct_points *points, size_t point, size_t method)
{
    return points->kind_count == 1 || points->applies[point * points->kind_count + points->kinds[method]];
}

/* What is lost at a point by a leaf's method and its stand-in. */
static inline double ct_point_loss(const struct ct_points *points, size_t point, size_t method,
                                   size_t fallback)
{
    size_t taken = ct_point_applies(points, point, method) ? method : fallback;
    return points->losses[point * points->method_count + taken];
}

/* The cells of a map in which several allowed methods were measured; where there are none, all in which one
 * was. One method alone tells nothing of which is better. `allowed` is by method of the map.
 *
 * A method that is surely as good as the best loses nothing.
 *
 * CT_OK; CT_E_INPUT where no allowed method was measured at all; CT_E_MEMORY, CT_E_LIMIT. Caller frees with
 * ct_points_free(). */
int ct_points_of_map(const struct ct_map *map, const struct ct_feature_columns *columns, const bool *allowed,
                     struct ct_error *error, struct ct_points *ret_points);

/* Sets what the allowed methods lose at a point whose call is that of the cell (of which the sizes and nodes
 * count), where they take these times (seconds by method; NAN where not known), and which kinds apply. Unless
 * the times are computed native loses 2 % less than that, for no gain so small is sure to be one. */
void ct_points_set(struct ct_points *points, size_t point, const struct ct_map *map,
                   const struct ct_cell *cell, const double *times);

/* Makes penalties of more than `worst` (0.5 is 50 %) cost so much that everything else is given up first.
 * `exact`: as the map the losses are of. CT_OK, CT_E_MEMORY. */
int ct_points_bound(struct ct_points *points, double worst, bool exact);

void ct_points_free(struct ct_points *points);

#endif
