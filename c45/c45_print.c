/* SPDX-License-Identifier: BSD-3-Clause */
#include "c45/c45_program.h"

#include <string.h>

/* Columns of a line, and the number of subtrees that can be broken off so that lines fit. */
enum { COLUMNS = 80, INDENT = 4, SUBTREES_MAX = 99 };

struct printer {
    const struct ct_c45_names *names;
    struct ct_text *text;
    const struct ct_c45_node *subtrees[SUBTREES_MAX];
    size_t subtree_count;
};

static size_t most(size_t a, size_t b)
{
    return a > b ? a : b;
}

static const char *attribute_name(const struct printer *printer, const struct ct_c45_node *node)
{
    return printer->names->attributes[node->attribute].name;
}

/* The width of the longest line of a test, without indent. */
static size_t width_of(const struct printer *printer, const struct ct_c45_node *node)
{
    enum { OPERATOR = 4, COLON = 1, LEAF = 6 };
    const struct ct_c45_words *values = &printer->names->attributes[node->attribute].values;
    size_t width = 0;
    for (size_t b = 0; b < node->branch_count; b++) {
        const struct ct_c45_node *branch = node->branches[b];
        size_t line = (node->test == CT_C45_THRESHOLD ? OPERATOR : strlen(values->words[b])) + COLON;
        if (branch->test == CT_C45_LEAF)
            line += strlen(printer->names->classes.words[branch->best]) + LEAF;
        width = most(width, line);
    }
    return strlen(attribute_name(printer, node)) + OPERATOR + width;
}

static void begin_line(struct printer *printer, size_t level)
{
    ct_text_append(printer->text, "\n");
    while (level-- > 0)
        ct_text_append(printer->text, "|   ");
}

/* Prints the values of a branch; false, and nothing is printed, if it has none. */
static bool print_set(struct printer *printer, const struct ct_c45_node *node, size_t branch, size_t level)
{
    enum { MARGIN = 11 };
    const struct ct_c45_words *values = &printer->names->attributes[node->attribute].values;
    const char *name = attribute_name(printer, node);
    const size_t indent = strlen(name) + 5; /* " in {" */
    size_t count = 0, column = indent, printed = 0;
    for (size_t v = 1; v <= node->value_count; v++)
        count += node->branch_of[v] == branch + 1;
    if (count == 0)
        return false;
    begin_line(printer, level);
    ct_text_append(printer->text, count == 1 ? "%s = " : "%s in {", name);
    for (size_t v = 1; v <= node->value_count; v++) {
        if (node->branch_of[v] != branch + 1)
            continue;
        const char *value = values->words[v - 1];
        if (printed > 0 && column + strlen(value) + MARGIN > COLUMNS) {
            begin_line(printer, level);
            ct_text_append(printer->text, "%*s", (int)indent, "");
            column = indent;
        }
        printed++;
        ct_text_append(printer->text, "%s%s", value, count == 1 ? ":" : printed < count ? "," : "}:");
        column += strlen(value) + 1;
    }
    return true;
}

static bool print_test(struct printer *printer, const struct ct_c45_node *node, size_t branch, size_t level)
{
    if (node->test == CT_C45_SUBSETS)
        return print_set(printer, node, branch, level);
    begin_line(printer, level);
    if (node->test == CT_C45_VALUES) {
        const struct ct_c45_words *values = &printer->names->attributes[node->attribute].values;
        ct_text_append(printer->text, "%s = %s:", attribute_name(printer, node), values->words[branch]);
        return true;
    }
    ct_text_append(printer->text, "%s %s %g ", attribute_name(printer, node), branch == 0 ? "<=" : ">",
                   (double)node->cut);
    if (node->softened)
        ct_text_append(printer->text, "[%g,%g]", (double)node->lower, (double)node->upper);
    ct_text_append(printer->text, ":");
    return true;
}

static void print_leaf(struct printer *printer, const struct ct_c45_node *leaf)
{
    ct_text_append(printer->text, " %s (%.1f", printer->names->classes.words[leaf->best],
                   (double)leaf->items);
    if (leaf->errors > 0)
        ct_text_append(printer->text, "/%.1f", (double)leaf->errors);
    ct_text_append(printer->text, ")");
}

/* Names a subtree that is too wide for its place. */
static void break_off(struct printer *printer, const struct ct_c45_node *node)
{
    if (printer->subtree_count == SUBTREES_MAX) {
        ct_text_append(printer->text, "[S??]");
        return;
    }
    printer->subtrees[printer->subtree_count++] = node;
    ct_text_append(printer->text, "[S%zu]", printer->subtree_count);
}

/* Prints the branches that are leaves first. */
static void print_node(struct printer *printer, const struct ct_c45_node *node, size_t level)
{
    if (node->test == CT_C45_LEAF) {
        print_leaf(printer, node);
        return;
    }
    for (size_t b = 0; b < node->branch_count; b++)
        if (node->branches[b]->test == CT_C45_LEAF && print_test(printer, node, b, level))
            print_leaf(printer, node->branches[b]);
    for (size_t b = 0; b < node->branch_count; b++) {
        const struct ct_c45_node *branch = node->branches[b];
        if (branch->test == CT_C45_LEAF || !print_test(printer, node, b, level))
            continue;
        if (INDENT * (level + 1) + width_of(printer, branch) > COLUMNS)
            break_off(printer, branch);
        else
            print_node(printer, branch, level + 1);
    }
}

void ct_c45_print(const struct ct_c45_names *names, const struct ct_c45_node *root, struct ct_text *text)
{
    struct printer printer = {.names = names, .text = text};
    print_node(&printer, root, 0);
    ct_text_append(text, "\n");
    for (size_t s = 0; s < printer.subtree_count; s++) {
        ct_text_append(text, "\n\nSubtree [S%zu]\n", s + 1);
        print_node(&printer, printer.subtrees[s], 0);
        ct_text_append(text, "\n");
    }
    ct_text_append(text, "\n");
}
