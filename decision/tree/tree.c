/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/tree/tree.h"
#include "base/memory.h"

#include <stdlib.h>

const struct ct_tree_node *ct_tree_decide(const struct ct_decision_tree *tree,
                                          const struct ct_features *features)
{
    const struct ct_tree_node *node = &tree->nodes[0];
    while (node->feature != CT_LEAF)
        node =
            &tree->nodes[ct_feature_value(&tree->features, (size_t)node->feature, features) <= node->threshold
                             ? node->low
                             : node->high];
    return node;
}

/* Room for one more element behind `count`: arrays that know no capacity double at powers of two. */
static int grow_by_one(void *array, size_t count, size_t size)
{
    if (count & (count - 1))
        return CT_OK;
    size_t capacity = count; /* at least; ct_grow() then reallocates to what is asked for */
    return ct_grow(array, &capacity, count ? 2 * count : 1, size);
}

int ct_tree_add_method(struct ct_decision_tree *tree, const struct ct_method *method, uint16_t *ret_index)
{
    const size_t i = ct_method_index(method, tree->methods, tree->method_count);
    if (i < tree->method_count) {
        *ret_index = (uint16_t)i;
        return CT_OK;
    }
    if (tree->method_count > UINT16_MAX)
        return CT_E_LIMIT;
    int status = grow_by_one(&tree->methods, tree->method_count, sizeof *tree->methods);
    if (status != CT_OK)
        return status;
    *ret_index = (uint16_t)tree->method_count;
    tree->methods[tree->method_count++] = *method;
    return CT_OK;
}

int ct_tree_add_node(struct ct_decision_tree *tree, const struct ct_tree_node *node, uint32_t *ret_index)
{
    if (tree->node_count > UINT32_MAX)
        return CT_E_LIMIT;
    int status = grow_by_one(&tree->nodes, tree->node_count, sizeof *tree->nodes);
    if (status != CT_OK)
        return status;
    *ret_index = (uint32_t)tree->node_count;
    tree->nodes[tree->node_count++] = *node;
    return CT_OK;
}

size_t ct_tree_leaf_count(const struct ct_decision_tree *tree)
{
    size_t leaves = 0;
    for (size_t i = 0; i < tree->node_count; i++)
        leaves += tree->nodes[i].feature == CT_LEAF;
    return leaves;
}

const struct ct_decision_tree *ct_decisions_find(const struct ct_decisions *decisions,
                                                 enum ct_collective collective)
{
    for (size_t i = 0; i < decisions->tree_count; i++)
        if (decisions->trees[i].collective == collective)
            return &decisions->trees[i];
    return NULL;
}

void ct_tree_free(struct ct_decision_tree *tree)
{
    free(tree->methods);
    free(tree->nodes);
    ct_feature_set_free(&tree->features);
    *tree = (struct ct_decision_tree){.collective = tree->collective};
}

void ct_decisions_free(struct ct_decisions *decisions)
{
    for (size_t i = 0; i < decisions->tree_count; i++)
        ct_tree_free(&decisions->trees[i]);
    free(decisions->trees);
    *decisions = (struct ct_decisions){0};
}
