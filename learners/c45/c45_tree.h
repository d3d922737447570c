/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_C45_TREE_H
#define CT_LEARNERS_C45_C45_TREE_H

#include "learners/c45/c45_data.h"

/* Trees as C4.5 grows them. */

enum {
    CT_C45_DEPTH_MAX = 10000 /* tests on a path: what walks a tree recurses no deeper */
};

enum ct_c45_test {
    CT_C45_LEAF,
    CT_C45_VALUES,    /* a branch for each value of a discrete attribute */
    CT_C45_THRESHOLD, /* branch 0 where the number is at most `cut`, else branch 1 */
    CT_C45_SUBSETS    /* a branch for a set of values */
};

struct ct_c45_node {
    enum ct_c45_test test;
    uint16_t best;       /* class */
    float items;         /* weight of the cases here */
    float errors;        /* of these wrong here and below; once pruned, the pessimistic estimate */
    float *distribution; /* weight by class */
    uint16_t attribute;
    float cut;
    bool softened; /* then these are set */
    float lower;
    float upper;
    uint16_t *branch_of;  /* subsets: by value v, its branch + 1; 0 where no branch has it */
    uint16_t value_count; /* that the tests of a discrete attribute know */
    size_t branch_count;
    struct ct_c45_node **branches;
};

/* Nodes and all they hold live as long as the pool that they are from. Starts as all zeroes. */
struct ct_c45_pool {
    struct ct_c45_block *blocks;
};

/* Memory, all zeroes; NULL where there is none. Freed with the pool. */
void *ct_c45_take(struct ct_c45_pool *pool, size_t count, size_t size);
void ct_c45_pool_free(struct ct_c45_pool *pool);

/* A leaf of this class, with a copy of the weights by class (`classes` of them); NULL without memory. */
struct ct_c45_node *ct_c45_leaf_make(struct ct_c45_pool *pool, uint16_t best, float items, float errors,
                                     const float *distribution, size_t classes);

/* A deep copy, out of the pool; NULL without memory. */
struct ct_c45_node *ct_c45_node_copy(struct ct_c45_pool *pool, const struct ct_c45_node *node,
                                     size_t classes);

/* Nodes, leaves that no case reached included. */
size_t ct_c45_size(const struct ct_c45_node *node);

/* The branch of a case whose value there is known; `branch_count` where no branch takes it. */
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

/* Is the value that the node tests unknown? */
static inline bool ct_c45_is_unknown(const struct ct_c45_node *node, const struct ct_c45_cases *cases,
                                     size_t index)
{
    const union ct_c45_column *column = &cases->columns[node->attribute];
    return node->test == CT_C45_THRESHOLD ? column->numbers[index] != column->numbers[index]
                                          : column->values[index] == CT_C45_UNKNOWN;
}

#endif
