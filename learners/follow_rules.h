/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_FOLLOW_RULES_H
#define CT_LEARNERS_FOLLOW_RULES_H

#include "decision/tree/tree.h"
#include "learners/points.h"

/* Makes a tree follow the rules of choosable.h in the measured cells, in the calls of all measured
 * communicator sizes with all measured message sizes, and in those of the sizes between them, unless
 * estimates know these better because they follow the methods' plans. A leaf that breaks them is replaced by
 * a tree that tests the columns: its choice stays in all calls in which it breaks no rule, and in the others
 * the method is taken that loses the least in the nearest measured cells. Calls that the columns do not tell
 * apart share a choice. If the columns are more than the keys of cells, measured cells alone are considered,
 * because calls of alike sizes need not be alike. `allowed` is by method of the map (NULL: all); native is
 * never replaced if it is spared.
 *
 * `estimates` are points of the same map, methods and columns, or NULL. If they follow a model of the machine
 * (`predicted`), that is knowledge of the calls between the measured sizes, too: there a leaf is not replaced
 * by a method that is estimated to be slower than its choice by more than the map's margin of equivalence.
 *
 * CT_OK; CT_E_MEMORY, CT_E_LIMIT, after which the tree is of no use but to be freed. */
int ct_follow_rules(const struct ct_map *map, const bool *allowed, const struct ct_feature_columns *columns,
                    const struct ct_points *estimates, bool spare_native, struct ct_decision_tree *tree);

/* For learners that take the best method of each measured cell: makes the finished tree follow the rules in
 * the other calls, by tests of both sizes. Computed times have no noise: trees of these stay as they are.
 * CT_OK; CT_E_MEMORY, CT_E_LIMIT with a line in `error`, after which the tree is freed. */
int ct_follow_rules_by_sizes(const struct ct_map *map, const bool *allowed, struct ct_error *error,
                             struct ct_decision_tree *tree);

#endif
