/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_TREES_RANDOM_TREE_H
#define CT_TESTS_TREES_RANDOM_TREE_H

#include "decision/tree/tree.h"

/* Sound trees made at random, and calls to try them with. */

/* A tree of at most `leaves` leaves (at least one) over the sizes and other features; its thresholds
 * are close to 0, spread over all sizes, and close to one another. Free with ct_tree_free(). */
struct ct_decision_tree random_tree(enum ct_collective collective, size_t leaves, unsigned *seed);

/* A tree of `depth` tests, of the one feature and the other in turn, each in the low (or high) branch of the
 * last; the leaves take turns with two methods. */
struct ct_decision_tree deep_tree(enum ct_collective collective, enum ct_feature one, enum ct_feature other,
                                  size_t depth, bool in_low);

/* A call: values at and beside thresholds of the tree, small ones, and of any size. */
struct ct_features random_call(const struct ct_decision_tree *tree, unsigned *seed);

#endif
