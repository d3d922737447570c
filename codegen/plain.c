/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/plain.h"
#include "base/memory.h"
#include "codegen/generator.h"
#include "codegen/provenance.h"
#include "codegen/rules.h"
#include "codegen/tree_parts.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines "ranks, message bytes, method, fallback", aligned. */

enum { RANGE_TEXT = 2 * CT_SIZE_TEXT + 8 };

/* Widths of the columns before the method: those of most tables, or of the widest range. */
struct widths {
    int ranks;
    int bytes;
};

static const struct widths usual_widths = {14, 12};

/* Ranks from `first` up to those where the next row begins. */
static char *ranks_format(size_t first, const struct ct_rule_row *next, char text[RANGE_TEXT])
{
    if (!next)
        snprintf(text, RANGE_TEXT, "%zu and more", first);
    else if (next->comm_size == first + 1)
        snprintf(text, RANGE_TEXT, "%zu", first);
    else
        snprintf(text, RANGE_TEXT, "%zu to %zu", first, next->comm_size - 1);
    return text;
}

/* Bytes up to the next rule; the line before says where they begin. */
static char *bytes_format(bool is_first, const struct ct_rule *next, char text[RANGE_TEXT])
{
    char size[CT_SIZE_TEXT];
    if (next)
        snprintf(text, RANGE_TEXT, "up to %s", ct_size_format(next->at_least - 1, size));
    else
        snprintf(text, RANGE_TEXT, is_first ? "all" : "more");
    return text;
}

static void widen(int *width, const char *range)
{
    int length = (int)strlen(range);
    *width = length > *width ? length : *width;
}

/* The ranges of rule `i` of row `r`; ranks only for the first rule. */
static void format_rule(const struct ct_rules *rules, size_t r, size_t i, char ranks[RANGE_TEXT],
                        char bytes[RANGE_TEXT])
{
    const struct ct_rule_row *row = &rules->rows[r];
    const struct ct_rule *rule = &rules->rules[row->first + i];
    ranks[0] = '\0';
    if (i == 0)
        ranks_format(row->comm_size, r + 1 < rules->row_count ? row + 1 : NULL, ranks);
    bytes_format(i == 0, i + 1 < row->count ? rule + 1 : NULL, bytes);
}

static struct widths find_widths(const struct ct_rules *rules)
{
    struct widths widths = usual_widths;
    char ranks[RANGE_TEXT], bytes[RANGE_TEXT];
    for (size_t r = 0; r < rules->row_count; r++) {
        for (size_t i = 0; i < rules->rows[r].count; i++) {
            format_rule(rules, r, i, ranks, bytes);
            widen(&widths.ranks, ranks);
            widen(&widths.bytes, bytes);
        }
    }
    return widths;
}

static void write_ranges(const struct ct_decision_tree *tree, struct widths widths, const char *ranks,
                         const char *bytes, struct ct_text *text)
{
    ct_text_append(text, "%-*s  ", widths.ranks, ranks);
    if (ct_collectives[tree->collective].has_size)
        ct_text_append(text, "%-*s  ", widths.bytes, bytes);
}

static void write_method(const struct ct_decision_tree *tree, const struct ct_tree_node *leaf,
                         struct ct_text *text)
{
    char method[CT_METHOD_TEXT], fallback[CT_METHOD_TEXT];
    ct_method_format(&tree->methods[leaf->method], false, method);
    if (leaf->fallback == leaf->method)
        ct_text_append(text, "%s\n", method);
    else
        ct_text_append(text, "%s, fallback %s\n", method,
                       ct_method_format(&tree->methods[leaf->fallback], false, fallback));
}

/* Leaves with the same decision get the same choice. */
static size_t *find_choices(const struct ct_decision_tree *tree)
{
    size_t *choices = ct_allocate(tree->node_count, sizeof *choices);
    for (size_t i = 0; choices && i < tree->node_count; i++) {
        choices[i] = i;
        for (size_t j = 0; j < i; j++) {
            if (tree->nodes[j].feature == CT_LEAF && tree->nodes[j].method == tree->nodes[i].method &&
                tree->nodes[j].fallback == tree->nodes[i].fallback) {
                choices[i] = j;
                break;
            }
        }
    }
    return choices;
}

