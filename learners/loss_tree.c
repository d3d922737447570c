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
    return a->is_leaf && b->is_leaf && a->method == b->method && a->fallback == b->fallback;
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
        node->fallback = tree->nodes[node->low].fallback;
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

struct emitting {
    const struct ct_loss_tree *tree;
    const struct ct_map *map;
    const struct ct_feature_columns *columns;
    struct ct_decision_tree decisions;
};

/* The node without its branches. */
static int emit_node(struct emitting *emitting, const struct ct_loss_node *from, uint32_t *ret_place)
{
    struct ct_tree_node node = {.feature = CT_LEAF};
    size_t feature = 0;
    int status;
    if (from->is_leaf) {
        const struct ct_method *methods = emitting->map->methods;
        status = ct_tree_add_method(&emitting->decisions, &methods[from->method], &node.method);
        if (status == CT_OK)
            status = ct_tree_add_method(&emitting->decisions, &methods[from->fallback], &node.fallback);
    } else {
        const struct ct_feature_columns *columns = emitting->columns;
        status = ct_feature_take(&emitting->decisions.features, columns->set, columns->numbers[from->feature],
                                 NULL, &feature);
        node.feature = (int16_t)feature;
        node.threshold = from->threshold;
    }
    return status == CT_OK ? ct_tree_add_node(&emitting->decisions, &node, ret_place) : status;
}

/* Copies the node and what is below it, parents first; as deep as the tree. */
static int emit(struct emitting *emitting, size_t at, uint32_t *ret_node)
{
    const struct ct_loss_node *from = &emitting->tree->nodes[shorten(emitting->tree, at)];
    uint32_t place = 0, low = 0, high = 0;
    int status = emit_node(emitting, from, &place);
    *ret_node = place;
    if (status != CT_OK || from->is_leaf)
        return status;
    status = emit(emitting, from->low, &low);
    if (status == CT_OK)
        status = emit(emitting, from->high, &high);
    emitting->decisions.nodes[place].low = low;
    emitting->decisions.nodes[place].high = high;
    return status;
}

int ct_loss_tree_emit(struct ct_loss_tree *tree, const struct ct_map *map,
                      const struct ct_feature_columns *columns, struct ct_decision_tree *ret_tree)
{
    struct emitting emitting = {
        .tree = tree, .map = map, .columns = columns, .decisions.collective = map->collective};
    uint32_t root;
    merge_leaves(tree);
    int status = emit(&emitting, 0, &root);
    if (status == CT_OK)
        *ret_tree = emitting.decisions;
    else
        ct_tree_free(&emitting.decisions);
    return status;
}
