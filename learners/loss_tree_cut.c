/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "learners/loss_tree.h"

#include <stdint.h>
#include <stdlib.h>

/* Leaves below those that were cut off are leaves no more. */
static size_t count_leaves(const struct ct_loss_tree *tree, size_t at)
{
    const struct ct_loss_node *node = &tree->nodes[at];
    return node->is_leaf ? 1 : count_leaves(tree, node->low) + count_leaves(tree, node->high);
}

size_t ct_loss_tree_cut(struct ct_loss_tree *tree, double price)
{
    for (size_t i = tree->count; i-- > 0;) {
        struct ct_loss_node *node = &tree->nodes[i];
        double leaf = node->loss + price;
        double below =
            node->feature == CT_LEAF ? leaf : tree->nodes[node->low].least + tree->nodes[node->high].least;
        node->is_leaf = node->feature == CT_LEAF || leaf <= below;
        node->least = node->is_leaf ? leaf : below;
    }
    return count_leaves(tree, 0);
}

/* By node and number of leaves below it, from 1 on: the least loss, and how many leaves are in the low
 * branch. */
struct choice {
    double loss;
    size_t lows; /* 0: the node is a leaf */
};

struct choices {
    struct choice *all;
    size_t *first; /* by node: where its own begin */
    size_t *count; /* of leaves at most */
};

/* How many choices each node has: as many as leaves, up to the bound. */
static int make_room(const struct ct_loss_tree *tree, size_t max_leaves, struct choices *choices)
{
    size_t total = 0;
    choices->first = ct_allocate(tree->count, sizeof *choices->first);
    choices->count = ct_allocate(tree->count, sizeof *choices->count);
    if (!choices->first || !choices->count)
        return CT_E_MEMORY;
    for (size_t i = tree->count; i-- > 0;) {
        const struct ct_loss_node *node = &tree->nodes[i];
        size_t leaves = node->feature == CT_LEAF ? 1 : choices->count[node->low] + choices->count[node->high];
        choices->count[i] = leaves < max_leaves ? leaves : max_leaves;
        choices->first[i] = total;
        if (!ct_add(total, choices->count[i], &total))
            return CT_E_LIMIT;
    }
    choices->all = ct_allocate(total, sizeof *choices->all);
    return choices->all ? CT_OK : CT_E_MEMORY;
}

static void choose(const struct ct_loss_tree *tree, size_t at, struct choices *choices)
{
    const struct ct_loss_node *node = &tree->nodes[at];
    struct choice *own = choices->all + choices->first[at];
    for (size_t k = 0; k < choices->count[at]; k++)
        own[k] = (struct choice){.loss = node->loss};
    if (node->feature == CT_LEAF)
        return;
    const struct choice *low = choices->all + choices->first[node->low];
    const struct choice *high = choices->all + choices->first[node->high];
    for (size_t i = 1; i <= choices->count[node->low]; i++)
        for (size_t j = 1; j <= choices->count[node->high] && i + j <= choices->count[at]; j++)
            if (low[i - 1].loss + high[j - 1].loss < own[i + j - 1].loss)
                own[i + j - 1] = (struct choice){low[i - 1].loss + high[j - 1].loss, i};
}

/* Leaves by the choices, where this node has so many; as deep as the tree. */
static void apply(struct ct_loss_tree *tree, size_t at, size_t leaves, const struct choices *choices)
{
    struct ct_loss_node *node = &tree->nodes[at];
    const struct choice *choice = &choices->all[choices->first[at] + leaves - 1];
    node->is_leaf = choice->lows == 0;
    if (node->is_leaf)
        return;
    apply(tree, node->low, choice->lows, choices);
    apply(tree, node->high, leaves - choice->lows, choices);
}

int ct_loss_tree_cut_to(struct ct_loss_tree *tree, double price, size_t max_leaves)
{
    struct choices choices = {0};
    size_t best = 0;
    int status = make_room(tree, max_leaves, &choices);
    for (size_t i = tree->count; status == CT_OK && i-- > 0;)
        choose(tree, i, &choices);
    for (size_t k = 1; status == CT_OK && k < choices.count[0]; k++) {
        const struct choice *own = choices.all + choices.first[0];
        if (own[k].loss + price * (double)k < own[best].loss + price * (double)best)
            best = k;
    }
    if (status == CT_OK)
        apply(tree, 0, best + 1, &choices);
    free(choices.all);
    free(choices.first);
    free(choices.count);
    return status;
}
