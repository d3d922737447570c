/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/c_features.h"
#include "codegen/c_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* C99 compilers must accept string literals of this length. */
enum { LITERAL_MAX = 4000 };

const char ct_c_map_helpers[] =
    "\n"
    "static inline unsigned colltune_leading_bit(unsigned long long value)\n"
    "{\n"
    "#ifdef __GNUC__\n"
    "    return 63 - (unsigned)__builtin_clzll(value);\n"
    "#else\n"
    "    unsigned bit = 0;\n"
    "    while (value >>= 1)\n"
    "        bit++;\n"
    "    return bit;\n"
    "#endif\n"
    "}\n"
    "\n"
    "/* Returns how many of the rising bounds a value exceeds, without a branch that depends on the\n"
    " * value: a branch that the processor mispredicts takes longer than the rest of a decision. The\n"
    " * value's key is its length in bits and the `bits` after the leading one; `below` tells by key\n"
    " * how many bounds lie below, and a search of few steps finds the others. */\n"
    "static inline size_t colltune_interval(unsigned long long value, const unsigned long long *bounds,\n"
    "                                       size_t count, const unsigned short *below, unsigned bits,\n"
    "                                       size_t step)\n"
    "{\n"
    "    const unsigned long long held = value > bounds[count - 1] ? bounds[count - 1] + 1 : value;\n"
    "    const unsigned dropped = colltune_leading_bit(held | 1ULL << bits) - bits;\n"
    "    size_t rank = below[((unsigned long long)dropped << bits) + (held >> dropped)];\n"
    "    for (; step > 0; step /= 2)\n"
    "        rank += (0 - (size_t)(held > bounds[rank + step - 1])) & step;\n"
    "    return rank;\n"
    "}\n";

/* --- lists of numbers --- */

/* Appends head, list and tail as one line. If that is too long, the items of the list, separated by ", ", go
 * on lines of their own, indented by `indent` blanks. */
static void write_list(const char *head, const struct ct_text *list, const char *tail, size_t indent,
                       struct ct_text *text)
{
    const char *rest = list->failed ? "" : list->data;
    bool fits = strlen(head) + list->length + strlen(tail) <= CT_C_COLUMNS;
    size_t column = indent;
    ct_text_append(text, "%s", head);
    if (!fits)
        ct_text_append(text, "\n%*s", (int)indent, "");
    while (!fits && *rest) {
        const char *end = strstr(rest, ", ");
        size_t length = end ? (size_t)(end - rest) + 1 : strlen(rest);
        bool breaks = column > indent && column + 1 + length + strlen(tail) > CT_C_COLUMNS;
        if (column > indent)
            ct_text_append(text, "%s%*s", breaks ? "\n" : "", breaks ? (int)indent : 1, "");
        ct_text_append_bytes(text, rest, length);
        column = (breaks || column == indent ? indent : column + 1) + length;
        rest += length + (end != NULL);
    }
    ct_text_append(text, "%s%s", rest, tail);
    text->failed = text->failed || list->failed;
}

/* The bounds of one side of the map, and the numbers at which searches begin. */
static void write_side(const struct ct_tree_index *index, const struct ct_index_side *side,
                       struct ct_text *text)
{
    enum { INDENT = 8, HEAD_TEXT = CT_C_FEATURE_TEXT + 64 };
    const struct ct_thresholds *ranks = &side->ranks;
    char name[CT_C_FEATURE_TEXT], head[HEAD_TEXT];
    struct ct_text bounds = {0}, below = {0};
    bool in_bytes = ct_feature_in_bytes(&index->tree->features, side->feature);
    ct_c_feature_name(&index->tree->features, side->feature, name);
    for (size_t i = 0; i < ranks->room; i++) {
        ct_text_append(&bounds, "%s", i > 0 ? ", " : "");
        if (i < ranks->count)
            ct_c_number_write(ranks->thresholds[i], in_bytes, &bounds);
        else
            ct_text_append(&bounds, "~0ULL");
    }
    for (size_t i = 0; i < ranks->keys; i++)
        ct_text_append(&below, "%s%u", i > 0 ? ", " : "", ranks->first[i]);
    snprintf(head, sizeof head, "    static const unsigned long long %s_bounds[] = {", name);
    write_list(head, &bounds, "};\n", INDENT, text);
    snprintf(head, sizeof head, "    static const unsigned short %s_below[] = {", name);
    write_list(head, &below, "};\n", INDENT, text);
    ct_text_free(&bounds);
    ct_text_free(&below);
}

/* --- the matrix --- */

