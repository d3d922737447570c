/* SPDX-License-Identifier: BSD-3-Clause */
#include "c45/c45_program_internal.h"
#include "learners/c45/c45_engine.h"
#include "learners/c45/c45_order.h"

#include <math.h>

/* Numbers up to this much above the cut count as equal to it. */
static const double at_cut = 1e-6;

static bool is_wrong(const struct ct_c45_engine *engine, const struct ct_c45_node *branch, uint32_t index)
{
    return ct_c45_classify(branch, engine->cases, index, engine->classes, engine->votes) !=
           engine->cases->classes[index];
}

/* The errors if all cases go down the upper branch. engine->gains becomes, by place, the change if that case
 * goes down the lower branch; *ret_errors the errors of the cut itself. */
static float count_errors(struct ct_c45_engine *engine, const struct ct_c45_node *node, size_t from,
                          size_t to, float *ret_errors)
{
    float all_above = 0, errors = 0;
    for (size_t i = from; i < to; i++) {
        bool wrong_below = is_wrong(engine, node->branches[0], engine->order[i]);
        bool wrong_above = is_wrong(engine, node->branches[1], engine->order[i]);
        engine->gains[i] = (float)wrong_below - (float)wrong_above;
        all_above += wrong_above;
        errors += (double)engine->keys[i] <= (double)node->cut + at_cut ? wrong_below : wrong_above;
    }
    *ret_errors = errors;
    return all_above;
}

/* The errors plus one standard error. */
static float error_limit(float errors, size_t cases)
{
    double wrong = (double)errors, count = (double)cases;
    float standard_error = (float)sqrt((wrong + 0.5) * (count - wrong + 0.5) / (count + 1));
    return errors + standard_error;
}

/* The bounds are where the errors, interpolated between numbers, reach the limit on both sides of the cut. */
static void bound(struct ct_c45_engine *engine, struct ct_c45_node *node, size_t from, size_t to)
{
    const float *keys = engine->keys;
    float errors, cut = node->cut;
    float before = count_errors(engine, node, from, to, &errors);
    float limit = error_limit(errors, to - from);
    bool found = false;
    node->softened = true;
    node->lower = node->upper = cut;
    if (from == to)
        return;
    if (keys[from] < cut)
        node->lower = keys[from];
    if (keys[to - 1] > cut)
        node->upper = keys[to - 1];
    for (size_t i = from, next; i < to; i = next) {
        float now = before + engine->gains[i];
        for (next = i + 1; next < to && keys[next] == keys[i]; next++)
            now += engine->gains[next];
        if (i > from) {
            float a = keys[i - 1], b = keys[i];
            bool below = (double)b <= (double)cut + at_cut;
            if (!found && before > limit && limit >= now && below) {
                node->lower = b - (b - a) * (limit - now) / (before - now);
                found = true;
            } else if (before <= limit && limit < now && !below) {
                float upper = a + (b - a) * (limit - before) / (now - before);
                node->upper = upper > cut ? upper : cut;
            }
        }
        before = now;
    }
}

static void soften(struct ct_c45_engine *engine, struct ct_c45_node *node, size_t from, size_t to,
                   struct ct_text *text)
{
    if (node->test == CT_C45_LEAF)
        return;
    size_t known = ct_c45_part_unknown(engine, node, from, to);
    if (node->test == CT_C45_THRESHOLD) {
        ct_c45_sort(engine, node->attribute, known, to);
        bound(engine, node, known, to);
        ct_text_append(text, "\nTest %s <> %g\n\tLower = %g, Upper = %g\n",
                       engine->names->attributes[node->attribute].name, (double)node->cut,
                       (double)node->lower, (double)node->upper);
    }
    for (size_t b = 0; b < node->branch_count; b++) {
        size_t end = ct_c45_part_branch(engine, node, b, known, to);
        if (end > known)
            soften(engine, node->branches[b], known, end, text);
        known = end;
    }
}

void ct_c45_soften(struct ct_c45_engine *engine, struct ct_c45_node *root, struct ct_text *text)
{
    ct_c45_engine_reset(engine);
    soften(engine, root, 0, engine->cases->count, text);
}
