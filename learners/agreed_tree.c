/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/agreed_tree.h"
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>

/* The values of a feature that reach a node. */
struct range {
    size_t least, most;
};

struct agreeing {
    const struct ct_loss_tree *trees;
    size_t count;
    const bool *careful;
    struct range *ranges; /* by column */
    struct ct_loss_tree agreed;
};

static int add_below(struct agreeing *agreeing, size_t tree, size_t at, const struct ct_loss_node *first,
                     size_t *ret_node);

static int add(struct agreeing *agreeing, const struct ct_loss_node *node, size_t *ret_node)
{
    struct ct_loss_tree *agreed = &agreeing->agreed;
    int status = ct_grow(&agreed->nodes, &agreed->capacity, agreed->count + 1, sizeof *agreed->nodes);
    if (status != CT_OK)
        return status;
    agreed->nodes[agreed->count] = *node;
    *ret_node = agreed->count++;
    return CT_OK;
}

/* A node that was pruned to a leaf still has the test that it had. */
static int add_leaf(struct agreeing *agreeing, const struct ct_loss_node *leaf, size_t *ret_node)
{
    struct ct_loss_node node = *leaf;
    node.feature = CT_LEAF;
    return add(agreeing, &node, ret_node);
}

/* A test that some of the calls pass and others do not. */
static int add_test(struct agreeing *agreeing, size_t tree, const struct ct_loss_node *node,
                    const struct ct_loss_node *first, size_t *ret_node)
{
    struct range *range = &agreeing->ranges[node->feature];
    const struct range whole = *range;
    size_t place, low = 0, high = 0;
    int status = add(agreeing, node, &place);
    if (status != CT_OK)
        return status;
    range->most = node->threshold;
    status = add_below(agreeing, tree, node->low, first, &low);
    *range = (struct range){node->threshold + 1, whole.most};
    if (status == CT_OK)
        status = add_below(agreeing, tree, node->high, first, &high);
    *range = whole;
    if (status != CT_OK)
        return status;
    struct ct_loss_tree *agreed = &agreeing->agreed;
    if (ct_loss_leaves_equal(&agreed->nodes[low], &agreed->nodes[high])) {
        agreed->nodes[place] = agreed->nodes[low];
        agreed->count = place + 1;
    } else {
        agreed->nodes[place].low = low;
        agreed->nodes[place].high = high;
    }
    *ret_node = place;
    return CT_OK;
}

/* Adds what is decided from a node of a tree on. `first` is the leaf of the first tree that the calls reach;
 * NULL in the first tree. The recursion is as deep as all trees together. */
static int add_below(struct agreeing *agreeing, size_t tree, size_t at, const struct ct_loss_node *first,
                     size_t *ret_node)
{
    const struct ct_loss_node *nodes = agreeing->trees[tree].nodes, *node = &nodes[at];
    while (!node->is_leaf) {
        const struct range *range = &agreeing->ranges[node->feature];
        if (range->least <= node->threshold && node->threshold < range->most)
            return add_test(agreeing, tree, node, first, ret_node);
        node = &nodes[range->most <= node->threshold ? node->low : node->high];
    }
    if (agreeing->careful[node->method])
        return add_leaf(agreeing, node, ret_node);
    if (!first)
        first = node;
    return tree + 1 < agreeing->count ? add_below(agreeing, tree + 1, 0, first, ret_node)
                                      : add_leaf(agreeing, first, ret_node);
}

int ct_loss_trees_agree(const struct ct_loss_tree *trees, size_t count, const bool *careful, size_t columns,
                        struct ct_loss_tree *ret_tree)
{
    struct agreeing agreeing = {.trees = trees,
                                .count = count,
                                .careful = careful,
                                .ranges = ct_allocate(columns, sizeof *agreeing.ranges)};
    size_t root;
    if (!agreeing.ranges)
        return CT_E_MEMORY;
    for (size_t i = 0; i < columns; i++)
        agreeing.ranges[i].most = SIZE_MAX;
    int status = add_below(&agreeing, 0, 0, NULL, &root);
    free(agreeing.ranges);
    if (status == CT_OK)
        *ret_tree = agreeing.agreed;
    else
        ct_loss_tree_free(&agreeing.agreed);
    return status;
}
