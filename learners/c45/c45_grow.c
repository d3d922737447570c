/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45/c45_grow.h"
#include "base/memory.h"
#include "learners/c45/c45_columns.h"
#include "learners/c45/c45_continuous.h"
#include "learners/c45/c45_discrete.h"
#include "learners/c45/c45_information.h"
#include "learners/c45/c45_order.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* --- the choice of a test --- */

/* Attributes with many values have a large gain for that reason alone: they do not count for the average. */
static bool has_few_values(const struct ct_c45_engine *engine, const struct ct_c45_attribute *attribute)
{
    return attribute->kind == CT_C45_CONTINUOUS ||
           (double)attribute->trained < 0.3 * (double)engine->cases->count;
}

static float average_gain(const struct ct_c45_engine *engine)
{
    const float none = 1e6;
    float sum = 0;
    size_t count = 0;
    for (size_t a = 0; a < engine->names->attribute_count; a++) {
        float gain = engine->merits[a].gain;
        if ((double)gain > -CT_C45_EPSILON &&
            (engine->many_valued || has_few_values(engine, &engine->names->attributes[a]))) {
            sum += gain;
            count++;
        }
    }
    return count > 0 ? sum / (float)count : none;
}

/* The attribute with the greatest worth; SIZE_MAX if none has any. */
static size_t choose(const struct ct_c45_engine *engine)
{
    float floor = average_gain(engine), most = CT_C45_NO_GAIN;
    size_t best = SIZE_MAX;
    for (size_t a = 0; a < engine->names->attribute_count; a++) {
        const struct ct_c45_merit *merit = &engine->merits[a];
        if (!((double)merit->gain > -CT_C45_EPSILON))
            continue;
        float worth = ct_c45_worth(merit->information, merit->gain, floor, engine->options->gain_alone);
        if (worth > most) {
            most = worth;
            best = a;
        }
    }
    ct_c45_tell(engine, (struct ct_c45_event){.kind = CT_C45_EVENT_AVERAGE, .number = floor});
    if (best != SIZE_MAX)
        ct_c45_tell(engine,
                    (struct ct_c45_event){.kind = CT_C45_EVENT_BEST, .attribute = best, .number = most});
    return best;
}

/* --- the test --- */

/* The greatest number of all cases that is not above the middle of the cut. If the middle is rounded up to
 * the upper number, the lower one is taken: the test would split nothing. */
static float threshold(const struct ct_c45_engine *engine, size_t attribute)
{
    const struct ct_c45_merit *merit = &engine->merits[attribute];
    const float *sorted = engine->sorted[attribute];
    float middle = (merit->low + merit->high) / 2;
    if (!(middle < merit->high))
        middle = merit->low;
    size_t low = 0, high = engine->sorted_counts[attribute];
    while (high - low > 1) {
        size_t place = low + (high - low) / 2;
        if (sorted[place] <= middle)
            low = place;
        else
            high = place;
    }
    assert(sorted[low] < merit->high);
    return sorted[low];
}

/* Turns a leaf into a test of this attribute, without branches yet. False without memory. */
static bool make_test(struct ct_c45_engine *engine, size_t attribute, struct ct_c45_node *node)
{
    const struct ct_c45_attribute *description = &engine->names->attributes[attribute];
    node->attribute = (uint16_t)attribute;
    if (description->kind == CT_C45_CONTINUOUS) {
        node->test = CT_C45_THRESHOLD;
        node->branch_count = 2;
        node->cut = threshold(engine, attribute);
    } else if (engine->merits[attribute].blocks > 0) {
        size_t room = description->trained + 1;
        node->test = CT_C45_SUBSETS;
        node->branch_count = engine->merits[attribute].blocks;
        node->value_count = (uint16_t)description->trained;
        node->branch_of = ct_c45_take(engine->pool, room, sizeof *node->branch_of);
        if (!node->branch_of)
            return false;
        memcpy(node->branch_of, engine->blocks[attribute], room * sizeof *node->branch_of);
    } else {
        node->test = CT_C45_VALUES;
        node->branch_count = description->trained;
        node->value_count = (uint16_t)description->trained;
    }
    node->branches = ct_c45_take(engine->pool, node->branch_count, sizeof *node->branches);
    return node->branches != NULL;
}

/* --- growing --- */

static void judge(struct ct_c45_engine *engine, const struct ct_c45_node *node, size_t attribute, size_t from,
                  size_t to)
{
    const struct ct_c45_attribute *description = &engine->names->attributes[attribute];
    const bool in_sets = engine->options->subsets && description->trained > 2;
    engine->merits[attribute] = (struct ct_c45_merit){.gain = CT_C45_NO_GAIN};
    if (description->kind == CT_C45_IGNORED ||
        (description->kind == CT_C45_DISCRETE && !in_sets && engine->tested[attribute] > 0))
        return;
    if (description->kind == CT_C45_DISCRETE && in_sets)
        ct_c45_judge_subsets(engine, attribute, from, to);
    else if (description->kind == CT_C45_DISCRETE)
        ct_c45_judge_values(engine, attribute, from, to);
    else if (engine->columns)
        ct_c45_judge_column(engine, attribute, node->distribution, from, to);
    else
        ct_c45_judge_continuous(engine, attribute, from, to);
    ct_c45_tell(engine, (struct ct_c45_event){.kind = CT_C45_EVENT_MERIT, .attribute = attribute});
}

