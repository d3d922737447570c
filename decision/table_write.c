/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "base/number.h"
#include "base/xml.h"
#include "decision/table_internal.h"
#include "decision/tree/tree_walk.h"

#include <string.h>

const struct ct_penalty_number ct_penalty_numbers[CT_PENALTY_NUMBERS] = {
    {"least", offsetof(struct ct_penalty, least)},
    {"mean", offsetof(struct ct_penalty, mean)},
    {"median", offsetof(struct ct_penalty, median)},
    {"geometric-mean", offsetof(struct ct_penalty, geometric_mean)},
    {"percentile-95", offsetof(struct ct_penalty, percentile95)},
    {"most", offsetof(struct ct_penalty, most)},
    {"within-5-percent", offsetof(struct ct_penalty, within)},
};

static void write_attribute(const char *name, const char *value, struct ct_text *text)
{
    ct_text_append(text, " %s=\"", name);
    ct_xml_escape(text, value);
    ct_text_append(text, "\"");
}

static void write_run(const struct ct_table_run *run, struct ct_text *text)
{
    ct_text_append(text, "  <run");
    write_attribute("name", run->name, text);
    write_attribute("tool-version", run->tool_version, text);
    write_attribute("created", run->created, text);
    write_attribute("backend", run->backend, text);
    write_attribute("launcher", run->launcher, text);
    ct_text_append(text, "\n       samples-sha256=\"%s\"\n       description-sha256=\"%s\">\n",
                   run->samples_checksum, run->description_checksum);
    for (size_t i = 0; i < run->property_count; i++) {
        ct_text_append(text, "    <property");
        write_attribute("name", run->properties[i].name, text);
        write_attribute("value", run->properties[i].value, text);
        ct_text_append(text, "/>\n");
    }
    ct_text_append(text, "  </run>\n");
}

static void write_penalty(const char *of, const struct ct_penalty *penalty, struct ct_text *text)
{
    ct_text_append(text, "    <penalty of=\"%s\" cells=\"%zu\" unmeasured=\"%zu\"", of, penalty->cells,
                   penalty->unmeasured);
    for (int i = 0; i < CT_PENALTY_NUMBERS; i++) {
        double number;
        memcpy(&number, (const char *)penalty + ct_penalty_numbers[i].offset, sizeof number);
        char shortest[CT_NUMBER_TEXT];
        ct_text_append(text, " %s=\"%s\"", ct_penalty_numbers[i].attribute,
                       ct_number_format(number, shortest));
    }
    ct_text_append(text, "/>\n");
}

static void write_leaf(const struct ct_decision_tree *tree, const struct ct_tree_node *node,
                       struct ct_text *text)
{
    char spelling[CT_METHOD_TEXT];
    ct_text_append(text, "<leaf");
    write_attribute("method", ct_method_format(&tree->methods[node->method], false, spelling), text);
    if (node->fallback != node->method)
        write_attribute("fallback", ct_method_format(&tree->methods[node->fallback], false, spelling), text);
    ct_text_append(text, "/>\n");
}

static void write_features(const struct ct_feature_set *features, struct ct_text *text)
{
    for (size_t i = 0; i < features->count; i++) {
        const struct ct_composite *composite = &features->composites[i];
        if (composite->known)
            continue;
        struct ct_text formula = {0};
        ct_expression_write(&composite->expression, &formula);
        ct_text_append(text, "    <feature");
        write_attribute("name", composite->name, text);
        write_attribute("formula", formula.failed ? "" : formula.data, text);
        ct_text_append(text, "/>\n");
        text->failed = text->failed || formula.failed;
        ct_text_free(&formula);
    }
}

static void write_nodes(const struct ct_decision_tree *tree, struct ct_text *text)
{
    enum { BASE = 4, INDENT = 2 };
    struct ct_tree_walk walk = {.tree = tree};
    const struct ct_tree_node *node = NULL;
    size_t depth = 0;
    for (;;) {
        enum ct_walk_event event = ct_tree_walk_next(&walk, &node, &depth);
        if (event == CT_WALK_END)
            return;
        if (event == CT_WALK_FAILED) {
            text->failed = true;
            return;
        }
        if (event == CT_WALK_HIGH)
            continue;
        ct_text_append(text, "%*s", (int)(BASE + INDENT * depth), "");
        if (event == CT_WALK_LEAF)
            write_leaf(tree, node, text);
        else if (event == CT_WALK_SPLIT)
            ct_text_append(text, "<split feature=\"%s\" at-most=\"%zu\">\n",
                           ct_feature_name(&tree->features, (size_t)node->feature), node->threshold);
        else
            ct_text_append(text, "</split>\n");
    }
}

void ct_table_write(const struct ct_table *table, struct ct_text *text)
{
    ct_text_append(text,
                   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                   "<!-- A split holds two nodes: where the feature is at most that, and where it is more. "
                   "-->\n"
                   "<decision-table version=\"1\"");
    write_attribute("tool-version", table->tool_version, text);
    ct_text_append(text, ">\n");
    for (size_t i = 0; i < table->run_count; i++)
        write_run(&table->runs[i], text);
    for (size_t i = 0; i < table->decisions.tree_count; i++) {
        const struct ct_decision_tree *tree = &table->decisions.trees[i];
        const struct ct_table_tree *about = &table->trees[i];
        ct_text_append(text, "  <tree collective=\"%s\"", ct_collectives[tree->collective].name);
        write_attribute("run", table->runs[about->run].name, text);
        write_attribute("learner", about->learner, text);
        write_attribute("options", about->options, text);
        ct_text_append(text, ">\n");
        write_penalty("tree", &about->penalty, text);
        write_penalty("native", &about->native, text);
        write_features(&tree->features, text);
        write_nodes(tree, text);
        ct_text_append(text, "  </tree>\n");
    }
    ct_text_append(text, "</decision-table>\n");
}

int ct_table_create(const struct ct_table *table, const char *path, struct ct_error *error)
{
    struct ct_text text = {0};
    ct_table_write(table, &text);
    int status = text.failed ? ct_fail(error, CT_E_MEMORY, "%s: out of memory", path)
                             : ct_file_create(path, text.data, text.length, error);
    ct_text_free(&text);
    return status;
}
