/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "decision/map.h"
#include "learners/learner.h"

#include <stdlib.h>

/* By method of the map: may it be the next best? */
static bool *always_applying(const struct ct_map *map, const bool *allowed)
{
    bool *always = ct_allocate(map->method_count, sizeof *always);
    for (size_t m = 0; always && m < map->method_count; m++)
        always[m] = (!allowed || allowed[m]) && ct_method_constraints(&map->methods[m]) == 0;
    return always;
}

/* Cells by the leaf that they lead to: those of node i are order[first[i]] up to order[first[i + 1]]. */
struct by_leaf {
    size_t *first;
    size_t *order;
};

static void by_leaf_free(struct by_leaf *by_leaf)
{
    free(by_leaf->first);
    free(by_leaf->order);
}

/* Every cell is decided once: where few sizes meet there may be more leaves than cells. */
static int sort_cells(const struct ct_decision_tree *tree, const struct ct_map *map, struct by_leaf *by_leaf)
{
    size_t *first = ct_allocate(tree->node_count + 1, sizeof *first);
    size_t *order = ct_allocate(map->cell_count, sizeof *order);
    size_t *leaves = ct_allocate(map->cell_count, sizeof *leaves);
    *by_leaf = (struct by_leaf){first, order};
    if (!first || !order || !leaves) {
        free(leaves);
        return CT_E_MEMORY;
    }
    for (size_t i = 0; i < map->cell_count; i++) {
        struct ct_features features = ct_key_features(&map->cells[i].key);
        leaves[i] = (size_t)(ct_tree_decide(tree, &features) - tree->nodes);
        first[leaves[i]]++;
    }
    for (size_t n = 0; n < tree->node_count; n++)
        first[n + 1] += first[n];
    for (size_t i = map->cell_count; i-- > 0;)
        order[--first[leaves[i]]] = i;
    free(leaves);
    return CT_OK;
}

static int next_best(const struct ct_map *map, size_t best, struct ct_method *ret_method)
{
    if (best == SIZE_MAX)
        return ct_method_parse("native", map->collective, NULL, ret_method);
    *ret_method = map->methods[best];
    return CT_OK;
}

int ct_learn_fill_fallback(struct ct_decision_tree *tree, const struct ct_map *map, const bool *allowed)
{
    bool *always = always_applying(map, allowed);
    struct by_leaf by_leaf = {0};
    int status = always ? sort_cells(tree, map, &by_leaf) : CT_E_MEMORY;
    size_t overall = status == CT_OK ? ct_map_best_method(map, NULL, map->cell_count, always) : SIZE_MAX;
    for (size_t i = 0; status == CT_OK && i < tree->node_count; i++) {
        struct ct_tree_node *node = &tree->nodes[i];
        if (node->feature != CT_LEAF)
            continue;
        node->fallback = node->method;
        if (ct_method_constraints(&tree->methods[node->method]) == 0)
            continue;
        size_t begin = by_leaf.first[i], count = by_leaf.first[i + 1] - begin, best = SIZE_MAX;
        if (count > 0)
            best = ct_map_best_method(map, by_leaf.order + begin, count, always);
        struct ct_method method;
        status = next_best(map, best == SIZE_MAX ? overall : best, &method);
        if (status == CT_OK)
            status = ct_tree_add_method(tree, &method, &node->fallback);
    }
    free(always);
    by_leaf_free(&by_leaf);
    return status;
}
