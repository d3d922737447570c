/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45/c45_prune.h"
#include "base/memory.h"
#include "learners/c45/c45_columns.h"
#include "learners/c45/c45_engine.h"
#include "learners/c45/c45_information.h"
#include "learners/c45/c45_order.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct pruning {
    struct ct_c45_engine *engine;
    struct ct_c45_confidence confidence;
    bool changed;
};

/* Pessimistic errors of a leaf with these weights by class. *best is the class of the node so far; it becomes
 * the class with the greatest weight. */
static float leaf_errors(const struct pruning *pruning, const float *distribution, float weight,
                         uint16_t *best)
{
    for (size_t c = 0; c < pruning->engine->classes; c++)
        if (distribution[c] > distribution[*best])
            *best = (uint16_t)c;
    float wrong = weight - distribution[*best];
    return wrong + ct_c45_added_errors(&pruning->confidence, weight, wrong);
}

enum verdict { KEEP, MAKE_LEAF, RAISE_BRANCH };

static enum verdict judge(const struct ct_c45_estimates *estimates)
{
    const double slack = 0.1; /* a simpler tree may be worse by this much */
    double tree = (double)estimates->tree + slack;
    if ((double)estimates->leaf <= (double)estimates->branch + slack && (double)estimates->leaf <= tree)
        return MAKE_LEAF;
    return (double)estimates->branch <= tree ? RAISE_BRANCH : KEEP;
}

/* --- in the order of C4.5 Release 8 --- */

static float estimate(struct pruning *pruning, struct ct_c45_node *node, size_t from, size_t to, bool update,
                      size_t level);

/* The errors of all branches; *ret_largest is the branch with most of the known cases. */
static float estimate_branches(struct pruning *pruning, struct ct_c45_node *node, size_t from, size_t to,
                               bool update, size_t level, size_t *ret_largest)
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

/* Replaces a test by a leaf or by its largest branch if that is no worse. */
static void simplify(struct pruning *pruning, struct ct_c45_node *node, size_t from, size_t to,
                     struct ct_c45_estimates *estimates, size_t level)
{
    struct ct_c45_node *branch = node->branches[estimates->largest];
    estimates->branch = estimate(pruning, branch, from, to, false, level);
    ct_c45_tell(pruning->engine,
                (struct ct_c45_event){
                    .kind = CT_C45_EVENT_TEST, .node = node, .level = level, .estimates = estimates});
    enum verdict verdict = judge(estimates);
    pruning->changed |= verdict != KEEP;
    node->errors = verdict == MAKE_LEAF ? estimates->leaf : estimates->tree;
    if (verdict == MAKE_LEAF) {
        ct_c45_make_leaf(node);
    } else if (verdict == RAISE_BRANCH) {
        estimate(pruning, branch, from, to, true, level);
        *node = *branch;
    }
}

/* The pessimistic errors of the node with these cases. `update`: the cases become those of the node, and the
 * node is pruned. */
static float estimate(struct pruning *pruning, struct ct_c45_node *node, size_t from, size_t to, bool update,
                      size_t level)
{
    struct ct_c45_engine *engine = pruning->engine;
    float *distribution = update ? node->distribution : engine->votes;
    float weight = ct_c45_weight(engine, from, to);
    ct_c45_distribute(engine, from, to, distribution);
    uint16_t best = node->best;
    struct ct_c45_estimates estimates = {.leaf = leaf_errors(pruning, distribution, weight, &best)};
    if (update) {
        node->items = weight;
        node->best = best;
    }
    if (node->test == CT_C45_LEAF) {
        if (update) {
            node->errors = estimates.leaf;
            ct_c45_tell(engine,
                        (struct ct_c45_event){.kind = CT_C45_EVENT_LEAF, .node = node, .level = level});
        }
        return estimates.leaf;
    }
    estimates.tree = estimate_branches(pruning, node, from, to, update, level, &estimates.largest);
    if (!update)
        return estimates.tree;
    simplify(pruning, node, from, to, &estimates, level);
    return node->errors;
}

/* --- if every value is known ---
 *
 * A pruned branch keeps the counts that its estimate comes from. So to try it in the place of its node, only
 * the cases of the other branches, the strays, are sent down it. */

/* Brings the strays of a branch to the front; returns how many there are. */
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

