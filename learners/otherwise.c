/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "decision/cell_group.h"
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

/* The cells that lead to the leaf; returns how many. */
static size_t cells_of(const struct ct_decision_tree *tree, const struct ct_tree_node *leaf,
                       const struct ct_map *map, size_t *cells)
{
    size_t count = 0;
    for (size_t i = 0; i < map->cell_count; i++) {
        struct ct_features features = ct_cell_features(&map->cells[i]);
        if (ct_tree_decide(tree, &features) == leaf)
            cells[count++] = i;
    }
    return count;
}

static int next_best(const struct ct_map *map, const size_t *cells, size_t count, const bool *always,
                     struct ct_method *ret_method)
{
    size_t best = ct_group_best(map, cells, count, always);
    if (best == SIZE_MAX)
        best = ct_group_best(map, NULL, map->cell_count, always);
    if (best == SIZE_MAX)
        return ct_method_parse("native", map->collective, NULL, ret_method);
    *ret_method = map->methods[best];
    return CT_OK;
}

int ct_learn_fill_otherwise(struct ct_decision_tree *tree, const struct ct_map *map, const bool *allowed)
{
    bool *always = always_applying(map, allowed);
    size_t *cells = ct_allocate(map->cell_count, sizeof *cells);
    int status = always && cells ? CT_OK : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < tree->node_count; i++) {
        struct ct_tree_node *node = &tree->nodes[i];
        if (node->feature != CT_LEAF)
            continue;
        node->otherwise = node->method;
        if (ct_method_constraints(&tree->methods[node->method]) == 0)
            continue;
        struct ct_method method;
        status = next_best(map, cells, cells_of(tree, node, map, cells), always, &method);
        if (status == CT_OK)
            status = ct_tree_add_method(tree, &method, &node->otherwise);
    }
    free(always);
    free(cells);
    return status;
}
