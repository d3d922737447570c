/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/c_features.h"
#include "codegen/generator.h"
#include "decision/tree_walk.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* C99 promises 127 nested blocks. */
enum { NESTING_MAX = 120, INDENT = 4 };

enum { NAME_TEXT = CT_METHOD_TEXT + 16 };

/* "bcast/split_binary:seg=8K" is COLLTUNE_BCAST_SPLIT_BINARY_SEG_8K. */
static char *constant_of(const struct ct_method *method, char name[NAME_TEXT])
{
    char spelling[CT_METHOD_TEXT];
    snprintf(name, NAME_TEXT, "COLLTUNE_%s", ct_method_format(method, true, spelling));
    for (char *at = name; *at; at++)
        *at = isalnum((unsigned char)*at) ? (char)toupper((unsigned char)*at) : '_';
    return name;
}

static void write_leaf(const struct ct_decision_tree *tree, const struct ct_tree_node *node, size_t indent,
                       struct ct_text *text)
{
    char method[NAME_TEXT], otherwise[NAME_TEXT];
    constant_of(&tree->methods[node->method], method);
    if (node->otherwise == node->method) {
        ct_text_append(text, "%*sreturn colltune_always(%s);\n", (int)indent, "", method);
        return;
    }
    static const char call[] = "return colltune_choose(";
    constant_of(&tree->methods[node->otherwise], otherwise);
    ct_text_append(text, "%*s%s%s,", (int)indent, "", call, method);
    if (indent + strlen(call) + strlen(method) + strlen(otherwise) + strlen(", );") > CT_C_COLUMNS)
        ct_text_append(text, "\n%*s%s);\n", (int)(indent + strlen(call)), "", otherwise);
    else
        ct_text_append(text, " %s);\n", otherwise);
}

/* The branch for what is small stands inside its `if` and always returns; the other one goes on behind it. */
static int write_nodes(const struct ct_decision_tree *tree, struct ct_error *error, struct ct_text *text)
{
    struct ct_tree_walk walk = {.tree = tree};
    const struct ct_tree_node *node = NULL;
    size_t depth = 0, nesting = 1;
    char name[CT_C_FEATURE_TEXT];
    enum ct_walk_event event;
    int status = CT_OK;
    while ((event = ct_tree_walk_next(&walk, &node, &depth)) != CT_WALK_END) {
        if (event == CT_WALK_FAILED)
            return ct_fail(error, CT_E_MEMORY, "out of memory");
        if (status != CT_OK)
            continue; /* to the end, where the walk holds nothing any more */
        bool braces = event != CT_WALK_LEAF && tree->nodes[node->low].feature != CT_LEAF;
        if (event == CT_WALK_LEAF) {
            write_leaf(tree, node, INDENT * nesting, text);
        } else if (event == CT_WALK_SPLIT) {
            ct_text_append(text, "%*sif (%s <= ", (int)(INDENT * nesting), "",
                           ct_c_feature_name(&tree->features, (size_t)node->feature, name));
            ct_c_number_write(node->threshold, ct_feature_in_bytes(&tree->features, (size_t)node->feature),
                              text);
            ct_text_append(text, braces ? ") {\n" : ")\n");
            nesting++;
        } else if (event == CT_WALK_HIGH) {
            nesting--;
            if (braces)
                ct_text_append(text, "%*s}\n", (int)(INDENT * nesting), "");
        }
        if (nesting > NESTING_MAX)
            status = ct_fail(error, CT_E_LIMIT,
                             "the tree of %s nests more than %d tests, which C compilers need not "
                             "take; a smaller --max-depth gives a flatter one",
                             ct_collectives[tree->collective].name, NESTING_MAX - 1);
    }
    return status;
}

/* The parameters, on further lines below the first where they do not fit. */
static void write_head(const struct ct_decision_tree *tree, struct ct_text *text)
{
    struct ct_text head = {0};
    ct_text_append(&head, "static inline struct colltune_choice colltune_decide_%s(",
                   ct_collectives[tree->collective].name);
    size_t indent = head.length, column = indent;
    for (int i = 0; i < CT_FEATURES; i++) {
        if (!ct_c_takes(tree, (enum ct_feature)i))
            continue;
        const char *name = ct_feature_descriptions[i].name;
        size_t length = strlen(", size_t )") + strlen(name);
        bool breaks = column + length > CT_C_COLUMNS;
        if (i > 0)
            ct_text_append(&head, ",%s%*s", breaks ? "\n" : "", breaks ? (int)indent : 1, "");
        column = breaks ? indent + length : column + length;
        ct_text_append(&head, "size_t %s", name);
    }
    ct_text_append(text, "%s)\n{\n", head.failed ? "" : head.data);
    text->failed = text->failed || head.failed;
    ct_text_free(&head);
}

