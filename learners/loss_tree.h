/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_LOSS_TREE_H
#define CT_LEARNERS_LOSS_TREE_H

#include "decision/tree/tree.h"
#include "learners/points.h"

/* A tree that is grown and pruned by the time lost, after Breiman, Friedman, Olshen and Stone 1984,
 * Classification and Regression Trees (ISBN 978-0412048418), chapter 3. The loss of every method is known at
 * every point, so that neither classes nor class probabilities are needed. */

/* Children are stored after their parents. */
struct ct_loss_node {
    int16_t feature; /* column of the points; CT_LEAF: it was not split */
    size_t threshold;
    size_t low, high;
    bool is_leaf;    /* after pruning; the node may have been split */
    size_t method;   /* loses the least over the node's points, with */
    size_t fallback; /* this one for calls that it does not apply to; itself if it always applies */
    double loss;     /* of both over the node's points */
    double least;    /* used by pruning: loss and complexity of the best subtree from here on */
    size_t points;
};

struct ct_loss_tree {
    struct ct_loss_node *nodes;
    size_t count;
    size_t capacity;
};

enum { CT_LOSS_DEEPEST = 64 };

/* Splits where that saves most, until nothing is lost, all points are equal, or `max_depth` tests (at most
 * CT_LOSS_DEEPEST) are above. If no split saves anything by itself, the points are halved, because two splits
 * may. Thresholds lie halfway between two values on a scale of doublings. Of equal splits the first feature's
 * with the lowest threshold is taken; of equal methods the `favourite` (SIZE_MAX: none), or else the first.
 * Takes time in proportion to n log n times methods.
 *
 * CT_OK, CT_E_MEMORY, CT_E_LIMIT. Caller frees with ct_loss_tree_free(). */
int ct_loss_tree_grow(const struct ct_points *points, size_t max_depth, size_t favourite,
                      struct ct_loss_tree *ret_tree);

/* Prunes the whole tree to the subtree that loses the least if every leaf costs `complexity` as well.
 * Subtrees of rising complexity parameters are nested. Returns the number of leaves. */
size_t ct_loss_tree_cut(struct ct_loss_tree *tree, double complexity);

/* The same for at most `max_leaves` leaves (at least one). CT_OK, CT_E_MEMORY, CT_E_LIMIT. */
int ct_loss_tree_cut_to(struct ct_loss_tree *tree, double complexity, size_t max_leaves);

/* The leaf that these values, by column of the points, lead to. */
size_t ct_loss_tree_leaf(const struct ct_loss_tree *tree, const size_t *values);

/* Turns the tree into a decision tree; tests whose branches are equal leaves are dropped. CT_OK, CT_E_MEMORY,
 * CT_E_LIMIT. Caller frees with ct_tree_free(). */
int ct_loss_tree_emit(struct ct_loss_tree *tree, const struct ct_map *map,
                      const struct ct_feature_columns *columns, struct ct_decision_tree *ret_tree);

/* The same into a decision tree, in place of one of its leaves. On failure the decision tree is of no use. */
int ct_loss_tree_emit_at(struct ct_loss_tree *tree, const struct ct_map *map,
                         const struct ct_feature_columns *columns, struct ct_decision_tree *decisions,
                         uint32_t leaf);

/* Do two nodes decide the same, both as leaves? */
bool ct_loss_leaves_equal(const struct ct_loss_node *a, const struct ct_loss_node *b);

void ct_loss_tree_free(struct ct_loss_tree *tree);

#endif
