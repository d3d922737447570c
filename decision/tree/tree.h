/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_DECISION_TREE_TREE_H
#define CT_DECISION_TREE_TREE_H

#include "algorithms/method.h"
#include "decision/tree/feature_set.h"

#include <stdint.h>

/* A decision tree: tests on features of a call, methods in the leaves. Every learner returns one. The tuned
 * library holds and reads trees, too, so this part needs libc only. */

enum { CT_LEAF = -1 };

struct ct_tree_node {
    int16_t feature;   /* number in the tree's features, or CT_LEAF */
    uint16_t method;   /* leaf: index into the tree's methods */
    uint16_t fallback; /* leaf: the best method that always applies; `method` itself if it does */
    uint32_t low;      /* else: node where feature <= threshold */
    uint32_t high;     /* and where it is greater */
    size_t threshold;
};

struct ct_decision_tree {
    enum ct_collective collective;
    struct ct_method *methods; /* without duplicates, all of `collective` */
    size_t method_count;
    struct ct_tree_node *nodes; /* nodes[0] is the root; children come after their parents */
    size_t node_count;
    struct ct_feature_set features;
};

/* All trees of a tuned library: at most one per collective. */
struct ct_decisions {
    struct ct_decision_tree *trees;
    size_t tree_count;
};

/* The leaf for these features. */
const struct ct_tree_node *ct_tree_decide(const struct ct_decision_tree *tree,
                                          const struct ct_features *features);

/* Index of the method in the tree, added where it is new. */
int ct_tree_add_method(struct ct_decision_tree *tree, const struct ct_method *method, uint16_t *ret_index);
/* Appends a node; *ret_index is its place. CT_OK, CT_E_MEMORY, CT_E_LIMIT. */
int ct_tree_add_node(struct ct_decision_tree *tree, const struct ct_tree_node *node, uint32_t *ret_index);

/* How many leaves it has. */
size_t ct_tree_leaf_count(const struct ct_decision_tree *tree);

/* The tree of a collective; NULL where there is none. */
const struct ct_decision_tree *ct_decisions_find(const struct ct_decisions *decisions,
                                                 enum ct_collective collective);

void ct_tree_free(struct ct_decision_tree *tree);
void ct_decisions_free(struct ct_decisions *decisions);

/* The compact text that COLLTUNE_TABLE names and `generate --format table` writes: a line
 * `colltune-table 2`, then per tree `collective NAME`, a line `feature NAME=FORMULA` for each feature that is
 * not known by its name, and its nodes in preorder, one a line, indented by two spaces a level:
 * `comm_size <= 8`, the low branch, the high branch; a leaf is a method's spelling without its collective,
 * followed by ` fallback METHOD` where the two differ. Lines that begin with # are comments. The reader is
 * strict: CT_E_INPUT with file, line and what was expected. Depth at most 10000, without recursion. Caller
 * frees with ct_decisions_free(). */
int ct_decisions_read_text(const char *text, const char *file_name, struct ct_error *error,
                           struct ct_decisions *ret_decisions);
void ct_decisions_write_text(const struct ct_decisions *decisions, struct ct_text *text);

#endif
