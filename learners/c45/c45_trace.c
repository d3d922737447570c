/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45/c45_trace.h"

static const char *name_of(const struct ct_c45_engine *engine, size_t attribute)
{
    return engine->names->attributes[attribute].name;
}

static bool is_continuous(const struct ct_c45_engine *engine, size_t attribute)
{
    return engine->names->attributes[attribute].kind == CT_C45_CONTINUOUS;
}

static double middle_of(const struct ct_c45_merit *merit)
{
    return (double)((merit->low + merit->high) / 2);
}

void ct_c45_trace_node(const struct ct_c45_engine *engine, size_t items, float weight)
{
    if (engine->trace)
        ct_text_append(engine->trace, "\n%zu items, total weight %.1f\n", items, (double)weight);
}

void ct_c45_trace_merit(const struct ct_c45_engine *engine, size_t attribute)
{
    const struct ct_c45_merit *merit = &engine->merits[attribute];
    if (!engine->trace || engine->options->verbosity < 2)
        return;
    ct_text_append(engine->trace, "\tAtt %s", name_of(engine, attribute));
    if (merit->insufficient)
        ct_text_append(engine->trace, "\tinsufficient cases with known values\n");
    else if (is_continuous(engine, attribute) && !((double)merit->gain > -CT_C45_EPSILON))
        ct_text_append(engine->trace, "\tno gain\n");
    else if (is_continuous(engine, attribute))
        ct_text_append(engine->trace, "\tcut=%.3f, inf %.3f, gain %.3f\n", middle_of(merit),
                       (double)merit->information, (double)merit->gain);
    else
        ct_text_append(engine->trace, "\tinf %.3f, gain %.3f\n", (double)merit->information,
                       (double)merit->gain);
}

void ct_c45_trace_average(const struct ct_c45_engine *engine, float gain)
{
    if (engine->trace && engine->options->verbosity >= 2)
        ct_text_append(engine->trace, "\taverage gain %.3f\n", (double)gain);
}

void ct_c45_trace_best(const struct ct_c45_engine *engine, size_t attribute, float worth)
{
    const struct ct_c45_merit *merit = &engine->merits[attribute];
    if (!engine->trace)
        return;
    ct_text_append(engine->trace, "\tbest attribute %s", name_of(engine, attribute));
    if (is_continuous(engine, attribute))
        ct_text_append(engine->trace, " cut %.3f", middle_of(merit));
    ct_text_append(engine->trace, " inf %.3f gain %.3f val %.3f\n", (double)merit->information,
                   (double)merit->gain, (double)worth);
}

void ct_c45_trace_none(const struct ct_c45_engine *engine, const struct ct_c45_node *node)
{
    if (engine->trace)
        ct_text_append(engine->trace, "\tno sensible splits  %.1f/%.1f\n", (double)node->items,
                       (double)node->errors);
}

void ct_c45_trace_unknown(const struct ct_c45_engine *engine, const struct ct_c45_node *node, float known)
{
    double rate = (double)(node->items - known) / ((double)node->items + 0.001);
    if (engine->trace && rate > 0)
        ct_text_append(engine->trace, "\tunknown rate for %s = %.3f\n", name_of(engine, node->attribute),
                       rate);
}

void ct_c45_trace_collapse(const struct ct_c45_engine *engine, const struct ct_c45_node *node, size_t items)
{
    if (engine->trace)
        ct_text_append(engine->trace, "Collapse tree for %zu items to leaf %s\n", items,
                       engine->names->classes.words[node->best]);
}

static void begin_line(const struct ct_c45_engine *engine, size_t level)
{
    ct_text_append(engine->trace, "\n");
    while (level-- > 0)
        ct_text_append(engine->trace, "| ");
}

/* Errors of the node as a leaf. */
static float wrong_of(const struct ct_c45_node *node)
{
    return node->items - node->distribution[node->best];
}

void ct_c45_trace_leaf(const struct ct_c45_engine *engine, const struct ct_c45_node *leaf, size_t level)
{
    if (!engine->trace)
        return;
    begin_line(engine, level);
    ct_text_append(engine->trace, "%s (%.2f:%.2f/%.2f)\n", engine->names->classes.words[leaf->best],
                   (double)leaf->items, (double)wrong_of(leaf), (double)leaf->errors);
}

void ct_c45_trace_test(const struct ct_c45_engine *engine, const struct ct_c45_node *node,
                       const struct ct_c45_estimates *estimates, size_t level)
{
    if (!engine->trace)
        return;
    float wrong = wrong_of(node);
    int percent = (int)(100 * (double)estimates->tree / (double)node->items);
    begin_line(engine, level);
    ct_text_append(engine->trace, "%s:  [%d%%  N=%.2f  tree=%.2f  leaf=%.2f+%.2f  br[%zu]=%.2f]\n",
                   name_of(engine, node->attribute), percent, (double)node->items, (double)estimates->tree,
                   (double)wrong, (double)(estimates->leaf - wrong), estimates->largest + 1,
                   (double)estimates->branch);
}
