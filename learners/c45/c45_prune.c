/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45/c45_prune.h"

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
                      bool update);

/* Errors of the branches together; *ret_largest is the branch that most cases go down. */
static float estimate_branches(struct ct_c45_pruning *pruning, struct ct_c45_node *node, size_t from,
                               size_t to, bool update, size_t *ret_largest)
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
        errors += estimate(pruning, node->branches[v], from, end, update);
        ct_c45_part_unknown(engine, node, from, end);
        ct_c45_unscale(engine, from, known, factor);
    }
    engine->all_known = all_known;
    return errors;
}

/* The test gives way to a leaf, or to its largest branch where that is as good with all the cases. */
static void simplify(struct ct_c45_pruning *pruning, struct ct_c45_node *node, size_t from, size_t to,
                     float leaf_errors, float errors, size_t largest)
{
    struct ct_c45_node *branch = node->branches[largest];
    float branch_errors = estimate(pruning, branch, from, to, false);
    if ((double)leaf_errors <= (double)branch_errors + ct_c45_slack &&
        (double)leaf_errors <= (double)errors + ct_c45_slack) {
        ct_c45_make_leaf(node);
        node->errors = leaf_errors;
        pruning->changed = true;
    } else if ((double)branch_errors <= (double)errors + ct_c45_slack) {
        estimate(pruning, branch, from, to, true);
        *node = *branch;
        pruning->changed = true;
    } else {
        node->errors = errors;
    }
}

/* The pessimistic errors of the node on these cases. With `update` the node takes them for its own and is
 * pruned. */
static float estimate(struct ct_c45_pruning *pruning, struct ct_c45_node *node, size_t from, size_t to,
                      bool update)
{
    struct ct_c45_engine *engine = pruning->engine;
    float *distribution = update ? node->distribution : engine->votes;
    float weight = ct_c45_weight(engine, from, to);
    ct_c45_distribute(engine, from, to, distribution);
    uint16_t best = node->best;
    float leaf_errors = ct_c45_leaf_errors(pruning, distribution, weight, &best);
    if (update) {
        node->items = weight;
        node->best = best;
    }
    if (node->test == CT_C45_LEAF) {
        if (update)
            node->errors = leaf_errors;
        return leaf_errors;
    }
    size_t largest;
    float errors = estimate_branches(pruning, node, from, to, update, &largest);
    if (!update)
        return errors;
    simplify(pruning, node, from, to, leaf_errors, errors, largest);
    return node->errors;
}

int ct_c45_prune(struct ct_c45_engine *engine, struct ct_c45_node *root, bool *ret_changed)
{
    struct ct_c45_pruning pruning = {
        .engine = engine, .confidence = ct_c45_confidence_of((float)engine->options->confidence / 100)};
    ct_c45_engine_reset(engine);
    if (engine->columns)
        ct_c45_prune_columns(&pruning, root);
    else
        estimate(&pruning, root, 0, engine->cases->count, true);
    *ret_changed = pruning.changed;
    return engine->options->subsets ? ct_c45_tidy(engine, root) : CT_OK;
}