static int make_rules(const struct ct_decision_tree *tree, struct ct_error *error, struct ct_rules *ret_rules)
{
    size_t *choices = find_choices(tree);
    if (!choices)
        return ct_fail(error, CT_E_MEMORY, "out of memory");
    int status = ct_rules_make(tree, choices, 0, CT_SIZE_AS_OURS, SIZE_MAX, error, ret_rules);
    free(choices);
    return status;
}

static int write_part(const struct ct_tree_part *part, struct ct_error *error, struct ct_text *text)
{
    const struct ct_decision_tree *tree = &part->tree;
    struct ct_rules rules;
    int status = make_rules(tree, error, &rules);
    if (status != CT_OK)
        return status;
    struct widths widths = find_widths(&rules);
    ct_text_append(text, "\n%s", ct_collectives[tree->collective].name);
    ct_tree_part_write(part, text);
    ct_text_append(text, "\n");
    write_ranges(tree, widths, "ranks", "bytes", text);
    ct_text_append(text, "method\n");
    if (rules.exact != SIZE_MAX && rules.row_count > 1)
        ct_text_append(
            text,
            "# beyond %zu ranks sizes are exact for the first communicator size of each line, up to an "
            "eighth too low for the others\n",
            rules.exact);
    for (size_t r = 0; r < rules.row_count; r++) {
        const struct ct_rule_row *row = &rules.rows[r];
        for (size_t i = 0; i < row->count; i++) {
            char ranks[RANGE_TEXT], bytes[RANGE_TEXT];
            format_rule(&rules, r, i, ranks, bytes);
            write_ranges(tree, widths, ranks, bytes, text);
            write_method(tree, &tree->nodes[rules.rules[row->first + i].choice], text);
        }
    }
    ct_rules_free(&rules);
    return CT_OK;
}

/* Writes all parts of the tree. */
static int write_parts(const struct ct_decision_tree *tree,
                       int (*write)(const struct ct_tree_part *, struct ct_error *, struct ct_text *),
                       struct ct_error *error, struct ct_text *text)
{
    struct ct_tree_part *parts;
    size_t count;
    int status = ct_tree_parts_make(tree, error, &parts, &count);
    if (status != CT_OK)
        return status;
    for (size_t i = 0; status == CT_OK && i < count; i++)
        status = write(&parts[i], error, text);
    ct_tree_parts_free(parts, count);
    return status;
}

/* Decisions by patterns have too many sides for ranges of sizes: their tests are written, one below the
 * other. */
static int write_tests(const struct ct_decision_tree *tree, struct ct_text *text)
{
    struct ct_decision_tree copy = *tree; /* what is its own stays its own */
    const struct ct_decisions one = {.trees = &copy, .tree_count = 1};
    struct ct_text tests = {0};
    ct_decisions_write_text(&one, &tests);
    if (!tests.failed) /* without the first line, which names the format */
        ct_text_append(text, "\n%s", tests.data + strcspn(tests.data, "\n") + 1);
    int status = tests.failed ? CT_E_MEMORY : CT_OK;
    ct_text_free(&tests);
    return status;
}

int ct_plain_tree_write(const struct ct_decision_tree *tree, struct ct_error *error, struct ct_text *text)
{
    if (ct_collectives[tree->collective].is_sparse)
        return write_tests(tree, text);
    return write_parts(tree, write_part, error, text);
}

/* --- CSV --- */

/* The features that have columns; those of patterns have none. */
enum { COLUMN_FEATURES = CT_FEATURE_DEGREE };