/* A comment that names the conditions of a row: "comm_size <= 8, even > 0". */
static void write_row_name(const struct ct_tree_index *index, size_t row, struct ct_text *text)
{
    char name[CT_C_FEATURE_TEXT], number[CT_SIZE_TEXT];
    for (size_t i = 0; i + 1 < index->side_count; i++) {
        const struct ct_index_side *side = &index->sides[i];
        const struct ct_thresholds *ranks = &side->ranks;
        size_t rank = row * (index->sides[index->side_count - 2].stride) / side->stride % (ranks->count + 1);
        bool is_last = rank == ranks->count;
        size_t bound = ranks->thresholds[is_last ? rank - 1 : rank];
        if (ct_feature_in_bytes(&index->tree->features, side->feature))
            ct_size_format(bound, number);
        else
            snprintf(number, sizeof number, "%zu", bound);
        ct_text_append(text, "%s%s %s %s", i > 0 ? ", " : " /* ",
                       ct_c_feature_name(&index->tree->features, side->feature, name),
                       is_last ? ">" : "<=", number);
    }
    ct_text_append(text, " */");
}

static void write_letters(const struct ct_c_choices *choices, const struct ct_tree_choice *cells,
                          size_t columns, struct ct_text *text)
{
    ct_text_append(text, "        \"");
    for (size_t i = 0; i < columns; i++)
        ct_text_append(text, "%c", ct_c_letter(ct_c_choices_place(choices, cells[i])));
    ct_text_append(text, "\",");
}

static void write_numbers(const struct ct_c_choices *choices, const struct ct_tree_choice *cells,
                          size_t columns, struct ct_text *text)
{
    enum { INDENT = 9 };
    struct ct_text list = {0};
    for (size_t i = 0; i < columns; i++)
        ct_text_append(&list, "%s%zu", i > 0 ? ", " : "", ct_c_choices_place(choices, cells[i]));
    write_list("        {", &list, "},", INDENT, text);
    ct_text_free(&list);
}

static void write_matrix(const struct ct_tree_index *index, const struct ct_c_choices *choices,
                         bool with_letters, struct ct_text *text)
{
    const struct ct_index_side *last = &index->sides[index->side_count - 1];
    char name[CT_C_FEATURE_TEXT];
    size_t columns = last->ranks.count + 1, rows = index->cell_count / columns;
    ct_text_append(text, "    /* By %s from left to right. */\n",
                   ct_c_feature_name(&index->tree->features, last->feature, name));
    ct_text_append(text, "    static const unsigned %s map[%zu][%zu] = {\n", with_letters ? "char" : "short",
                   rows, columns + with_letters);
    for (size_t row = 0; row < rows; row++) {
        const struct ct_tree_choice *cells = &index->cells[row * columns];
        if (!with_letters)
            write_numbers(choices, cells, columns, text);
        else
            write_letters(choices, cells, columns, text);
        if (index->side_count > 1)
            write_row_name(index, row, text);
        ct_text_append(text, "\n");
    }
    ct_text_append(text, "    };\n");
}

/* "row = 3 * row + colltune_interval(...)" for each side but the last, which is the column. */
static void write_look_up(const struct ct_tree_index *index, struct ct_text *text)
{
    char name[CT_C_FEATURE_TEXT];
    for (size_t i = 0; i < index->side_count; i++) {
        const struct ct_thresholds *ranks = &index->sides[i].ranks;
        ct_c_feature_name(&index->tree->features, index->sides[i].feature, name);
        if (i + 1 == index->side_count)
            ct_text_append(text, "    const size_t column = ");
        else if (i == 0)
            ct_text_append(text, "    size_t row = ");
        else
            ct_text_append(text, "    row = %zu * row + ", ranks->count + 1);
        ct_text_append(text, "colltune_interval(%s, %s_bounds, %zu, %s_below, %u, %zu);\n", name, name,
                       ranks->count, name, ranks->bits, ranks->step);
    }
    ct_text_append(text, "    return choices[map[%s][column]];\n", index->side_count > 1 ? "row" : "0");
}

int ct_c_map_write(const struct ct_tree_index *index, struct ct_text *text)
{
    struct ct_c_choices choices;
    int status = ct_c_choices_find(index->tree, &choices);
    if (status != CT_OK)
        return status;
    bool with_letters =
        choices.count <= CT_C_LETTERS && index->sides[index->side_count - 1].ranks.count < LITERAL_MAX;
    ct_c_choices_write(&choices, with_letters, text);
    for (size_t i = 0; i < index->side_count; i++)
        write_side(index, &index->sides[i], text);
    write_matrix(index, &choices, with_letters, text);
    write_look_up(index, text);
    free(choices.choices);
    return CT_OK;
}
