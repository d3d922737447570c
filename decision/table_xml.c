/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "base/memory.h"
#include "base/xml.h"
#include "decision/table.h"
#include "decision/tree/tree_build.h"
#include "decision/tree/tree_walk.h"
#include "samples/run_xml.h"

#include <stdlib.h>
#include <string.h>

#define FIELD(member) offsetof(struct ct_table_run, member)
static const struct ct_xml_field run_fields[] = {
    {"name", CT_XML_TEXT, FIELD(name)},         {"tool-version", CT_XML_TEXT, FIELD(tool_version)},
    {"created", CT_XML_TEXT, FIELD(created)},   {"backend", CT_XML_TEXT, FIELD(backend)},
    {"launcher", CT_XML_TEXT, FIELD(launcher)}, {0},
};
static const struct ct_xml_field checksum_fields[] = {
    {"samples-sha256", CT_XML_TEXT, FIELD(samples_checksum)},
    {"description-sha256", CT_XML_TEXT, FIELD(description_checksum)},
    {0},
};
#undef FIELD

#define FIELD(member) offsetof(struct ct_penalty, member)
static const struct ct_xml_field penalty_fields[] = {
    {"cells", CT_XML_WHOLE, FIELD(cells)},
    {"unmeasured", CT_XML_WHOLE, FIELD(unmeasured)},
    {"least", CT_XML_NUMBER, FIELD(least)},
    {"mean", CT_XML_NUMBER, FIELD(mean)},
    {"median", CT_XML_NUMBER, FIELD(median)},
    {"geometric-mean", CT_XML_NUMBER, FIELD(geometric_mean)},
    {"percentile-95", CT_XML_NUMBER, FIELD(percentile95)},
    {"most", CT_XML_NUMBER, FIELD(most)},
    {"within-5-percent", CT_XML_NUMBER, FIELD(within)},
    {0},
};
#undef FIELD

/* The attributes of a <tree> without its collective and its run, which are looked up. */
static const struct ct_xml_field tree_fields[] = {
    {"modes", CT_XML_TEXT, offsetof(struct ct_table_tree, modes), true},
    {"learner", CT_XML_TEXT, offsetof(struct ct_table_tree, learner)},
    {"options", CT_XML_TEXT, offsetof(struct ct_table_tree, options)},
    {0},
};

/* --- writing --- */

static void write_run(const struct ct_table_run *run, struct ct_text *text)
{
    ct_text_append(text, "  <run");
    ct_xml_fields_write(run_fields, run, text);
    ct_text_append(text, "\n       samples-sha256=\"%s\"\n       description-sha256=\"%s\">\n",
                   run->samples_checksum, run->description_checksum);
    ct_properties_write(run->properties, run->property_count, text);
    ct_text_append(text, "  </run>\n");
}

static void write_penalty(const char *of, const struct ct_penalty *penalty, struct ct_text *text)
{
    ct_text_append(text, "    <penalty of=\"%s\"", of);
    ct_xml_fields_write(penalty_fields, penalty, text);
    ct_text_append(text, "/>\n");
}

