/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "codegen/generator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each tree as lists: per communicator size the runs of message sizes that have one method. */

static int compare_sizes(const void *a, const void *b)
{
    size_t left = *(const size_t *)a, right = *(const size_t *)b;
    return (left > right) - (left < right);
}

/* The thresholds on a feature, rising, each once, and behind them SIZE_MAX. */
static int find_ends(const struct ct_decision_tree *tree, enum ct_feature feature, size_t **ret_ends,
                     size_t *ret_count)
{
    size_t *ends = ct_allocate(tree->node_count + 1, sizeof *ends), all = 0, count = 0;
    if (!ends)
        return CT_E_MEMORY;
    for (size_t i = 0; i < tree->node_count; i++)
        if (tree->nodes[i].feature == (int16_t)feature)
            ends[all++] = tree->nodes[i].threshold;
    ends[all++] = SIZE_MAX;
    qsort(ends, all, sizeof *ends, compare_sizes);
    for (size_t i = 0; i < all; i++)
        if (i == 0 || ends[i] != ends[count - 1])
            ends[count++] = ends[i];
    *ret_ends = ends;
    *ret_count = count;
    return CT_OK;
}

/* "up to 8K", "beyond" for the last, and "any" for the only one. */
enum { END_TEXT = CT_SIZE_TEXT + 8 };
static const char *end_of(size_t end, bool only, bool in_bytes, char text[END_TEXT])
{
    char number[CT_SIZE_TEXT];
    if (end == SIZE_MAX)
        return only ? "any" : "beyond";
    if (in_bytes)
        snprintf(text, END_TEXT, "up to %s", ct_size_format(end, number));
    else
        snprintf(text, END_TEXT, "up to %zu", end);
    return text;
}

static void write_method(const struct ct_decision_tree *tree, const struct ct_tree_node *leaf,
                         struct ct_text *text)
{
    char spelling[CT_METHOD_TEXT];
    ct_text_append(text, " %s", ct_method_format(&tree->methods[leaf->method], false, spelling));
    if (leaf->otherwise != leaf->method)
        ct_text_append(text, " otherwise %s",
                       ct_method_format(&tree->methods[leaf->otherwise], false, spelling));
    ct_text_append(text, "\n");
}

static const struct ct_tree_node *leaf_at(const struct ct_decision_tree *tree, size_t comm_size,
                                          size_t msg_bytes)
{
    const struct ct_features features = {{[CT_COMM_SIZE] = comm_size, [CT_MSG_BYTES] = msg_bytes}};
    return ct_tree_decide(tree, &features);
}

/* The list of one communicator size. */
static void write_row(const struct ct_decision_tree *tree, size_t comm_size, const size_t *ends, size_t count,
                      struct ct_text *text)
{
    enum { COLUMNS = 14 };
    char end[END_TEXT];
    bool only = true;
    for (size_t i = 0; i < count; i++) {
        const struct ct_tree_node *leaf = leaf_at(tree, comm_size, ends[i]), *next = NULL;
        if (i + 1 < count)
            next = leaf_at(tree, comm_size, ends[i + 1]);
        if (next && next->method == leaf->method && next->otherwise == leaf->otherwise)
            continue;
        ct_text_append(text, "    %-*s", COLUMNS, end_of(ends[i], only, true, end));
        write_method(tree, leaf, text);
        only = false;
    }
}

/* Rows that follow one another with the same list are one. */
static void write_rows(const struct ct_decision_tree *tree, const size_t *comm_sizes, size_t comm_count,
                       const size_t *ends, size_t count, struct ct_text *text)
{
    struct ct_text row = {0}, next = {0};
    char end[END_TEXT];
    bool only = true;
    write_row(tree, comm_sizes[0], ends, count, &row);
    for (size_t i = 0; i < comm_count && !text->failed; i++) {
        if (i + 1 < comm_count)
            write_row(tree, comm_sizes[i + 1], ends, count, &next);
        text->failed |= row.failed || next.failed;
        if (!text->failed && (i + 1 == comm_count || strcmp(row.data, next.data) != 0)) {
            ct_text_append(text, "  comm_size %s\n%s", end_of(comm_sizes[i], only, false, end), row.data);
            only = false;
        }
        ct_text_free(&row);
        row = next;
        next = (struct ct_text){0};
    }
    ct_text_free(&row);
}

static int check_features(const struct ct_decision_tree *tree, struct ct_error *error)
{
    for (size_t i = 0; i < tree->node_count; i++) {
        int feature = tree->nodes[i].feature;
        if (feature != CT_LEAF && feature != CT_COMM_SIZE && feature != CT_MSG_BYTES)
            return ct_fail(error, CT_E_LIMIT,
                           "the tree of %s tests %s, which run lengths do not know: expected comm_size and "
                           "msg_bytes alone",
                           ct_collectives[tree->collective].name,
                           ct_feature_name(&tree->features, (size_t)feature));
    }
    return CT_OK;
}

static int write_tree(const struct ct_decision_tree *tree, struct ct_error *error, struct ct_text *text)
{
    size_t *comm_sizes = NULL, *ends = NULL, comm_count, count;
    int status = check_features(tree, error);
    if (status != CT_OK)
        return status;
    status = find_ends(tree, CT_COMM_SIZE, &comm_sizes, &comm_count);
    if (status == CT_OK)
        status = find_ends(tree, CT_MSG_BYTES, &ends, &count);
    if (status == CT_OK) {
        ct_text_append(text, "%s\n", ct_collectives[tree->collective].name);
        write_rows(tree, comm_sizes, comm_count, ends, count, text);
    }
    free(comm_sizes);
    free(ends);
    return status == CT_OK ? CT_OK : ct_fail(error, status, "out of memory");
}

static int generate_run_lengths(const struct ct_table *table, const struct ct_generator_options *options,
                                struct ct_error *error, struct ct_text *text, struct ct_text *notes)
{
    (void)options, (void)notes; /* it says everything */
    int status = CT_OK;
    ct_text_append(text, "# generated by colltune %s; do not edit\n", table->tool_version);
    ct_provenance_write(table, "# ", text);
    ct_text_append(text, "# by communicator size, and by message size in bytes\n");
    for (size_t i = 0; status == CT_OK && i < table->decisions.tree_count; i++)
        status = write_tree(&table->decisions.trees[i], error, text);
    return status == CT_OK && text->failed ? ct_fail(error, CT_E_MEMORY, "out of memory") : status;
}

const struct ct_generator ct_run_lengths_generator = {
    .name = "run-lengths",
    .text = "lists for people, by communicator size",
    .generate = generate_run_lengths,
};
