/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45/c45_columns.h"
#include "learners/c45/c45_prune.h"

#include <string.h>

/* --- a branch with strays --- */

/* Brings the strays of a branch to the front; returns how many they are. */
static size_t part_strays(const struct ct_c45_engine *engine, const struct ct_c45_node *node, size_t branch,
                          uint32_t *strays, size_t count)
{
    size_t front = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t index = strays[i];
        if (ct_c45_branch(node, engine->cases, index) != branch)
            continue;
        strays[i] = strays[front];
        strays[front++] = index;
    }
    return front;
}

static float stray_leaf(const struct ct_c45_pruning *pruning, const struct ct_c45_node *leaf,
                        const uint32_t *strays, size_t count)
{
    struct ct_c45_engine *engine = pruning->engine;
    uint16_t best = leaf->best;
    /* a leaf that no case reached has the distribution of its parent */
    for (size_t c = 0; c < engine->classes; c++)
        engine->votes[c] = leaf->items > 0 ? leaf->distribution[c] : 0;
    for (size_t i = 0; i < count; i++)
        engine->votes[engine->cases->classes[strays[i]]]++;
    return ct_c45_leaf_errors(pruning, engine->votes, leaf->items + (float)count, &best);
}

/* Pessimistic errors of a pruned node on its own cases and the strays, whose order changes. */
static float estimate_with(const struct ct_c45_pruning *pruning, const struct ct_c45_node *node,
                           uint32_t *strays, size_t count)
{
    float errors = 0;
    if (count == 0)
        return node->errors;
    if (node->test == CT_C45_LEAF)
        return stray_leaf(pruning, node, strays, count);
    for (size_t b = 0; b < node->branch_count; b++) {
        size_t part = part_strays(pruning->engine, node, b, strays, count);
        if (part > 0 || node->branches[b]->items > 0)
            errors += estimate_with(pruning, node->branches[b], strays, part);
        strays += part;
        count -= part;
    }
    return errors;
}

/* The node's errors if the branch at `begin`..end - 1 had all its cases, which are at from..to - 1. */
static float estimate_largest(struct ct_c45_pruning *pruning, const struct ct_c45_node *branch, size_t from,
                              size_t begin, size_t end, size_t to)
{
    const struct ct_c45_engine *engine = pruning->engine;
    uint32_t *strays = engine->columns->spare_order;
    memcpy(strays, engine->order + from, (begin - from) * sizeof *strays);
    memcpy(strays + (begin - from), engine->order + end, (to - end) * sizeof *strays);
    return estimate_with(pruning, branch, strays, (begin - from) + (to - end));
}

/* --- pruning --- */

static void prune(struct ct_c45_pruning *pruning, struct ct_c45_node *node, size_t from, size_t to);

/* Prunes the branches and adds up their errors. The largest is *ret_largest, its cases at *ret_begin up to
 * *ret_end - 1. */
static float prune_branches(struct ct_c45_pruning *pruning, struct ct_c45_node *node, size_t from, size_t to,
                            size_t *ret_largest, size_t *ret_begin, size_t *ret_end)
{
    const float known = (float)(to - from);
    float errors = 0, most = 0;
    for (size_t b = 0; b < node->branch_count; b++) {
        size_t end = ct_c45_part_branch(pruning->engine, node, b, from, to);
        if (end == from)
            continue;
        float factor = (float)(end - from) / known;
        if (factor >= most) {
            most = factor;
            *ret_largest = b;
            *ret_begin = from;
            *ret_end = end;
        }
        prune(pruning, node->branches[b], from, end);
        errors += node->branches[b]->errors;
        from = end;
    }
    return errors;
}

static void prune(struct ct_c45_pruning *pruning, struct ct_c45_node *node, size_t from, size_t to)
{
    const float weight = (float)(to - from);
    ct_c45_distribute(pruning->engine, from, to, node->distribution);
    float leaf_errors = ct_c45_leaf_errors(pruning, node->distribution, weight, &node->best);
    node->items = weight;
    node->errors = leaf_errors;
    if (node->test == CT_C45_LEAF)
        return;
    size_t largest = 0, begin = from, end = from;
    float errors = prune_branches(pruning, node, from, to, &largest, &begin, &end);
    struct ct_c45_node *branch = node->branches[largest];
    float branch_errors = estimate_largest(pruning, branch, from, begin, end, to);
    if ((double)leaf_errors <= (double)branch_errors + ct_c45_slack &&
        (double)leaf_errors <= (double)errors + ct_c45_slack) {
        ct_c45_make_leaf(node);
        pruning->changed = true;
    } else if ((double)branch_errors <= (double)errors + ct_c45_slack) {
        prune(pruning, branch, from, to);
        *node = *branch;
        pruning->changed = true;
    } else {
        node->errors = errors;
    }
}

void ct_c45_prune_columns(struct ct_c45_pruning *pruning, struct ct_c45_node *root)
{
    prune(pruning, root, 0, pruning->engine->cases->count);
}
