/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_DECISION_TREE_TREE_INDEX_H
#define CT_DECISION_TREE_TREE_INDEX_H

#include "decision/tree/thresholds.h"
#include "decision/tree/tree.h"

/* A tree, of a quadtree or any other, made ready for quick decisions in memory. The thresholds that it tests
 * a feature against cut that feature's values into ranges; a matrix with a side for each feature holds the
 * decision of every combination. So a decision is the rank of each value and one look into the matrix,
 * whatever the depth of the tree, and a quadtree of depth k fills at most the 2^k x 2^k points that it was
 * learned from. Compare the in-memory quadtree of Pjesivac-Grbovic 2007, section 5.3.4. */

/* The cells of the largest matrix. For trees that would need a larger one, decisions walk the tree. */
enum { CT_INDEX_CELLS_MAX = 1 << 14 };

/* A leaf's methods, by their indices in the tree. */
struct ct_tree_choice {
    uint16_t method;
    uint16_t fallback;
};

struct ct_tree_index {
    const struct ct_decision_tree *tree; /* must outlive the index */
    struct ct_index_side {
        size_t feature; /* its number in the tree */
        struct ct_thresholds ranks;
        size_t stride; /* cells from one rank to the next; 1 for the last side */
    } * sides;         /* a tested feature each, by number */
    size_t side_count;
    struct ct_tree_choice *cells; /* by rank * stride, added up; NULL where there would be too many */
    size_t cell_count;
};

/* CT_OK, CT_E_MEMORY. Caller frees with ct_tree_index_free(). */
int ct_tree_index_make(const struct ct_decision_tree *tree, struct ct_tree_index *ret_index);
void ct_tree_index_free(struct ct_tree_index *index);

/* What ct_tree_decide() finds, without the matrix. */
struct ct_tree_choice ct_tree_index_walk(const struct ct_tree_index *index,
                                         const struct ct_features *features);

/* What ct_tree_decide() finds. */
static inline struct ct_tree_choice ct_tree_index_decide(const struct ct_tree_index *index,
                                                         const struct ct_features *features)
{
    if (!index->cells)
        return ct_tree_index_walk(index, features);
    size_t cell = 0;
    for (size_t i = 0; i < index->side_count; i++) {
        const struct ct_index_side *side = &index->sides[i];
        size_t value = ct_feature_value(&index->tree->features, side->feature, features);
        cell += ct_threshold_index(&side->ranks, value) * side->stride;
    }
    return index->cells[cell];
}

#endif