static int write_function(const struct ct_decision_tree *tree, struct ct_error *error, struct ct_text *text)
{
    const struct ct_collective_description *collective = &ct_collectives[tree->collective];
    ct_text_append(text, "\n/* %s: %s. */\n", collective->name, collective->text);
    write_head(tree, text);
    ct_c_features_write(tree, text);
    int status = write_nodes(tree, error, text);
    ct_text_append(text, "}\n");
    return status;
}

static void write_methods(const struct ct_decisions *decisions, struct ct_text *text)
{
    char name[NAME_TEXT], spelling[CT_METHOD_TEXT];
    ct_text_append(text, "/* Every method that is chosen somewhere. */\nenum colltune_method {\n");
    for (size_t t = 0; t < decisions->tree_count; t++)
        for (size_t m = 0; m < decisions->trees[t].method_count; m++)
            ct_text_append(text, "    %s,\n", constant_of(&decisions->trees[t].methods[m], name));
    ct_text_append(text, "    COLLTUNE_METHODS\n};\n\n"
                         "/* Their spellings, as colltune writes and reads them. */\n"
                         "static const char *const colltune_method_names[COLLTUNE_METHODS] = {\n");
    for (size_t t = 0; t < decisions->tree_count; t++) {
        for (size_t m = 0; m < decisions->trees[t].method_count; m++) {
            const struct ct_method *method = &decisions->trees[t].methods[m];
            ct_text_append(text, "    [%s] = \"%s\",\n", constant_of(method, name),
                           ct_method_format(method, true, spelling));
        }
    }
    ct_text_append(text, "};\n\n");
}

static const char helpers[] =
    "/* What to call; `otherwise` where `method` does not apply to the call, for its operation or its size. "
    "*/\n"
    "struct colltune_choice {\n"
    "    unsigned short method; /* enum colltune_method */\n"
    "    unsigned short otherwise;\n"
    "};\n"
    "\n"
    "enum { COLLTUNE_KIB = 1024, COLLTUNE_MIB = 1024 * COLLTUNE_KIB, COLLTUNE_GIB = 1024 * COLLTUNE_MIB };\n"
    "\n"
    "/* NULL for what is no method. */\n"
    "static inline const char *colltune_method_name(unsigned method)\n"
    "{\n"
    "    return method < COLLTUNE_METHODS ? colltune_method_names[method] : NULL;\n"
    "}\n"
    "\n"
    "static inline struct colltune_choice colltune_choose(enum colltune_method method,\n"
    "                                                     enum colltune_method otherwise)\n"
    "{\n"
    "    struct colltune_choice choice = {(unsigned short)method, (unsigned short)otherwise};\n"
    "    return choice;\n"
    "}\n"
    "\n"
    "static inline struct colltune_choice colltune_always(enum colltune_method method)\n"
    "{\n"
    "    return colltune_choose(method, method);\n"
    "}\n";

static int generate_c(const struct ct_table *table, const struct ct_generator_options *options,
                      struct ct_error *error, struct ct_text *text, struct ct_text *notes)
{
    (void)options, (void)notes; /* it says everything */
    const struct ct_decisions *decisions = &table->decisions;
    size_t methods = 0;
    for (size_t t = 0; t < decisions->tree_count; t++)
        methods += decisions->trees[t].method_count;
    if (methods >= USHRT_MAX)
        return ct_fail(error, CT_E_LIMIT, "the table has too many methods");

    ct_text_append(
        text, "/* Which method to use for a collective call, generated by colltune %s; do not edit.\n *\n",
        table->tool_version);
    ct_provenance_write(table, " * ", text);
    ct_text_append(
        text, " */\n#ifndef COLLTUNE_DECISIONS_H\n#define COLLTUNE_DECISIONS_H\n\n#include <stddef.h>\n\n");
    write_methods(decisions, text);
    ct_text_append(text, "%s", helpers);
    ct_c_operators_write(decisions, text);
    int status = CT_OK;
    for (size_t t = 0; status == CT_OK && t < decisions->tree_count; t++)
        status = write_function(&decisions->trees[t], error, text);
    ct_text_append(text, "\n#endif\n");
    return status == CT_OK && text->failed ? ct_fail(error, CT_E_MEMORY, "out of memory") : status;
}

const struct ct_generator ct_c_generator = {
    .name = "c",
    .text = "a C99 header: an inline decision function per collective",
    .generate = generate_c,
};
