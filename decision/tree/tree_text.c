/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/tree/tree_build.h"
#include "decision/tree/tree_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char first_line[] = "colltune-table 2";
static const char collective_word[] = "collective ";
static const char feature_word[] = "feature ";
static const char fallback_word[] = " fallback ";

enum { INDENT = 2, LINE_ROOM = 512, CONTROL = 0x20, DELETE = 0x7f };

struct reader {
    const char *rest;
    const char *file;
    size_t line_number;
    char line[LINE_ROOM]; /* the current one, without its indentation */
    size_t indent;        /* in spaces */
    struct ct_tree_builder builder;
    bool building; /* a tree is open in the builder */
    struct ct_decisions decisions;
    struct ct_error *error;
};

static int fail_here(struct reader *reader, int status)
{
    char place[300];
    snprintf(place, sizeof place, "%.200s:%zu", reader->file, reader->line_number);
    return ct_fail_in(reader->error, status, place);
}

/* The next line that is no comment; false at the end. */
static bool next_line(struct reader *reader, int *ret_status)
{
    while (*reader->rest) {
        const char *line = reader->rest;
        size_t length = strcspn(line, "\n"), blanks = strspn(line, " ");
        reader->rest = line + length + (line[length] == '\n');
        reader->line_number++;
        if (blanks < length && line[blanks] == '#')
            continue;
        size_t kept = length - blanks;
        for (size_t i = blanks; i < length; i++) {
            if ((unsigned char)line[i] < CONTROL || (unsigned char)line[i] >= DELETE) {
                *ret_status = fail_here(reader, ct_fail(reader->error, CT_E_INPUT,
                                                        "column %zu: expected printable ASCII", i + 1));
                return true;
            }
        }
        if (kept == 0 || kept >= sizeof reader->line) {
            *ret_status = fail_here(
                reader, ct_fail(reader->error, CT_E_INPUT,
                                kept ? "the line is too long" : "the line is empty: expected a node"));
            return true;
        }
        memcpy(reader->line, line + blanks, kept);
        reader->line[kept] = '\0';
        reader->indent = blanks;
        *ret_status = CT_OK;
        return true;
    }
    return false;
}

static int finish_tree(struct reader *reader)
{
    if (!reader->building)
        return CT_OK;
    struct ct_decisions *decisions = &reader->decisions;
    struct ct_decision_tree tree;
    int status = ct_tree_builder_finish(&reader->builder, reader->error, &tree);
    if (status != CT_OK)
        return fail_here(reader, status);
    ct_tree_builder_free(&reader->builder);
    reader->building = false;
    struct ct_decision_tree *grown = reallocarray(decisions->trees, decisions->tree_count + 1, sizeof *grown);
    if (!grown) {
        ct_tree_free(&tree);
        return ct_fail(reader->error, CT_E_MEMORY, "%s: out of memory", reader->file);
    }
    decisions->trees = grown;
    decisions->trees[decisions->tree_count++] = tree;
    return CT_OK;
}

static int begin_tree(struct reader *reader, const char *name)
{
    int status = finish_tree(reader);
    if (status != CT_OK)
        return status;
    enum ct_collective collective = ct_collective_find(name);
    if (collective == CT_COLLECTIVES)
        return fail_here(reader, ct_fail(reader->error, CT_E_INPUT, "unknown collective '%s'", name));
    if (ct_decisions_find(&reader->decisions, collective))
        return fail_here(
            reader, ct_fail(reader->error, CT_E_INPUT, "a second tree for %s: expected at most one", name));
    ct_tree_builder_begin(&reader->builder, collective);
    reader->building = true;
    return CT_OK;
}

/* `FEATURE <= NUMBER`; `compare` points at the blank before "<=". */
static int read_split(struct reader *reader, char *compare)
{
    *compare = '\0';
    const char *number = compare + strlen(" <= ");
    size_t feature, threshold;
    int status = ct_feature_find(&reader->builder.tree.features, reader->line, reader->error, &feature);
    if (status != CT_OK)
        return status;
    status = ct_size_parse(number, &threshold);
    if (status != CT_OK)
        return ct_fail(reader->error, CT_E_INPUT, "'%s' after <=: expected %s", number,
                       status == CT_E_LIMIT ? "a smaller number" : "a whole number");
    return ct_tree_builder_split(&reader->builder, feature, threshold, reader->error);
}

/* `METHOD` or `METHOD fallback METHOD`. */
static int read_leaf(struct reader *reader)
{
    enum ct_collective collective = reader->builder.tree.collective;
    struct ct_method method, fallback;
    char *next = strstr(reader->line, fallback_word);
    if (next)
        *next = '\0';
    int status = ct_method_parse(reader->line, collective, reader->error, &method);
    if (status == CT_OK && next)
        status = ct_method_parse(next + strlen(fallback_word), collective, reader->error, &fallback);
    if (status != CT_OK)
        return status;
    return ct_tree_builder_leaf(&reader->builder, &method, next ? &fallback : NULL, reader->error);
}

