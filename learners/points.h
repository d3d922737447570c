/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_POINTS_H
#define CT_LEARNERS_POINTS_H

#include "learners/learn_features.h"

#include <limits.h>

/* What a tree by lost time is learned from: calls, and what each method loses in them.
 *
 * Methods differ in when they apply. Methods of one kind apply to the same calls, those of kind 0 to all. In
 * calls that a leaf's method does not apply to, the leaf's fallback is used, a method of kind 0. */
struct ct_points {
    size_t count;
    size_t method_count;               /* of the map */
    struct ct_feature_columns columns; /* that may be tested */
    size_t *values;                    /* [count][columns.count] */
    double *losses;     /* [count][method_count]; 0 if the method does not apply: its fallback loses there */
    double *excess;     /* [count][method_count], what breaking a bound costs in addition; NULL: no bound */
    bool *predicted;    /* [method_count], the times of which follow a model of the machine; NULL: none */
    bool follows_plans; /* losses between the measured sizes follow the plans of the methods */
    double allowance;   /* mean loss that pruning may add; 0: to be found by cross-validation */
    unsigned char *kinds; /* [method_count]; CT_KIND_FORBIDDEN if a method is not allowed */
    size_t kind_count;    /* at least one */
    bool lacks_fallbacks; /* no method that always applies is allowed: all count as of kind 0 */
    bool *applies;        /* [count][kind_count]; NULL if there is one kind alone */
};

#define CT_KIND_FORBIDDEN UCHAR_MAX

/* A measured loss, log(time / best time), counts fully up to the cap and hardly more beyond it: so large a
 * loss is as likely to be a disturbed sample as a slow method. */
#define CT_LOSS_CAP 1.5

/* The loss of a method that failed, or was not measured where others were. */
#define CT_LOSS_UNKNOWN 1.5

/* Room for `count` points, all zeroes, of methods that apply to all calls. CT_OK, CT_E_MEMORY, CT_E_LIMIT.
 * Caller frees with ct_points_free(). */
int ct_points_make(size_t count, size_t method_count, const struct ct_feature_columns *columns,
                   struct ct_points *ret_points);

/* The same for the allowed methods of a map, with their kinds. If none that always applies is allowed, all
 * count as of kind 0, and a method that does not apply to a call counts there as failed. */
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

/* What a leaf's method, or its fallback, loses at a point. */
static inline double ct_point_loss(const struct ct_points *points, size_t point, size_t method,
                                   size_t fallback)
{
    size_t taken = ct_point_applies(points, point, method) ? method : fallback;
    return points->losses[point * points->method_count + taken];
}

/* The cells of a map in which several allowed methods were measured, because one method alone does not tell
 * which is better; if there are none, all cells in which one was measured. `allowed` is by method of the map.
 * A method that is equivalent to the best (CT_STANDING_EQUIVALENT) loses nothing. CT_OK; CT_E_INPUT if no
 * allowed method was measured at all; CT_E_MEMORY, CT_E_LIMIT. Caller frees with ct_points_free(). */
int ct_points_of_map(const struct ct_map *map, const struct ct_feature_columns *columns, const bool *allowed,
                     struct ct_error *error, struct ct_points *ret_points);

/* Sets which kinds apply at a point and what the allowed methods lose there. The call is that of the cell, of
 * which only the key counts. `times` are seconds by method; NAN: unknown. Unless the map's times are
 * computed, native loses 2 % less than measured, because so small a gain is never certain. */
void ct_points_set(struct ct_points *points, size_t point, const struct ct_map *map,
                   const struct ct_cell *cell, const double *times);

/* What a choice costs that must not be made: so much that all else is given up first. */
#define CT_LOSS_FORBIDDEN 1000

/* Forbids methods at a point: those that are allowed and apply, but that `may` (by method) does not name.
 * CT_OK, CT_E_MEMORY. */
int ct_points_forbid(struct ct_points *points, size_t point, const bool *may);

/* Makes slowdowns of more than `max_slowdown` (0.5 is 50 %) cost CT_LOSS_FORBIDDEN in addition. `exact` is
 * that of the map. CT_OK, CT_E_MEMORY. */
int ct_points_bound(struct ct_points *points, double max_slowdown, bool exact);

void ct_points_free(struct ct_points *points);

/* Sums of losses over several points. They are taken by kind, because a method needs one fallback for all the
 * points that it does not apply to: sums[kind * method_count + m] is what m loses in the points that the kind
 * does not apply to; for kind 0, which always applies, in all points. */

/* Losses too small to matter: rounding, and less than a microsecond in a second. */
#define CT_LOSS_NOTHING 1e-6

struct ct_loss_choice {
    size_t method;
    size_t fallback; /* the method itself if it always applies */
    double loss;     /* of both */
};

/* Sets all sums [kind_count][method_count] to 0. */
void ct_loss_sums_clear(const struct ct_points *points, double *sums);

/* Adds a point, with what breaking a bound costs. */
void ct_loss_sums_add(const struct ct_points *points, size_t point, double *sums);

/* The choice that loses the least: a method of kind 0, or a method of another kind with the best fallback.
 * If the method applies to all points, the fallback is the one that loses the least over all of them, because
 * other calls may need it. Ties go to the favourite (SIZE_MAX: none), then to kind 0, then to the first
 * method of the lowest kind. */
struct ct_loss_choice ct_loss_sums_choose(const struct ct_points *points, const double *sums,
                                          size_t favourite);

/* The loss of the best choice for the difference of two sums. */
double ct_loss_sums_least(const struct ct_points *points, const double *sums, const double *part);

#endif