static int grow(struct ct_c45_engine *engine, size_t from, size_t to, size_t depth,
                struct ct_c45_node **ret_node);

/* The leaf of a branch without cases. */
static int make_empty(struct ct_c45_engine *engine, struct ct_c45_node *node, size_t branch)
{
    node->branches[branch] =
        ct_c45_leaf_make(engine->pool, node->best, 0, 0, node->distribution, engine->classes);
    return node->branches[branch] ? CT_OK : CT_E_MEMORY;
}

/* Grows a branch. The cases at from..known - 1, whose value is unknown, go down it with a share of their
 * weight. */
static int grow_branch(struct ct_c45_engine *engine, struct ct_c45_node *node, size_t branch, size_t from,
                       size_t known, size_t to, float known_weight, size_t depth)
{
    size_t end = ct_c45_part_branch(engine, node, branch, known, to);
    if (end == known)
        return make_empty(engine, node, branch);
    float factor = ct_c45_weight(engine, known, end) / known_weight;
    ct_c45_scale(engine, from, known, factor);
    int status = grow(engine, from, end, depth, &node->branches[branch]);
    if (status != CT_OK)
        return status;
    node->errors += node->branches[branch]->errors;
    ct_c45_part_unknown(engine, node, from, end);
    ct_c45_unscale(engine, from, known, factor);
    return CT_OK;
}

/* Grows the branches if every value is known. */
static int grow_columns(struct ct_c45_engine *engine, struct ct_c45_node *node, size_t from, size_t to,
                        size_t depth)
{
    size_t *ends = ct_allocate(node->branch_count, sizeof *ends);
    int status = ends ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK)
        ct_c45_columns_split(engine, node, from, to, ends);
    engine->tested[node->attribute]++;
    node->errors = 0;
    for (size_t v = 0; status == CT_OK && v < node->branch_count; v++) {
        size_t end = ends[v];
        if (end == from)
            status = make_empty(engine, node, v);
        else
            status = grow(engine, from, end, depth + 1, &node->branches[v]);
        if (status == CT_OK)
            node->errors += node->branches[v]->errors;
        from = end;
    }
    assert(status != CT_OK || from == to);
    engine->tested[node->attribute]--;
    free(ends);
    return status;
}

/* Grows the branches in the order of C4.5 Release 8. */
static int grow_branches(struct ct_c45_engine *engine, struct ct_c45_node *node, size_t from, size_t to,
                         size_t depth)
{
    const bool all_known = engine->all_known;
    size_t known = ct_c45_part_unknown(engine, node, from, to);
    float weight = ct_c45_weight(engine, from, known), known_weight = node->items - weight;
    int status = CT_OK;
    ct_c45_tell(engine,
                (struct ct_c45_event){.kind = CT_C45_EVENT_UNKNOWN, .node = node, .number = known_weight});
    if (known > from)
        engine->all_known = false;
    engine->tested[node->attribute]++;
    node->errors = 0;
    for (size_t v = 0; status == CT_OK && v < node->branch_count; v++)
        status = grow_branch(engine, node, v, from, known, to, known_weight, depth + 1);
    engine->tested[node->attribute]--;
    engine->all_known = all_known;
    return status;
}

static int grow(struct ct_c45_engine *engine, size_t from, size_t to, size_t depth,
                struct ct_c45_node **ret_node)
{
    float weight = ct_c45_weight(engine, from, to);
    if (depth > CT_C45_DEPTH_MAX)
        return CT_E_LIMIT;
    ct_c45_distribute(engine, from, to, engine->votes);
    uint16_t best = ct_c45_first_best(engine->votes, engine->classes);
    float right = engine->votes[best], wrong = weight - right;
    struct ct_c45_node *node =
        ct_c45_leaf_make(engine->pool, best, weight, wrong, engine->votes, engine->classes);
    if (!node)
        return CT_E_MEMORY;
    *ret_node = node;
    if (right == weight || weight < (float)(2 * engine->options->least))
        return CT_OK;
    ct_c45_tell(engine,
                (struct ct_c45_event){.kind = CT_C45_EVENT_NODE, .items = to - from, .number = weight});
    for (size_t a = 0; a < engine->names->attribute_count; a++)
        judge(engine, node, a, from, to);
    size_t attribute = choose(engine);
    if (attribute == SIZE_MAX) {
        ct_c45_tell(engine, (struct ct_c45_event){.kind = CT_C45_EVENT_NONE, .node = node});
        return CT_OK;
    }
    if (!make_test(engine, attribute, node))
        return CT_E_MEMORY;
    int status = engine->columns ? grow_columns(engine, node, from, to, depth)
                                 : grow_branches(engine, node, from, to, depth);
    if (status == CT_OK && (double)node->errors >= (double)wrong - CT_C45_EPSILON) {
        ct_c45_tell(engine,
                    (struct ct_c45_event){.kind = CT_C45_EVENT_COLLAPSE, .node = node, .items = to - from});
        ct_c45_make_leaf(node);
    }
    return status;
}

int ct_c45_grow(struct ct_c45_engine *engine, size_t count, struct ct_c45_node **ret_root)
{
    return grow(engine, 0, count, 0, ret_root);
}
