/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_LEAF_PRICE_H
#define CT_LEARNERS_LEAF_PRICE_H

#include "learners/learner.h"
#include "learners/points.h"

/* How a learner turns (a part of) a map into points with these columns: as ct_points_of_map(). */
typedef int ct_make_points(const struct ct_map *map, const struct ct_feature_columns *columns,
                           const bool *allowed, const struct ct_learn_options *options,
                           struct ct_error *error, struct ct_points *ret_points);

/* A tree by lost time that is learned from points: grown, cut back to the price that is found best by leaving
 * out sizes, and to what the options allow.
 *
 * What a leaf must save, as a share of the points times loss, is settled by cross-validation over whole
 * communicator sizes and whole message sizes, for those are what a user has that were not measured: in turn
 * every eighth of the communicator sizes (then of the message sizes) between the least and the greatest is
 * left out, trees are learned from the rest, and lose in the cells that were left out. The highest price is
 * taken that loses no more there than the best one plus half the standard error of the difference between the
 * two over these turns; the price of nothing where no size lies between others.
 *
 * CT_OK; CT_E_INPUT where `make` says so; CT_E_MEMORY, CT_E_LIMIT. Caller frees with ct_tree_free(). */
int ct_learn_by_loss(const struct ct_map *map, const struct ct_learn_options *options, const bool *allowed,
                     ct_make_points *make, struct ct_error *error, struct ct_decision_tree *ret_tree);

#endif