static void write_leaf(const struct ct_decision_tree *tree, const struct ct_tree_node *node,
                       struct ct_text *text)
{
    char spelling[CT_METHOD_TEXT];
    ct_text_append(text, "<leaf");
    ct_xml_attribute_write(text, "method", ct_method_format(&tree->methods[node->method], false, spelling));
    if (node->fallback != node->method)
        ct_xml_attribute_write(text, "fallback",
                               ct_method_format(&tree->methods[node->fallback], false, spelling));
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
        ct_xml_attribute_write(text, "name", composite->name);
        ct_xml_attribute_write(text, "formula", formula.failed ? "" : formula.data);
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
                   "<decision-table version=\"2\"");
    ct_xml_attribute_write(text, "tool-version", table->tool_version);
    ct_text_append(text, ">\n");
    for (size_t i = 0; i < table->run_count; i++)
        write_run(&table->runs[i], text);
    for (size_t i = 0; i < table->decisions.tree_count; i++) {
        const struct ct_decision_tree *tree = &table->decisions.trees[i];
        const struct ct_table_tree *about = &table->trees[i];
        ct_text_append(text, "  <tree collective=\"%s\"", ct_collectives[tree->collective].name);
        ct_xml_attribute_write(text, "run", table->runs[about->run].name);
        ct_xml_fields_write(tree_fields, about, text);
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

/* --- reading --- */

enum { ELEMENTS_AROUND = 3 }; /* decision-table, tree, and the leaf */

static const struct ct_xml_kind table_kind = {
    .root = "decision-table",
    .schema = "decision/table.rng",
    .most_depth = CT_TREE_DEPTH_MAX + ELEMENTS_AROUND,
};

struct reader {
    const char *name; /* of the file */
    struct ct_error *error;
    struct ct_table table;
};

/* "NAME:LINE: " before what a deeper call said of the element. */
static int fail_at(struct reader *reader, const xmlNode *element, int status)
{
    char place[300];
    snprintf(place, sizeof place, "%.200s:%ld", reader->name, xmlGetLineNo((xmlNode *)element));
    return ct_fail_in(reader->error, status, place);
}

static int out_of_memory(struct reader *reader)
{
    return ct_fail(reader->error, CT_E_MEMORY, "%s: out of memory", reader->name);
}

static int read_properties(struct reader *reader, const xmlNode *element, struct ct_table_run *run)
{
    size_t capacity = 0;
    for (const xmlNode *each = ct_xml_first(element); each; each = ct_xml_next(each)) {
        if (ct_grow(&run->properties, &capacity, run->property_count + 1, sizeof *run->properties) != CT_OK)
            return out_of_memory(reader);
        struct ct_property *property = &run->properties[run->property_count++];
        property->name = ct_xml_attribute(each, "name");
        property->value = ct_xml_attribute(each, "value");
        if (!property->name || !property->value)
            return out_of_memory(reader);
    }
    return CT_OK;
}

static size_t find_run(const struct ct_table *table, const char *name)
{
    size_t index = 0;
    while (index < table->run_count && strcmp(table->runs[index].name, name) != 0)
        index++;
    return index;
}

static int read_run(struct reader *reader, const xmlNode *element)
{
    struct ct_table *table = &reader->table;
    struct ct_table_run *runs = reallocarray(table->runs, table->run_count + 1, sizeof *runs);
    if (!runs)
        return out_of_memory(reader);
    table->runs = runs;
    struct ct_table_run *run = &runs[table->run_count++];
    *run = (struct ct_table_run){0};
    int status = ct_xml_fields_read(reader->name, element, run_fields, reader->error, run);
    if (status == CT_OK)
        status = ct_xml_fields_read(reader->name, element, checksum_fields, reader->error, run);
    if (status != CT_OK)
        return status;
    if (find_run(table, run->name) + 1 < table->run_count)
        return ct_xml_fail(reader->name, element, reader->error,
                           "a second run '%s': expected different names", run->name);
    return read_properties(reader, element, run);
}

static int read_penalty(struct reader *reader, const xmlNode *element, const char *of,
                        struct ct_penalty *penalty)
{
    char *which = ct_xml_attribute(element, "of");
    if (!which)
        return out_of_memory(reader);
    bool expected = strcmp(which, of) == 0;
    free(which);
    if (!expected)
        return ct_xml_fail(reader->name, element, reader->error, "expected the penalty of=\"%s\" here", of);
    return ct_xml_fields_read(reader->name, element, penalty_fields, reader->error, penalty);
}

static int read_split(struct reader *reader, const xmlNode *element, struct ct_tree_builder *builder)
{
    char *name = ct_xml_attribute(element, "feature");
    if (!name)
        return out_of_memory(reader);
    size_t feature, threshold;
    int status = ct_feature_find(&builder->tree.features, name, reader->error, &feature);
    free(name);
    if (status != CT_OK)
        return fail_at(reader, element, status);
    status = ct_xml_size(reader->name, element, "at-most", reader->error, &threshold);
    if (status != CT_OK)
        return status;
    status = ct_tree_builder_split(builder, feature, threshold, reader->error);
    return status == CT_OK ? CT_OK : fail_at(reader, element, status);
}

static int read_leaf(struct reader *reader, const xmlNode *element, struct ct_tree_builder *builder)
{
    enum ct_collective collective = builder->tree.collective;
    bool has_fallback = ct_xml_has(element, "fallback");
    struct ct_method method, fallback;
    char *spelling = ct_xml_attribute(element, "method");
    char *other = ct_xml_attribute(element, "fallback");
    int status = spelling && other ? CT_OK : ct_fail(reader->error, CT_E_MEMORY, "out of memory");
    if (status == CT_OK)
        status = ct_method_parse_any(spelling, collective, reader->error, &method);
    if (status == CT_OK && has_fallback)
        status = ct_method_parse_any(other, collective, reader->error, &fallback);
    if (status == CT_OK)
        status = ct_tree_builder_leaf(builder, &method, has_fallback ? &fallback : NULL, reader->error);
    free(spelling);
    free(other);
    return status == CT_OK ? CT_OK : fail_at(reader, element, status);
}

/* The element behind this one in preorder, within `top`; NULL at the end. */
static const xmlNode *behind(const xmlNode *element, const xmlNode *top)
{
    const xmlNode *next = ct_xml_first(element);
    while (!next && element != top) {
        next = ct_xml_next(element);
        element = element->parent;
    }
    return next;
}

/* A feature that is not known by its name. */
static int read_feature(struct reader *reader, const xmlNode *element, struct ct_tree_builder *builder)
{
    char *name = ct_xml_attribute(element, "name"), *formula = ct_xml_attribute(element, "formula");
    char *definition = name && formula ? ct_format("%s=%s", name, formula) : NULL;
    size_t number;
    int status = definition ? ct_feature_define(&builder->tree.features, definition, reader->error, &number)
                            : out_of_memory(reader);
    free(name);
    free(formula);
    free(definition);
    return status == CT_OK ? CT_OK : fail_at(reader, element, status);
}

/* Features first, then the one node at the top with what is below it. */
static int read_nodes(struct reader *reader, const xmlNode *top, struct ct_tree_builder *builder)
{
    int status = CT_OK;
    for (; status == CT_OK && ct_xml_is(top, "feature"); top = ct_xml_next(top))
        status = read_feature(reader, top, builder);
    for (const xmlNode *element = top; status == CT_OK && element; element = behind(element, top))
        status = ct_xml_is(element, "split") ? read_split(reader, element, builder)
                                             : read_leaf(reader, element, builder);
    return status;
}

/* What stands in the element's attributes. */
static int read_about(struct reader *reader, const xmlNode *element, struct ct_table_tree *about,
                      enum ct_collective *ret_collective)
{
    int status = ct_xml_fields_read(reader->name, element, tree_fields, reader->error, about);
    if (status != CT_OK)
        return status;
    char *collective = ct_xml_attribute(element, "collective");
    char *run = ct_xml_attribute(element, "run");
    if (!collective || !run) {
        status = out_of_memory(reader);
    } else {
        enum ct_collective found = ct_collective_find(collective);
        about->run = find_run(&reader->table, run);
        if (found == CT_COLLECTIVES)
            status = ct_xml_fail(reader->name, element, reader->error, "unknown collective '%s'", collective);
        else if (ct_decisions_find(&reader->table.decisions, found))
            status = ct_xml_fail(reader->name, element, reader->error,
                                 "a second tree for %s: expected at most one", collective);
        else if (about->run == reader->table.run_count)
            status =
                ct_xml_fail(reader->name, element, reader->error, "run '%s' is not one of this table", run);
        else
            *ret_collective = found;
    }
    free(collective);
    free(run);
    return status;
}

static int read_tree(struct reader *reader, const xmlNode *element)
{
    struct ct_table_tree about = {0};
    struct ct_tree_builder builder = {0};
    struct ct_decision_tree tree = {0};
    enum ct_collective collective = CT_COLLECTIVES;
    const xmlNode *penalty = ct_xml_first(element), *native = ct_xml_next(penalty);
    int status = read_about(reader, element, &about, &collective);
    if (status == CT_OK)
        status = read_penalty(reader, penalty, "tree", &about.penalty);
    if (status == CT_OK)
        status = read_penalty(reader, native, "native", &about.native);
    if (status == CT_OK) {
        ct_tree_builder_begin(&builder, collective);
        status = read_nodes(reader, ct_xml_next(native), &builder);
    }
    if (status == CT_OK) {
        status = ct_tree_builder_finish(&builder, reader->error, &tree);
        if (status != CT_OK)
            fail_at(reader, element, status);
    }
    if (status == CT_OK && ct_table_append(&reader->table, &tree, &about) != CT_OK)
        status = out_of_memory(reader);
    ct_tree_builder_free(&builder);
    ct_tree_free(&tree);
    ct_table_tree_free(&about);
    return status;
}

static int read_table(struct reader *reader, const xmlDoc *document)
{
    const xmlNode *top = xmlDocGetRootElement(document);
    reader->table.tool_version = ct_xml_attribute(top, "tool-version");
    if (!reader->table.tool_version)
        return out_of_memory(reader);
    int status = CT_OK;
    for (const xmlNode *element = ct_xml_first(top); status == CT_OK && element;
         element = ct_xml_next(element))
        status = ct_xml_is(element, "run") ? read_run(reader, element) : read_tree(reader, element);
    return status;
}

static int read_document(const char *name, xmlDoc *document, struct ct_error *error,
                         struct ct_table *ret_table)
{
    struct reader reader = {.name = name, .error = error};
    int status = read_table(&reader, document);
    xmlFreeDoc(document);
    if (status == CT_OK)
        *ret_table = reader.table;
    else
        ct_table_free(&reader.table);
    return status;
}

int ct_table_read(const char *path, struct ct_error *error, struct ct_table *ret_table)
{
    xmlDoc *document;
    int status = ct_xml_read(path, &table_kind, error, &document);
    return status == CT_OK ? read_document(path, document, error, ret_table) : status;
}

int ct_table_parse(const char *text, size_t length, const char *name, struct ct_error *error,
                   struct ct_table *ret_table)
{
    xmlDoc *document;
    int status = ct_xml_parse(text, length, name, &table_kind, error, &document);
    return status == CT_OK ? read_document(name, document, error, ret_table) : status;
}
