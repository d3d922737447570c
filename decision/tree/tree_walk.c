/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/tree/tree_walk.h"
#include "base/memory.h"

#include <stdlib.h>

static enum ct_walk_event end(struct ct_tree_walk *walk, enum ct_walk_event event)
{
    free(walk->steps);
    *walk = (struct ct_tree_walk){.tree = walk->tree};
    return event;
}

/* A subtree is done: on to its sibling, or up. */
static enum ct_walk_event ascend(struct ct_tree_walk *walk, const struct ct_tree_node **ret_node,
                                 size_t *ret_depth)
{
    if (walk->depth == 0)
        return end(walk, CT_WALK_END);
    struct ct_walk_step *step = &walk->steps[walk->depth - 1];
    *ret_node = &walk->tree->nodes[step->node];
    *ret_depth = walk->depth - 1;
    if (!step->in_high) {
        step->in_high = true;
        walk->returned = false;
        return CT_WALK_HIGH;
    }
    walk->depth--;
    return CT_WALK_CLOSE;
}

enum ct_walk_event ct_tree_walk_next(struct ct_tree_walk *walk, const struct ct_tree_node **ret_node,
                                     size_t *ret_depth)
{
    if (walk->returned)
        return ascend(walk, ret_node, ret_depth);

    uint32_t index = 0;
    if (walk->depth > 0) {
        const struct ct_walk_step *step = &walk->steps[walk->depth - 1];
        const struct ct_tree_node *above = &walk->tree->nodes[step->node];
        index = step->in_high ? above->high : above->low;
    }
    const struct ct_tree_node *node = &walk->tree->nodes[index];
    size_t depth = walk->depth;
    if (node->feature == CT_LEAF) {
        walk->returned = true;
    } else {
        if (ct_grow(&walk->steps, &walk->capacity, depth + 1, sizeof *walk->steps) != CT_OK)
            return end(walk, CT_WALK_FAILED);
        walk->steps[walk->depth++] = (struct ct_walk_step){.node = index};
    }
    *ret_node = node;
    *ret_depth = depth;
    return node->feature == CT_LEAF ? CT_WALK_LEAF : CT_WALK_SPLIT;
}
