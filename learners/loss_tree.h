/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_LOSS_TREE_H
#define CT_LEARNERS_LOSS_TREE_H

#include "decision/tree/tree.h"
#include "learners/points.h"

/* A tree that is grown, and cut back, by the time lost. After Breiman, Friedman, Olshen and Stone 1984,
 * Classification and Regression Trees (ISBN 978-0412048418), chapter 3, with the loss of every method in
 * every point known, so that neither classes nor class probabilities are needed. */

/* Children stand behind their parents. */
struct ct_loss_node {
    int16_t feature; /* column of the points; CT_LEAF where it was not split */
    size_t threshold;
    size_t low, high;
    bool is_leaf;    /* split or not, after cutting back */
    size_t method;   /* that loses least over the node's points, */
    size_t fallback; /* together with this one where it does not apply; itself where it always does */
    double loss;     /* what is lost there, all together */
    double least;    /* with complexity, of the best subtree from here on: cutting back's own */
    size_t points;
};

struct ct_loss_tree {
    struct ct_loss_node *nodes;
    size_t count;
    size_t capacity;
};

/* Splits again and again where that saves most, until nothing is lost, or no point differs from the others,
 * or `max_depth` tests are above (and never more than 64). Thresholds lie halfway between two values, on a
 * scale of doublings. Of equally good splits the first feature's at the lowest threshold is taken, of equally
 * good methods the first, where `favourite` (SIZE_MAX: none) is not among them. In n log n times methods.
 *
 * CT_OK, CT_E_MEMORY, CT_E_LIMIT. Caller frees with ct_loss_tree_free(). */
int ct_loss_tree_grow(const struct ct_points *points, size_t max_depth, size_t favourite,
                      struct ct_loss_tree *ret_tree);

/* Cuts the whole tree back to the subtree that loses least when every leaf costs `complexity` as well.
 * Subtrees of rising complexity parameters lie one within the other. Returns its leaves. */
size_t ct_loss_tree_cut(struct ct_loss_tree *tree, double complexity);

/* Likewise, to at most so many leaves (at least one): of all such subtrees the one that loses least, by
 * `complexity`. CT_OK, CT_E_MEMORY, CT_E_LIMIT. */
int ct_loss_tree_cut_to(struct ct_loss_tree *tree, double complexity, size_t max_leaves);

/* The leaf that these values, by column of the points, lead to. */
size_t ct_loss_tree_leaf(const struct ct_loss_tree *tree, const size_t *values);

/* As a decision tree over the points' columns, without tests between equal leaves. CT_OK, CT_E_MEMORY,
 * CT_E_LIMIT. Caller frees with ct_tree_free(). */
int ct_loss_tree_emit(struct ct_loss_tree *tree, const struct ct_map *map,
                      const struct ct_feature_columns *columns, struct ct_decision_tree *ret_tree);

void ct_loss_tree_free(struct ct_loss_tree *tree);

#endif
