/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/leaf_methods.h"
#include "base/memory.h"
#include "learners/map_parts.h"

#include <stdlib.h>

/* By method of the map: does it always apply, and is it allowed? */
static bool *always_applying(const struct ct_map *map, const bool *allowed)
{
    bool *always = ct_allocate(map->method_count, sizeof *always);
    for (size_t m = 0; always && m < map->method_count; m++)
        always[m] = (!allowed || allowed[m]) && ct_method_constraints(&map->methods[m]) == 0;
    return always;
}

/* The cells by the node of the leaf that they lead to. Each cell is decided once, because few sizes may lead
 * to more leaves than there are cells. */
static int group_by_leaf(const struct ct_decision_tree *tree, const struct ct_map *map,
                         struct ct_cell_groups *ret_groups)
{
    size_t *leaves = ct_allocate(map->cell_count, sizeof *leaves);
    if (!leaves)
        return CT_E_MEMORY;
    for (size_t i = 0; i < map->cell_count; i++) {
        struct ct_features features = ct_key_features(&map->cells[i].key);
        leaves[i] = (size_t)(ct_tree_decide(tree, &features) - tree->nodes);
    }
    int status = ct_cell_groups_make(leaves, map->cell_count, tree->node_count, ret_groups);
    free(leaves);
    return status;
}

int ct_learn_best_leaves(struct ct_decision_tree *tree, const struct ct_map *map, const bool *allowed)
{
    struct ct_cell_groups cells = {0};
    int status = group_by_leaf(tree, map, &cells);
    for (size_t i = 0; status == CT_OK && i < tree->node_count; i++) {
        struct ct_tree_node *node = &tree->nodes[i];
        size_t begin = cells.first[i], count = cells.first[i + 1] - begin, best = SIZE_MAX;
        if (node->feature == CT_LEAF && count > 0)
            best = ct_map_best_method(map, cells.order + begin, count, allowed);
        if (best != SIZE_MAX)
            status = ct_tree_add_method(tree, &map->methods[best], &node->method);
    }
    ct_cell_groups_free(&cells);
    return status;
}

int ct_learn_fill_fallback(struct ct_decision_tree *tree, const struct ct_map *map, const bool *allowed)
{
    struct ct_cell_groups cells = {0};
    bool *always = always_applying(map, allowed);
    int status = always ? group_by_leaf(tree, map, &cells) : CT_E_MEMORY;
    size_t overall = status == CT_OK ? ct_map_best_method(map, NULL, map->cell_count, always) : SIZE_MAX;
    for (size_t i = 0; status == CT_OK && i < tree->node_count; i++) {
        struct ct_tree_node *node = &tree->nodes[i];
        if (node->feature != CT_LEAF)
            continue;
        node->fallback = node->method;
        if (ct_method_constraints(&tree->methods[node->method]) == 0)
            continue;
        size_t begin = cells.first[i], count = cells.first[i + 1] - begin, best = SIZE_MAX;
        if (count > 0)
            best = ct_map_best_method(map, cells.order + begin, count, always);
        if (best == SIZE_MAX)
            best = overall;
        struct ct_method method;
        if (best == SIZE_MAX)
            status = ct_method_parse("native", map->collective, NULL, &method);
        else
            method = map->methods[best];
        if (status == CT_OK)
            status = ct_tree_add_method(tree, &method, &node->fallback);
    }
    free(always);
    ct_cell_groups_free(&cells);
    return status;
}

int ct_learn_finish(const struct ct_map *map, const bool *allowed, int status, struct ct_decision_tree *tree,
                    struct ct_error *error, struct ct_decision_tree *ret_tree)
{
    if (status == CT_OK)
        status = ct_learn_fill_fallback(tree, map, allowed);
    if (status == CT_OK) {
        *ret_tree = *tree;
        return CT_OK;
    }
    ct_tree_free(tree);
    return ct_fail(error, status, "the tree of %s does not fit into memory",
                   ct_collectives[map->collective].name);
}
