/* SPDX-License-Identifier: BSD-3-Clause */
#include "c45/c45_program_internal.h"
#include "learners/c45/c45_information.h"

static const char *name_of(const struct ct_c45_engine *engine, size_t attribute)
{
    return engine->names->attributes[attribute].name;
}

static const char *class_of(const struct ct_c45_engine *engine, const struct ct_c45_node *node)
{
    return engine->names->classes.words[node->best];
}

static bool is_continuous(const struct ct_c45_engine *engine, size_t attribute)
{
    return engine->names->attributes[attribute].kind == CT_C45_CONTINUOUS;
}

static double middle_of(const struct ct_c45_merit *merit)
{
    return (double)((merit->low + merit->high) / 2);
}

static void print_merit(const struct ct_c45_engine *engine, size_t attribute, struct ct_text *text)
{
    const struct ct_c45_merit *merit = &engine->merits[attribute];
    ct_text_append(text, "\tAtt %s", name_of(engine, attribute));
    if (merit->insufficient) {
        ct_text_append(text, "\tinsufficient cases with known values\n");
        return;
    }
    if (is_continuous(engine, attribute) && !((double)merit->gain > -CT_C45_EPSILON)) {
        ct_text_append(text, "\tno gain\n");
        return;
    }
    ct_text_append(text, "\t");
    if (is_continuous(engine, attribute))
        ct_text_append(text, "cut=%.3f, ", middle_of(merit));
    ct_text_append(text, "inf %.3f, gain %.3f\n", (double)merit->information, (double)merit->gain);
}

static void print_best(const struct ct_c45_engine *engine, const struct ct_c45_event *event,
                       struct ct_text *text)
{
    const struct ct_c45_merit *merit = &engine->merits[event->attribute];
    ct_text_append(text, "\tbest attribute %s", name_of(engine, event->attribute));
    if (is_continuous(engine, event->attribute))
        ct_text_append(text, " cut %.3f", middle_of(merit));
    ct_text_append(text, " inf %.3f gain %.3f val %.3f\n", (double)merit->information, (double)merit->gain,
                   (double)event->number);
}

static void print_unknown(const struct ct_c45_engine *engine, const struct ct_c45_event *event,
                          struct ct_text *text)
{
    const struct ct_c45_node *node = event->node;
    double rate = (double)(node->items - event->number) / ((double)node->items + 0.001);
    if (rate > 0)
        ct_text_append(text, "\tunknown rate for %s = %.3f\n", name_of(engine, node->attribute), rate);
}

/* A node of the tree that is pruned. */
static void print_node(const struct ct_c45_engine *engine, const struct ct_c45_event *event,
                       struct ct_text *text)
{
    const struct ct_c45_node *node = event->node;
    const struct ct_c45_estimates *estimates = event->estimates;
    const float wrong = node->items - node->distribution[node->best];
    ct_text_append(text, "\n");
    for (size_t level = event->level; level > 0; level--)
        ct_text_append(text, "| ");
    if (event->kind == CT_C45_EVENT_LEAF)
        ct_text_append(text, "%s (%.2f:%.2f/%.2f)\n", class_of(engine, node), (double)node->items,
                       (double)wrong, (double)node->errors);
    else
        ct_text_append(text, "%s:  [%d%%  N=%.2f  tree=%.2f  leaf=%.2f+%.2f  br[%zu]=%.2f]\n",
                       name_of(engine, node->attribute),
                       (int)(100 * (double)estimates->tree / (double)node->items), (double)node->items,
                       (double)estimates->tree, (double)wrong, (double)(estimates->leaf - wrong),
                       estimates->largest + 1, (double)estimates->branch);
}

static void print_event(const struct ct_c45_engine *engine, const struct ct_c45_event *event)
{
    const struct ct_c45_trace *trace = engine->told;
    struct ct_text *text = trace->text;
    switch (event->kind) {
    case CT_C45_EVENT_NODE:
        ct_text_append(text, "\n%zu items, total weight %.1f\n", event->items, (double)event->number);
        break;
    case CT_C45_EVENT_MERIT:
        if (trace->verbosity >= 2)
            print_merit(engine, event->attribute, text);
        break;
    case CT_C45_EVENT_AVERAGE:
        if (trace->verbosity >= 2)
            ct_text_append(text, "\taverage gain %.3f\n", (double)event->number);
        break;
    case CT_C45_EVENT_BEST:
        print_best(engine, event, text);
        break;
    case CT_C45_EVENT_NONE:
        ct_text_append(text, "\tno sensible splits  %.1f/%.1f\n", (double)event->node->items,
                       (double)event->node->errors);
        break;
    case CT_C45_EVENT_UNKNOWN:
        print_unknown(engine, event, text);
        break;
    case CT_C45_EVENT_COLLAPSE:
        ct_text_append(text, "Collapse tree for %zu items to leaf %s\n", event->items,
                       class_of(engine, event->node));
        break;
    case CT_C45_EVENT_LEAF:
    case CT_C45_EVENT_TEST:
        print_node(engine, event, text);
        break;
    }
}

void ct_c45_trace_begin(struct ct_c45_engine *engine, struct ct_c45_trace *trace)
{
    if (trace->verbosity == 0)
        return;
    engine->tell = print_event;
    engine->told = trace;
}
