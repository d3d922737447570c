/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45/c45_engine.h"

/* Down the branch that the value says, or down all of them by how many cases took each. */
static void vote(const struct ct_c45_node *node, const struct ct_c45_cases *cases, size_t index, float weight,
                 size_t classes, float *votes)
{
    while (node->test != CT_C45_LEAF && !ct_c45_is_unknown(node, cases, index)) {
        size_t branch = ct_c45_branch(node, cases, index);
        if (branch == node->branch_count)
            break;
        node = node->branches[branch];
    }
    if (node->test != CT_C45_LEAF) {
        for (size_t b = 0; b < node->branch_count; b++)
            vote(node->branches[b], cases, index, (weight * node->branches[b]->items) / node->items, classes,
                 votes);
    } else if (node->items > 0) {
        for (size_t c = 0; c < classes; c++)
            if (node->distribution[c] > 0)
                votes[c] += (weight * node->distribution[c]) / node->items;
    } else {
        votes[node->best] += weight;
    }
}

uint16_t ct_c45_classify(const struct ct_c45_node *root, const struct ct_c45_cases *cases, size_t index,
                         size_t classes, float *votes)
{
    for (size_t c = 0; c < classes; c++)
        votes[c] = 0;
    vote(root, cases, index, 1, classes, votes);
    return ct_c45_first_best(votes, classes);
}