static float stray_leaf(const struct pruning *pruning, const struct ct_c45_node *leaf, const uint32_t *strays,
                        size_t count)
{
    struct ct_c45_engine *engine = pruning->engine;
    uint16_t best = leaf->best;
    /* a leaf that no case reached has the distribution of its parent */
    for (size_t c = 0; c < engine->classes; c++)
        engine->votes[c] = leaf->items > 0 ? leaf->distribution[c] : 0;
    for (size_t i = 0; i < count; i++)
        engine->votes[engine->cases->classes[strays[i]]]++;
    return leaf_errors(pruning, engine->votes, leaf->items + (float)count, &best);
}

/* Pessimistic errors of a pruned node with its own cases and the strays, whose order changes. */
static float estimate_with(const struct pruning *pruning, const struct ct_c45_node *node, uint32_t *strays,
                           size_t count)
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

static void prune(struct pruning *pruning, struct ct_c45_node *node, size_t from, size_t to)
{
    struct ct_c45_engine *engine = pruning->engine;
    const float weight = (float)(to - from);
    struct ct_c45_estimates estimates = {0};
    size_t begin = from, end = from, place = from; /* of the largest branch; of the next one */
    float most = 0;
    ct_c45_distribute(engine, from, to, node->distribution);
    estimates.leaf = leaf_errors(pruning, node->distribution, weight, &node->best);
    node->items = weight;
    node->errors = estimates.leaf;
    if (node->test == CT_C45_LEAF)
        return;
    for (size_t b = 0; b < node->branch_count; b++) {
        size_t next = ct_c45_part_branch(engine, node, b, place, to);
        if (next == place)
            continue;
        float factor = (float)(next - place) / weight;
        if (factor >= most) {
            most = factor;
            estimates.largest = b;
            begin = place;
            end = next;
        }
        prune(pruning, node->branches[b], place, next);
        estimates.tree += node->branches[b]->errors;
        place = next;
    }
    assert(place == to);
    struct ct_c45_node *branch = node->branches[estimates.largest];
    uint32_t *strays = engine->spare_order;
    memcpy(strays, engine->order + from, (begin - from) * sizeof *strays);
    memcpy(strays + (begin - from), engine->order + end, (to - end) * sizeof *strays);
    estimates.branch = estimate_with(pruning, branch, strays, (begin - from) + (to - end));
    enum verdict verdict = judge(&estimates);
    pruning->changed |= verdict != KEEP;
    if (verdict == MAKE_LEAF) {
        ct_c45_make_leaf(node);
    } else if (verdict == RAISE_BRANCH) {
        prune(pruning, branch, from, to);
        *node = *branch;
    } else {
        node->errors = estimates.tree;
    }
}

/* --- subsets --- */

/* Removes values that cannot occur from the last branch, and the branch if it has no other. `possible` is by
 * value; NULL: all are. */
static void tidy_last(struct ct_c45_node *node, const bool *possible)
{
    bool any = false;
    for (size_t v = 1; v <= node->value_count; v++) {
        if (node->branch_of[v] != node->branch_count)
            continue;
        if (possible && !possible[v])
            node->branch_of[v] = 0;
        else
            any = true;
    }
    if (!any)
        node->branch_count--;
}

/* `possible` is by attribute. */
static int tidy(const bool **possible, struct ct_c45_node *node)
{
    const bool *above = possible[node->attribute];
    bool *here = NULL;
    int status = CT_OK;
    if (node->test == CT_C45_SUBSETS) {
        here = ct_allocate(node->value_count + 1u, sizeof *here);
        if (!here)
            return CT_E_MEMORY;
        tidy_last(node, above);
        possible[node->attribute] = here;
    }
    for (size_t b = 0; status == CT_OK && b < node->branch_count; b++) {
        for (size_t v = 1; here && v <= node->value_count; v++)
            here[v] = node->branch_of[v] == b + 1;
        status = tidy(possible, node->branches[b]);
    }
    possible[node->attribute] = above;
    free(here);
    return status;
}

int ct_c45_prune(struct ct_c45_engine *engine, struct ct_c45_node *root, bool *ret_changed)
{
    struct pruning pruning = {.engine = engine,
                              .confidence = ct_c45_confidence_of((float)engine->options->confidence / 100)};
    ct_c45_engine_reset(engine);
    if (engine->columns)
        prune(&pruning, root, 0, engine->cases->count);
    else
        estimate(&pruning, root, 0, engine->cases->count, true, 0);
    *ret_changed = pruning.changed;
    if (!engine->options->subsets || root->test == CT_C45_LEAF)
        return CT_OK;
    const bool **possible = ct_allocate(engine->names->attribute_count, sizeof *possible);
    int status = possible ? tidy(possible, root) : CT_E_MEMORY;
    free(possible);
    return status;
}