/* A feature, a test or a leaf. */
static int read_in_tree(struct reader *reader)
{
    struct ct_decision_tree *tree = &reader->builder.tree;
    size_t number;
    if (tree->node_count == 0 && strncmp(reader->line, feature_word, strlen(feature_word)) == 0)
        return ct_feature_define(&tree->features, reader->line + strlen(feature_word), reader->error,
                                 &number);
    char *compare = strstr(reader->line, " <= ");
    return compare ? read_split(reader, compare) : read_leaf(reader);
}

static int read_line(struct reader *reader)
{
    if (reader->indent == 0 && strncmp(reader->line, collective_word, strlen(collective_word)) == 0)
        return begin_tree(reader, reader->line + strlen(collective_word));
    int status = CT_OK;
    size_t expected = INDENT * reader->builder.open_count;
    if (!reader->building)
        status = ct_fail(reader->error, CT_E_INPUT, "expected 'collective NAME'");
    else if (reader->builder.whole)
        status =
            ct_fail(reader->error, CT_E_INPUT, "the tree is whole: expected 'collective NAME' or the end");
    else if (reader->indent != expected)
        status = ct_fail(reader->error, CT_E_INPUT, "indented by %zu spaces: expected %zu", reader->indent,
                         expected);
    if (status == CT_OK)
        status = read_in_tree(reader);
    return status == CT_OK ? CT_OK : fail_here(reader, status);
}

static int read_all(struct reader *reader)
{
    int status = CT_OK;
    size_t length = strlen(first_line);
    if (strncmp(reader->rest, first_line, length) != 0 ||
        (reader->rest[length] && reader->rest[length] != '\n')) {
        ct_fail(reader->error, CT_E_INPUT, "expected the line '%s'", first_line);
        reader->line_number = 1;
        return fail_here(reader, CT_E_INPUT);
    }
    while (status == CT_OK && next_line(reader, &status)) {
        if (status == CT_OK && reader->line_number > 1)
            status = read_line(reader);
    }
    if (status == CT_OK)
        status = finish_tree(reader);
    if (status == CT_OK && reader->decisions.tree_count == 0) {
        status = fail_here(reader, ct_fail(reader->error, CT_E_INPUT, "no tree: expected 'collective NAME'"));
    }
    return status;
}

int ct_decisions_read_text(const char *text, const char *file_name, struct ct_error *error,
                           struct ct_decisions *ret_decisions)
{
    struct reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", file_name);
    reader->rest = text;
    reader->file = file_name;
    reader->error = error;
    int status = read_all(reader);
    ct_tree_builder_free(&reader->builder);
    if (status == CT_OK)
        *ret_decisions = reader->decisions;
    else
        ct_decisions_free(&reader->decisions);
    free(reader);
    return status;
}

static void write_leaf(const struct ct_decision_tree *tree, const struct ct_tree_node *node,
                       struct ct_text *text)
{
    char spelling[CT_METHOD_TEXT];
    ct_text_append(text, "%s", ct_method_format(&tree->methods[node->method], false, spelling));
    if (node->fallback != node->method)
        ct_text_append(text, "%s%s", fallback_word,
                       ct_method_format(&tree->methods[node->fallback], false, spelling));
    ct_text_append(text, "\n");
}

static void write_split(const struct ct_feature_set *features, const struct ct_tree_node *node,
                        struct ct_text *text)
{
    char number[CT_SIZE_TEXT];
    if (ct_feature_in_bytes(features, (size_t)node->feature))
        ct_size_format(node->threshold, number);
    else
        snprintf(number, sizeof number, "%zu", node->threshold);
    ct_text_append(text, "%s <= %s\n", ct_feature_name(features, (size_t)node->feature), number);
}

/* Deep trees have hundreds of megabytes of blanks: copied, not formatted. */
static void indent(struct ct_text *text, size_t blanks)
{
    static const char some[] = "                                                                ";
    while (blanks > 0) {
        size_t part = blanks < sizeof some - 1 ? blanks : sizeof some - 1;
        ct_text_append_bytes(text, some, part);
        blanks -= part;
    }
}

static void write_tree(const struct ct_decision_tree *tree, struct ct_text *text)
{
    ct_text_append(text, "%s%s\n", collective_word, ct_collectives[tree->collective].name);
    for (size_t i = 0; i < tree->features.count; i++) {
        if (tree->features.composites[i].known)
            continue;
        ct_text_append(text, "%s", feature_word);
        ct_feature_write(&tree->features.composites[i], text);
        ct_text_append(text, "\n");
    }
    struct ct_tree_walk walk = {.tree = tree};
    const struct ct_tree_node *node = NULL;
    size_t depth = 0;
    enum ct_walk_event event;
    while ((event = ct_tree_walk_next(&walk, &node, &depth)) != CT_WALK_END) {
        if (event == CT_WALK_FAILED) {
            text->failed = true;
            return;
        }
        if (event != CT_WALK_LEAF && event != CT_WALK_SPLIT)
            continue;
        indent(text, INDENT * depth);
        if (event == CT_WALK_LEAF)
            write_leaf(tree, node, text);
        else
            write_split(&tree->features, node, text);
    }
}

void ct_decisions_write_text(const struct ct_decisions *decisions, struct ct_text *text)
{
    ct_text_append(text, "%s\n", first_line);
    for (size_t i = 0; i < decisions->tree_count; i++)
        write_tree(&decisions->trees[i], text);
}
