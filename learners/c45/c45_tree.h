/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_C45_TREE_H
#define CT_LEARNERS_C45_C45_TREE_H

#include "learners/c45/c45_data.h"

/* Trees as C4.5 grows them. */

enum {
    CT_C45_DEPTH_MAX = 10000 /* tests on a path; recursion over a tree is no deeper than this */
};

enum ct_c45_test {
    CT_C45_LEAF,
    CT_C45_VALUES,    /* one branch for each value of a discrete attribute */
    CT_C45_THRESHOLD, /* branch 0 if the number is at most `cut`, else branch 1 */
    CT_C45_SUBSETS    /* one branch for each of some sets of values */
};

struct ct_c45_node {
    enum ct_c45_test test;
    uint16_t best;       /* class */
    float items;         /* weight of the cases here */
    float errors;        /* weight of those misclassified; after pruning, the pessimistic estimate */
    float *distribution; /* weight by class */
    uint16_t attribute;
    float cut;
    bool softened; /* `lower` and `upper` are set */
    float lower;
    float upper;
    uint16_t *branch_of;  /* subsets: by value, its branch + 1; 0 if it is in no branch */
    uint16_t value_count; /* values of the discrete attribute that the test knows */
    size_t branch_count;
    struct ct_c45_node **branches;
};

/* Memory that is freed all at once, for nodes and what they hold. Starts as all zeroes. */
struct ct_c45_pool {
    struct ct_c45_block *blocks;
    bool failed; /* an allocation failed */
};

/* Memory, all zeroes; NULL, and pool->failed, if there is none. */
void *ct_c45_take(struct ct_c45_pool *pool, size_t count, size_t size);
void ct_c45_pool_free(struct ct_c45_pool *pool);

/* A leaf of class `best` with a copy of the weights by class; NULL without memory. */
struct ct_c45_node *ct_c45_leaf_make(struct ct_c45_pool *pool, uint16_t best, float items, float errors,
                                     const float *distribution, size_t classes);

/* Turns a test into a leaf; class, items and errors stay. */
void ct_c45_make_leaf(struct ct_c45_node *node);

/* A copy of the tree; NULL without memory. Sets of values are shared with the original. */
struct ct_c45_node *ct_c45_node_copy(struct ct_c45_pool *pool, const struct ct_c45_node *node,
                                     size_t classes);

/* The number of nodes, including leaves that no case reached. */
size_t ct_c45_size(const struct ct_c45_node *node);

/* The class of a case. If a value is unknown, all branches vote, weighted by their training cases. `votes`
 * is room for all classes. */
uint16_t ct_c45_classify(const struct ct_c45_node *root, const struct ct_c45_cases *cases, size_t index,
                         size_t classes, float *votes);

/* The first class with the greatest weight. */
uint16_t ct_c45_first_best(const float *weights, size_t classes);

/* The branch of a case whose value is known; `branch_count` if no branch takes that value. */
static inline size_t ct_c45_branch(const struct ct_c45_node *node, const struct ct_c45_cases *cases,
                                   size_t index)
{
    const union ct_c45_column *column = &cases->columns[node->attribute];
    if (node->test == CT_C45_THRESHOLD)
        return column->numbers[index] <= node->cut ? 0 : 1;
    size_t value = column->values[index];
    if (value > node->value_count)
        return node->branch_count;
    if (node->test == CT_C45_VALUES)
        return value - 1;
    return node->branch_of[value] ? node->branch_of[value] - 1u : node->branch_count;
}

/* Whether the value that the node tests is unknown. */
static inline bool ct_c45_is_unknown(const struct ct_c45_node *node, const struct ct_c45_cases *cases,
                                     size_t index)
{
    const union ct_c45_column *column = &cases->columns[node->attribute];
    return node->test == CT_C45_THRESHOLD ? column->numbers[index] != column->numbers[index]
                                          : column->values[index] == CT_C45_UNKNOWN;
}

#endif
