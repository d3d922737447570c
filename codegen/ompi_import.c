/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/ompi_import.h"
#include "base/memory.h"
#include "base/sort.h"
#include "codegen/mapping.h"
#include "decision/tree/tree_build.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct importing {
    const struct ct_ompi_file *file;
    enum ct_collective collective;
    struct ct_method native;
    struct ct_tree_builder builder;
    size_t bytes; /* number of the feature that rules go by */
    struct ct_error *error;
    size_t unknown;
    /* Sizes at which decisions may change: a value is the last one of its range. */
    size_t *ranks, rank_count, *sizes, size_count;
};

/* --- what a rule means --- */

static void set_values(const struct ct_mapping *row, const struct ct_ompi_rule *rule,
                       struct ct_method *method)
{
    const struct {
        const char *name;
        size_t value;
    } numbers[] = {
        {row->segment, rule->segment}, {row->fanout, rule->fanout}, {row->requests, rule->requests}};
    for (int i = 0; i < ct_parameter_count(method->algorithm->descriptor); i++) {
        const struct ct_parameter *parameter = method->algorithm->descriptor->parameters[i];
        for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
            if (numbers[k].name && strcmp(numbers[k].name, parameter->name) == 0 &&
                numbers[k].value >= parameter->least && numbers[k].value > 0)
                method->values[i] = numbers[k].value;
    }
}

/* The method that the rules choose, native without one. *ret_known: it corresponds to one of ours. */
static struct ct_method method_at(const struct importing *importing, size_t ranks, size_t bytes,
                                  bool *ret_known)
{
    const struct ct_ompi_rule *rule = ct_ompi_decide(importing->file, importing->collective, ranks, bytes);
    const struct ct_mapping *row;
    struct ct_method method = importing->native;
    char number[32];
    *ret_known = true;
    if (!rule)
        return method;
    snprintf(number, sizeof number, "%zu", rule->algorithm);
    *ret_known = ct_mapping_method(&ct_ompi_mapping, importing->file->release, importing->collective, number,
                                   &method, &row);
    if (*ret_known && row)
        set_values(row, rule, &method);
    return *ret_known ? method : importing->native;
}

/* --- ranges --- */

static void add_end(size_t *ends, size_t *count, size_t end)
{
    if (end > 0 && end < CT_THRESHOLD_MAX)
        ends[(*count)++] = end;
}

/* The last values of all ranges, rising, the last one without a bound. */
static int find_ranges(struct importing *importing)
{
    const struct ct_ompi_file *file = importing->file;
    importing->ranks = ct_allocate(2 * file->row_count + 1, sizeof *importing->ranks);
    importing->sizes = ct_allocate(2 * file->rule_count + 1, sizeof *importing->sizes);
    if (!importing->ranks || !importing->sizes)
        return CT_E_MEMORY;
    for (size_t i = 0; i < file->row_count; i++) {
        const struct ct_ompi_row *row = &file->rows[i];
        if (row->collective != importing->collective)
            continue;
        add_end(importing->ranks, &importing->rank_count, row->least ? row->least - 1 : 0);
        add_end(importing->ranks, &importing->rank_count, row->most);
        for (size_t k = row->first; k < row->first + row->count; k++) {
            const struct ct_ompi_rule *rule = &file->rules[k];
            /* no call has 0 bytes: a rule for them alone does not matter */
            add_end(importing->sizes, &importing->size_count, rule->least ? rule->least - 1 : 0);
            add_end(importing->sizes, &importing->size_count, rule->most);
        }
    }
    importing->rank_count = ct_sort_unique(importing->ranks, importing->rank_count);
    importing->sizes[importing->size_count = ct_sort_unique(importing->sizes, importing->size_count)] =
        SIZE_MAX;
    importing->ranks[importing->rank_count++] = SIZE_MAX;
    importing->size_count++;
    if (ct_ompi_mapping.collectives[importing->collective].size == CT_SIZE_UNSEEN)
        importing->size_count = 1;
    return CT_OK;
}

/* A value in the range with that number. */
static size_t in_range(const size_t *ends, size_t range)
{
    return ends[range] < SIZE_MAX ? ends[range] : range > 0 ? ends[range - 1] + 1 : 1;
}

static struct ct_method method_in(const struct importing *importing, size_t rank, size_t size,
                                  bool *ret_known)
{
    return method_at(importing, in_range(importing->ranks, rank), in_range(importing->sizes, size),
                     ret_known);
}

