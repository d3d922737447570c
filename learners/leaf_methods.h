/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_LEAF_METHODS_H
#define CT_LEARNERS_LEAF_METHODS_H

#include "decision/map.h"
#include "decision/tree/tree.h"

/* The methods in the leaves of a tree. */

/* Gives every leaf the allowed method with the least geometric-mean time over the cells that lead to it; a
 * leaf without cells keeps its method. Errors as of ct_learn_fill_fallback(). */
int ct_learn_best_leaves(struct ct_decision_tree *tree, const struct ct_map *map, const bool *allowed);

/* Sets every leaf's `fallback`: its method if that always applies; otherwise, of the methods that always
 * apply and are allowed, the one with the least geometric-mean time over the cells that lead to this leaf;
 * over all cells if these have none; `native` if there is none at all. `allowed` is by method of the map;
 * NULL: all. CT_OK, CT_E_MEMORY, CT_E_LIMIT. */
int ct_learn_fill_fallback(struct ct_decision_tree *tree, const struct ct_map *map, const bool *allowed);

/* Ends a learner's learn() that made the tree with this status: fills in fallbacks as above and moves the
 * tree to *ret_tree; on failure frees it and writes a line of error. */
int ct_learn_finish(const struct ct_map *map, const bool *allowed, int status, struct ct_decision_tree *tree,
                    struct ct_error *error, struct ct_decision_tree *ret_tree);

#endif
