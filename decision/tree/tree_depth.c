/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/tree/tree_depth.h"
#include "decision/tree/tree_walk.h"

struct ct_tree_depths ct_tree_depths(const struct ct_decision_tree *tree)
{
    struct ct_tree_walk walk = {.tree = tree};
    struct ct_tree_depths depths = {.least = SIZE_MAX};
    const struct ct_tree_node *node;
    size_t depth = 0, leaves = 0;
    double sum = 0;
    for (;;) {
        enum ct_walk_event event = ct_tree_walk_next(&walk, &node, &depth);
        if (event == CT_WALK_FAILED)
            return (struct ct_tree_depths){.most = SIZE_MAX};
        if (event == CT_WALK_END)
            break;
        if (event != CT_WALK_LEAF)
            continue;
        depths.least = depth < depths.least ? depth : depths.least;
        depths.most = depth > depths.most ? depth : depths.most;
        sum += (double)depth;
        leaves++;
    }
    if (leaves == 0)
        return (struct ct_tree_depths){0};
    depths.mean = sum / (double)leaves;
    return depths;
}

size_t ct_tree_depth(const struct ct_decision_tree *tree)
{
    return ct_tree_depths(tree).most;
}
