/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/loss_tree.h"

#include <stdlib.h>

void ct_loss_tree_free(struct ct_loss_tree *tree)
{
    free(tree->nodes);
    *tree = (struct ct_loss_tree){0};
}

size_t ct_loss_tree_leaf(const struct ct_loss_tree *tree, const size_t *values)
{
    size_t at = 0;
    while (!tree->nodes[at].is_leaf) {
        const struct ct_loss_node *node = &tree->nodes[at];
        at = values[node->feature] <= node->threshold ? node->low : node->high;
    }
    return at;
}

static bool is_same_leaf(const struct ct_loss_node *a, const struct ct_loss_node *b)
{
    return a->is_leaf && b->is_leaf && a->method == b->method;
}

/* Leaves of tests that make no difference become one. */
static void merge_leaves(struct ct_loss_tree *tree)
{
    for (size_t i = tree->count; i-- > 0;) {
        struct ct_loss_node *node = &tree->nodes[i];
        if (node->is_leaf || !is_same_leaf(&tree->nodes[node->low], &tree->nodes[node->high]))
            continue;
        node->is_leaf = true;
        node->method = tree->nodes[node->low].method;
    }
}

/* The node that decides as this one: two tests of one feature in a row are one where what lies between their
 * thresholds decides as what lies beyond one of them. */
static size_t shorten(const struct ct_loss_tree *tree, size_t at)
{
    for (;;) {
        const struct ct_loss_node *node = &tree->nodes[at];
        if (node->is_leaf)
            return at;
        const struct ct_loss_node *low = &tree->nodes[node->low], *high = &tree->nodes[node->high];
        if (!high->is_leaf && high->feature == node->feature && is_same_leaf(low, &tree->nodes[high->low]))
            at = node->high;
        else if (!low->is_leaf && low->feature == node->feature &&
                 is_same_leaf(&tree->nodes[low->high], high))
            at = node->low;
        else
            return at;
    }
}

/* Copies the node and what is below it, parents first; as deep as the tree. */
static int emit(const struct ct_loss_tree *tree, size_t at, const struct ct_map *map,
                struct ct_decision_tree *decisions, uint32_t *ret_node)
{
    const struct ct_loss_node *from = &tree->nodes[shorten(tree, at)];
    struct ct_tree_node node = {.feature = from->is_leaf ? CT_LEAF : from->feature,
                                .threshold = from->is_leaf ? 0 : from->threshold};
    int status = CT_OK;
    if (from->is_leaf) {
        status = ct_tree_add_method(decisions, &map->methods[from->method], &node.method);
        node.otherwise = node.method;
    }
    uint32_t place = 0, low = 0, high = 0;
    if (status == CT_OK)
        status = ct_tree_add_node(decisions, &node, &place);
    *ret_node = place;
    if (status != CT_OK || from->is_leaf)
        return status;
    status = emit(tree, from->low, map, decisions, &low);
    if (status == CT_OK)
        status = emit(tree, from->high, map, decisions, &high);
    decisions->nodes[place].low = low;
    decisions->nodes[place].high = high;
    return status;
}

int ct_loss_tree_emit(struct ct_loss_tree *tree, const struct ct_map *map, struct ct_decision_tree *ret_tree)
{
    struct ct_decision_tree decisions = {.collective = map->collective};
    uint32_t root;
    merge_leaves(tree);
    int status = emit(tree, 0, map, &decisions, &root);
    if (status == CT_OK)
        *ret_tree = decisions;
    else
        ct_tree_free(&decisions);
    return status;
}
