/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_DECISION_TREE_TREE_BUILD_H
#define CT_DECISION_TREE_TREE_BUILD_H

#include "decision/tree/tree.h"

/* Builds a tree from its nodes in preorder, as files hold them, and refuses unsound ones: a test whose
 * outcome follows from the tests above it, a test on a feature that the collective does not have, a leaf
 * without a method that always applies, missing or superfluous nodes. */

enum { CT_TREE_DEPTH_MAX = 10000 }; /* tests on a path */

/* The greatest size that an MPI_Count can hold; a greater threshold is a mistake. */
#define CT_THRESHOLD_MAX ((size_t)INT64_MAX)

/* A test whose branches are being built. */
struct ct_tree_open {
    uint32_t node;
    bool in_high;
    size_t least; /* of its feature, above this test */
    size_t most;
};

struct ct_tree_builder {
    struct ct_decision_tree tree; /* the builder's own until ct_tree_builder_finish() */
    struct ct_tree_open *open;    /* from the root down */
    size_t open_count;
    size_t open_capacity;
    size_t least[CT_FEATURES_MAX]; /* what the open tests leave possible, both ends included */
    size_t most[CT_FEATURES_MAX];
    bool whole; /* the root and all below it are there */
};

void ct_tree_builder_begin(struct ct_tree_builder *builder, enum ct_collective collective);

/* The next node is a test of a feature, by its number in builder->tree.features: the nodes that follow are
 * its low branch, then its high one. CT_OK; CT_E_INPUT with a line in `error` that says what was expected;
 * CT_E_MEMORY, CT_E_LIMIT. */
int ct_tree_builder_split(struct ct_tree_builder *builder, size_t feature, size_t threshold,
                          struct ct_error *error);

/* The next node is a leaf. `fallback` is NULL if and only if `method` has no constraints; it has none itself.
 */
int ct_tree_builder_leaf(struct ct_tree_builder *builder, const struct ct_method *method,
                         const struct ct_method *fallback, struct ct_error *error);

/* Hands the tree over; CT_E_INPUT where nodes are missing. */
int ct_tree_builder_finish(struct ct_tree_builder *builder, struct ct_error *error,
                           struct ct_decision_tree *ret_tree);

/* After every begin, finished or not. */
void ct_tree_builder_free(struct ct_tree_builder *builder);

#endif
