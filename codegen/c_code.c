/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/c_features.h"
#include "codegen/c_internal.h"
#include "codegen/generator.h"

#include <limits.h>
#include <string.h>

/* C99 promises 127 nested blocks. */
enum { NESTING_MAX = 120 };

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
        const char *name = ct_feature_descriptors[i]->name;
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

/* The form of the functions' bodies. */
enum form {
    NESTED, /* nested tests, as people write them */
    AT_ONCE /* a look-up in a map: every call takes the same time */
};

struct functions {
    enum form form;
    struct ct_text text;
    bool has_map; /* of at least one function */
};

/* A tree without tests needs no map. A tree that is too deep for compilers cannot become nested tests. The
 * map of a tree with very many thresholds would be too large: it becomes a list of tests. */
static int write_body(const struct ct_decision_tree *tree, struct functions *functions)
{
    struct ct_text *text = &functions->text;
    struct ct_tree_index index;
    int status = ct_tree_index_make(tree, &index);
    if (status != CT_OK)
        return status;
    bool is_nested = tree->nodes[0].feature == CT_LEAF ||
                     (functions->form == NESTED && ct_c_ifs_nesting(tree) <= NESTING_MAX);
    functions->has_map = functions->has_map || (!is_nested && index.cells);
    if (is_nested)
        status = ct_c_ifs_write(tree, text);
    else if (index.cells)
        status = ct_c_map_write(&index, text);
    else
        status = ct_c_tests_write(tree, text);
    ct_tree_index_free(&index);
    return status;
}

static int write_function(const struct ct_decision_tree *tree, struct ct_error *error,
                          struct functions *functions)
{
    struct ct_text *text = &functions->text;
    const struct ct_collective_description *collective = &ct_collectives[tree->collective];
    ct_text_append(text, "\n/* %s: %s. */\n", collective->name, collective->text);
    write_head(tree, text);
    ct_c_features_write(tree, text);
    int status = write_body(tree, functions);
    ct_text_append(text, "}\n");
    return status == CT_OK ? CT_OK : ct_fail(error, status, "out of memory");
}

static void write_methods(const struct ct_decisions *decisions, struct ct_text *text)
{
    char name[CT_C_CONSTANT_TEXT], spelling[CT_METHOD_TEXT];
    ct_text_append(text, "/* Every method that some decision chooses. */\nenum colltune_method {\n");
    for (size_t t = 0; t < decisions->tree_count; t++)
        for (size_t m = 0; m < decisions->trees[t].method_count; m++)
            ct_text_append(text, "    %s,\n", ct_c_constant(&decisions->trees[t].methods[m], name));
    ct_text_append(text, "    COLLTUNE_METHODS\n};\n\n"
                         "/* Their spellings, as colltune writes and reads them, in the order above. */\n"
                         "static const char *const colltune_method_names[COLLTUNE_METHODS] = {\n");
    for (size_t t = 0; t < decisions->tree_count; t++) {
        for (size_t m = 0; m < decisions->trees[t].method_count; m++) {
            const struct ct_method *method = &decisions->trees[t].methods[m];
            ct_text_append(text, "    \"%s\",\n", ct_method_format(method, true, spelling));
        }
    }
    ct_text_append(text, "};\n\n");
}

static const char helpers[] =
    "/* The method to call, and the fallback for calls to which it does not apply: for their operation or\n"
    " * communicator size. */\n"
    "struct colltune_choice {\n"
    "    unsigned short method; /* enum colltune_method */\n"
    "    unsigned short fallback;\n"
    "};\n"
    "\n"
    "enum { COLLTUNE_KIB = 1024, COLLTUNE_MIB = 1024 * COLLTUNE_KIB, COLLTUNE_GIB = 1024 * COLLTUNE_MIB };\n"
    "\n"
    "/* NULL if the number is no method's. */\n"
    "static inline const char *colltune_method_name(unsigned method)\n"
    "{\n"
    "    return method < COLLTUNE_METHODS ? colltune_method_names[method] : NULL;\n"
    "}\n"
    "\n"
    "static inline struct colltune_choice colltune_choose(enum colltune_method method,\n"
    "                                                     enum colltune_method fallback)\n"
    "{\n"
    "    struct colltune_choice choice = {(unsigned short)method, (unsigned short)fallback};\n"
    "    return choice;\n"
    "}\n"
    "\n"
    "static inline struct colltune_choice colltune_always(enum colltune_method method)\n"
    "{\n"
    "    return colltune_choose(method, method);\n"
    "}\n";

static int generate(const struct ct_table *table, enum form form, struct ct_error *error,
                    struct ct_text *text)
{
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
    ct_text_append(text, " */\n#ifndef COLLTUNE_DECISIONS_H\n#define COLLTUNE_DECISIONS_H\n\n"
                         "#include <stddef.h>\n\n");
    if (form == NESTED)
        ct_text_append(text, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
    write_methods(decisions, text);
    ct_text_append(text, "%s", helpers);
    ct_c_operators_write(decisions, text);
    struct functions functions = {.form = form};
    int status = CT_OK;
    for (size_t t = 0; status == CT_OK && t < decisions->tree_count; t++)
        status = write_function(&decisions->trees[t], error, &functions);
    ct_text_append(text, "%s%s\n", functions.has_map ? ct_c_map_helpers : "",
                   functions.text.data ? functions.text.data : "");
    if (form == NESTED) {
        ct_c_named_declare(decisions, text);
        ct_text_append(text, "#ifdef __cplusplus\n}\n#endif\n\n");
    }
    ct_text_append(text, "#endif\n");
    bool failed = functions.text.failed || text->failed;
    ct_text_free(&functions.text);
    return status == CT_OK && failed ? ct_fail(error, CT_E_MEMORY, "out of memory") : status;
}

static int generate_c(const struct ct_table *table, const struct ct_generator_options *options,
                      struct ct_error *error, struct ct_text *text, struct ct_text *notes)
{
    (void)options, (void)notes; /* the format holds the whole table */
    return generate(table, NESTED, error, text);
}

static int generate_map(const struct ct_table *table, const struct ct_generator_options *options,
                        struct ct_error *error, struct ct_text *text, struct ct_text *notes)
{
    (void)options, (void)notes;
    return generate(table, AT_ONCE, error, text);
}

const struct ct_generator ct_c_generator = {
    .name = "c",
    .text = "a header for C99 and C++: an inline decision function per collective",
    .generate = generate_c,
};

const struct ct_generator ct_c_map_generator = {
    .name = "c-map",
    .text = "the same with maps instead of tests: every decision takes the same time",
    .generate = generate_map,
};