void ct_plain_csv_header_write(struct ct_text *text)
{
    ct_text_append(text, "collective");
    for (int i = 0; i < COLUMN_FEATURES; i++)
        ct_text_append(text, ",%s_min,%s_max", ct_feature_descriptors[i]->name,
                       ct_feature_descriptors[i]->name);
    ct_text_append(text, ",method,fallback\n");
}

static void write_csv_method(const struct ct_method *method, struct ct_text *text)
{
    char spelling[CT_METHOD_TEXT];
    const char *quote = strchr(ct_method_format(method, false, spelling), ',') ? "\"" : "";
    ct_text_append(text, ",%s%s%s", quote, spelling, quote);
}

/* A line for calls whose features are from `least` to `most`; what is at the bound of a feature is none. */
static void write_csv_line(const struct ct_decision_tree *tree, const struct ct_tree_node *leaf,
                           const size_t least[CT_FEATURES], const size_t most[CT_FEATURES],
                           struct ct_text *text)
{
    ct_text_append(text, "%s", ct_collectives[tree->collective].name);
    for (int i = 0; i < COLUMN_FEATURES; i++) {
        ct_text_append(text, ",%zu", least[i]);
        ct_text_append(text, most[i] >= ct_feature_descriptors[i]->most ? "," : ",%zu", most[i]);
    }
    write_csv_method(&tree->methods[leaf->method], text);
    write_csv_method(&tree->methods[leaf->fallback], text);
    ct_text_append(text, "\n");
}

static int write_csv_part(const struct ct_tree_part *part, struct ct_error *error, struct ct_text *text)
{
    struct ct_rules rules;
    int status = make_rules(&part->tree, error, &rules);
    if (status != CT_OK)
        return status;
    size_t least[CT_FEATURES], most[CT_FEATURES];
    memcpy(least, part->least, sizeof least);
    memcpy(most, part->most, sizeof most);
    for (size_t r = 0; r < rules.row_count; r++) {
        const struct ct_rule_row *row = &rules.rows[r];
        least[CT_FEATURE_COMM_SIZE] = row->comm_size;
        most[CT_FEATURE_COMM_SIZE] = r + 1 < rules.row_count ? row[1].comm_size - 1 : SIZE_MAX;
        for (size_t i = 0; i < row->count; i++) {
            const struct ct_rule *rule = &rules.rules[row->first + i];
            least[CT_FEATURE_MSG_BYTES] = rule->at_least;
            most[CT_FEATURE_MSG_BYTES] = i + 1 < row->count ? rule[1].at_least - 1 : SIZE_MAX;
            write_csv_line(&part->tree, &part->tree.nodes[rule->choice], least, most, text);
        }
    }
    ct_rules_free(&rules);
    return CT_OK;
}

int ct_plain_csv_write(const struct ct_decision_tree *tree, struct ct_error *error, struct ct_text *text)
{
    if (ct_collectives[tree->collective].is_sparse)
        return ct_fail(error, CT_E_INPUT,
                       "--format csv: %s is decided by patterns, for which there are no ranges; expected "
                       "--collective with another one, or the format text",
                       ct_collectives[tree->collective].name);
    return write_parts(tree, write_csv_part, error, text);
}

/* --- the format --- */

static int generate_plain(const struct ct_table *table, const struct ct_generator_options *options,
                          struct ct_error *error, struct ct_text *text, struct ct_text *notes)
{
    (void)options, (void)notes; /* the format holds the whole table */
    ct_text_append(text,
                   "# Decisions, written by colltune %s; sizes in bytes, K, M and G powers of 1024.\n#\n",
                   table->tool_version);
    ct_provenance_write(table, "# ", text);
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < table->decisions.tree_count; i++)
        status = ct_plain_tree_write(&table->decisions.trees[i], error, text);
    return status == CT_OK && text->failed ? ct_fail(error, CT_E_MEMORY, "out of memory") : status;
}

const struct ct_generator ct_plain_generator = {
    .name = "text",
    .text = "an aligned table for reading",
    .generate = generate_plain,
};