static bool same_sizes(const struct importing *importing, size_t rank, size_t first, size_t second)
{
    bool known;
    struct ct_method a = method_in(importing, rank, first, &known);
    struct ct_method b = method_in(importing, rank, second, &known);
    return ct_method_equal(&a, &b);
}

static bool same_ranks(const struct importing *importing, size_t first, size_t second)
{
    bool known;
    for (size_t size = 0; size < importing->size_count; size++) {
        struct ct_method a = method_in(importing, first, size, &known);
        struct ct_method b = method_in(importing, second, size, &known);
        if (!ct_method_equal(&a, &b))
            return false;
    }
    return true;
}

/* --- trees --- */

static int add_leaf(struct importing *importing, size_t rank, size_t size)
{
    bool known;
    const struct ct_method method = method_in(importing, rank, size, &known);
    importing->unknown += !known;
    return ct_tree_builder_leaf(&importing->builder, &method,
                                ct_method_constraints(&method) ? &importing->native : NULL, importing->error);
}

/* Ranges `from` to `to`, both included, of which neighbours that decide alike are one. */
static int add_sizes(struct importing *importing, size_t rank, size_t from, size_t to)
{
    while (from < to && same_sizes(importing, rank, from, from + 1))
        from++;
    size_t middle = from + (to - from) / 2;
    while (middle > from && same_sizes(importing, rank, middle, middle + 1))
        middle--;
    if (from == to)
        return add_leaf(importing, rank, from);
    int status = ct_tree_builder_split(&importing->builder, importing->bytes, importing->sizes[middle],
                                       importing->error);
    if (status == CT_OK)
        status = add_sizes(importing, rank, from, middle);
    return status == CT_OK ? add_sizes(importing, rank, middle + 1, to) : status;
}

static int add_ranks(struct importing *importing, size_t from, size_t to)
{
    while (from < to && same_ranks(importing, from, from + 1))
        from++;
    size_t middle = from + (to - from) / 2;
    while (middle > from && same_ranks(importing, middle, middle + 1))
        middle--;
    if (from == to)
        return add_sizes(importing, from, 0, importing->size_count - 1);
    int status = ct_tree_builder_split(&importing->builder, CT_FEATURE_COMM_SIZE, importing->ranks[middle],
                                       importing->error);
    if (status == CT_OK)
        status = add_ranks(importing, from, middle);
    return status == CT_OK ? add_ranks(importing, middle + 1, to) : status;
}

static int import_collective(struct importing *importing, struct ct_decision_tree *ret_tree)
{
    const enum ct_collective collective = importing->collective;
    const bool is_total = ct_ompi_mapping.collectives[collective].size == CT_SIZE_TIMES_RANKS;
    ct_tree_builder_begin(&importing->builder, collective);
    importing->bytes = CT_FEATURE_MSG_BYTES;
    int status = ct_method_parse("native", collective, importing->error, &importing->native);
    if (status == CT_OK && is_total)
        status = ct_feature_find(&importing->builder.tree.features, "total_bytes", importing->error,
                                 &importing->bytes);
    if (status == CT_OK)
        status = find_ranges(importing);
    if (status == CT_OK)
        status = add_ranks(importing, 0, importing->rank_count - 1);
    if (status == CT_OK)
        status = ct_tree_builder_finish(&importing->builder, importing->error, ret_tree);
    ct_tree_builder_free(&importing->builder);
    free(importing->ranks);
    free(importing->sizes);
    importing->ranks = importing->sizes = NULL;
    importing->rank_count = importing->size_count = 0;
    return status;
}

int ct_ompi_import(const struct ct_ompi_file *file, const char *name, struct ct_error *error,
                   struct ct_imported_trees *ret_trees)
{
    struct ct_imported_trees trees = {.count = 0};
    int status = CT_OK;
    for (int c = 0; status == CT_OK && c < CT_COLLECTIVES; c++) {
        struct importing importing = {.file = file, .collective = (enum ct_collective)c, .error = error};
        size_t row = 0;
        while (row < file->row_count && file->rows[row].collective != importing.collective)
            row++;
        if (row == file->row_count)
            continue;
        status = import_collective(&importing, &trees.trees[trees.count]);
        trees.count += status == CT_OK;
        trees.unknown += importing.unknown;
    }
    if (status == CT_OK && trees.count == 0)
        status = ct_fail(error, CT_E_INPUT, "%s: has no rules", name);
    else if (status == CT_E_MEMORY)
        ct_fail(error, status, "%s: out of memory", name);
    if (status == CT_OK)
        *ret_trees = trees;
    else
        ct_imported_trees_free(&trees);
    return status;
}
