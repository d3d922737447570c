/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45/c45_trace.h"

float ct_c45_leaf_errors(const struct ct_c45_pruning *pruning, const float *distribution, float weight,
                         uint16_t *best)
{
    for (size_t c = 0; c < pruning->engine->classes; c++)
        if (distribution[c] > distribution[*best])
            *best = (uint16_t)c;
    float wrong = weight - distribution[*best];
    return wrong + ct_c45_added_errors(&pruning->confidence, weight, wrong);
}

static float estimate(struct ct_c45_pruning *pruning, struct ct_c45_node *node, size_t from, size_t to,
                      bool update, size_t level);

/* Errors of the branches together; *ret_largest is the branch that most cases go down. */
static float estimate_branches(struct ct_c45_pruning *pruning, struct ct_c45_node *node, size_t from,
                               size_t to, bool update, size_t level, size_t *ret_largest)
{
    struct ct_c45_engine *engine = pruning->engine;
    const bool all_known = engine->all_known;
    size_t known = ct_c45_part_unknown(engine, node, from, to);
    float known_weight = ct_c45_weight(engine, known, to), errors = 0, most = 0;
    if (known > from)
        engine->all_known = false;
    *ret_largest = 0;
    for (size_t v = 0; v < node->branch_count; v++) {
        size_t end = ct_c45_part_branch(engine, node, v, known, to);
        if (end == known)
            continue;
        float factor = ct_c45_weight(engine, known, end) / known_weight;
        if (factor >= most) {
            most = factor;
            *ret_largest = v;
        }
        ct_c45_scale(engine, from, known, factor);
        errors += estimate(pruning, node->branches[v], from, end, update, level + 1);
        ct_c45_part_unknown(engine, node, from, end);
        ct_c45_unscale(engine, from, known, factor);
    }
    engine->all_known = all_known;
    return errors;
}

/* The test gives way to a leaf, or to its largest branch where that is as good with all the cases. */
static void simplify(struct ct_c45_pruning *pruning, struct ct_c45_node *node, size_t from, size_t to,
                     struct ct_c45_estimates *estimates, size_t level)
{
    struct ct_c45_node *branch = node->branches[estimates->largest];
    estimates->branch = estimate(pruning, branch, from, to, false, level);
    ct_c45_trace_test(pruning->engine, node, estimates, level);
    if ((double)estimates->leaf <= (double)estimates->branch + ct_c45_slack &&
        (double)estimates->leaf <= (double)estimates->tree + ct_c45_slack) {
        ct_c45_make_leaf(node);
        node->errors = estimates->leaf;
        pruning->changed = true;
    } else if ((double)estimates->branch <= (double)estimates->tree + ct_c45_slack) {
        estimate(pruning, branch, from, to, true, level);
        *node = *branch;
        pruning->changed = true;
    } else {
        node->errors = estimates->tree;
    }
}

/* The pessimistic errors of the node on these cases. With `update` the node takes them for its own and is
 * pruned. */
static float estimate(struct ct_c45_pruning *pruning, struct ct_c45_node *node, size_t from, size_t to,
                      bool update, size_t level)
{
    struct ct_c45_engine *engine = pruning->engine;
    float *distribution = update ? node->distribution : engine->votes;
    float weight = ct_c45_weight(engine, from, to);
    ct_c45_distribute(engine, from, to, distribution);
    uint16_t best = node->best;
    struct ct_c45_estimates estimates = {.leaf = ct_c45_leaf_errors(pruning, distribution, weight, &best)};
    if (update) {
        node->items = weight;
        node->best = best;
    }
    if (node->test == CT_C45_LEAF) {
        if (update) {
            node->errors = estimates.leaf;
            ct_c45_trace_leaf(engine, node, level);
        }
        return estimates.leaf;
    }
    estimates.tree = estimate_branches(pruning, node, from, to, update, level, &estimates.largest);
    if (!update)
        return estimates.tree;
    simplify(pruning, node, from, to, &estimates, level);
    return node->errors;
}

int ct_c45_prune(struct ct_c45_engine *engine, struct ct_c45_node *root, bool *ret_changed)
{
    struct ct_c45_pruning pruning = {
        .engine = engine, .confidence = ct_c45_confidence_of((float)engine->options->confidence / 100)};
    ct_c45_engine_reset(engine);
    if (engine->trace)
        ct_text_append(engine->trace, "\n");
    if (engine->columns)
        ct_c45_prune_columns(&pruning, root);
    else
        estimate(&pruning, root, 0, engine->cases->count, true, 0);
    *ret_changed = pruning.changed;
    return engine->options->subsets ? ct_c45_tidy(engine, root) : CT_OK;
}
