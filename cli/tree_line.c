/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/tree_line.h"

#include <stdio.h>

void ct_tree_line_tell(const struct ct_table *table, size_t index)
{
    const struct ct_decision_tree *tree = &table->decisions.trees[index];
    const struct ct_penalty *penalty = &table->trees[index].penalty;
    size_t leaves = ct_tree_leaf_count(tree);
    fprintf(stderr, "%s: %zu %s, depth %zu", ct_collectives[tree->collective].name, leaves,
            leaves == 1 ? "leaf" : "leaves", ct_tree_depth(tree));
    if (penalty->cells > 0)
        fprintf(stderr, ", mean penalty %.2f %% over %zu %s", 100 * penalty->mean, penalty->cells,
                penalty->cells == 1 ? "cell" : "cells");
    fprintf(stderr, "\n");
}
