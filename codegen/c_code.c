/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "codegen/c_features.h"
#include "codegen/c_internal.h"
#include "codegen/generator.h"
#include "codegen/provenance.h"
#include "decision/tree/tree_walk.h"

#include <limits.h>
#include <stdlib.h>
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

/* --- bodies as nested tests --- */

enum { INDENT = 4 };

static void write_leaf(const struct ct_decision_tree *tree, const struct ct_tree_node *node, size_t indent,
                       struct ct_text *text)
{
    char method[CT_C_CONSTANT_TEXT], fallback[CT_C_CONSTANT_TEXT];
    ct_c_constant(&tree->methods[node->method], method);
    if (node->fallback == node->method) {
        ct_text_append(text, "%*sreturn colltune_always(%s);\n", (int)indent, "", method);
        return;
    }
    static const char call[] = "return colltune_choose(";
    ct_c_constant(&tree->methods[node->fallback], fallback);
    ct_text_append(text, "%*s%s%s,", (int)indent, "", call, method);
    if (indent + strlen(call) + strlen(method) + strlen(fallback) + strlen(", );") > CT_C_COLUMNS)
        ct_text_append(text, "\n%*s%s);\n", (int)(indent + strlen(call)), "", fallback);
    else
        ct_text_append(text, " %s);\n", fallback);
}

static void write_test(const struct ct_decision_tree *tree, const struct ct_tree_node *node, bool braces,
                       size_t indent, struct ct_text *text)
{
    char name[CT_C_FEATURE_TEXT];
    size_t feature = (size_t)node->feature;
    ct_text_append(text, "%*sif (%s <= ", (int)indent, "", ct_c_feature_name(&tree->features, feature, name));
    ct_c_number_write(node->threshold, ct_feature_in_bytes(&tree->features, feature), text);
    ct_text_append(text, braces ? ") {\n" : ")\n");
}

/* The branch for small values stands inside its `if` and always returns; the other branch follows it. */
static int write_ifs(const struct ct_decision_tree *tree, struct ct_text *text)
{
    struct ct_tree_walk walk = {.tree = tree};
    const struct ct_tree_node *node = NULL;
    size_t depth = 0, nesting = 1;
    enum ct_walk_event event;
    while ((event = ct_tree_walk_next(&walk, &node, &depth)) != CT_WALK_END) {
        if (event == CT_WALK_FAILED)
            return CT_E_MEMORY;
        bool braces = event != CT_WALK_LEAF && tree->nodes[node->low].feature != CT_LEAF;
        if (event == CT_WALK_LEAF) {
            write_leaf(tree, node, INDENT * nesting, text);
        } else if (event == CT_WALK_SPLIT) {
            write_test(tree, node, braces, INDENT * nesting, text);
            nesting++;
        } else if (event == CT_WALK_HIGH) {
            nesting--;
            if (braces)
                ct_text_append(text, "%*s}\n", (int)(INDENT * nesting), "");
        }
    }
    return CT_OK;
}

/* The nesting depth of that body; SIZE_MAX if memory is short. */
static size_t nesting_of(const struct ct_decision_tree *tree)
{
    struct ct_tree_walk walk = {.tree = tree};
    const struct ct_tree_node *node = NULL;
    size_t depth = 0, nesting = 1, most = 1;
    enum ct_walk_event event;
    while ((event = ct_tree_walk_next(&walk, &node, &depth)) != CT_WALK_END) {
        if (event == CT_WALK_FAILED)
            return SIZE_MAX;
        nesting += event == CT_WALK_SPLIT;
        nesting -= event == CT_WALK_HIGH;
        most = nesting > most ? nesting : most;
    }
    return most;
}

/* --- bodies as a list of tests for a loop, for trees of any depth --- */

/* By node: the number of its test, from 0, or of its choice, from -1 downwards. */
static long *number_nodes(const struct ct_c_choices *choices)
{
    const struct ct_decision_tree *tree = choices->tree;
    long *numbers = ct_allocate(tree->node_count, sizeof *numbers), tests = 0;
    for (size_t i = 0; numbers && i < tree->node_count; i++) {
        const struct ct_tree_node *node = &tree->nodes[i];
        struct ct_tree_choice choice = {node->method, node->fallback};
        numbers[i] = node->feature == CT_LEAF ? -1 - (long)ct_c_choices_place(choices, choice) : tests++;
    }
    return numbers;
}

/* The values that are tested, by number of the feature; the others are 0. */
static void write_values(const struct ct_decision_tree *tree, struct ct_text *text)
{
    char name[CT_C_FEATURE_TEXT];
    size_t features = CT_FEATURES + tree->features.count;
    ct_text_append(text, "    const size_t values[] = {");
    for (size_t feature = 0; feature < features; feature++) {
        bool is_tested = false;
        for (size_t i = 0; i < tree->node_count; i++)
            is_tested = is_tested || tree->nodes[i].feature == (int16_t)feature;
        ct_text_append(text, "%s%s", feature > 0 ? ", " : "",
                       is_tested ? ct_c_feature_name(&tree->features, feature, name) : "0");
    }
    ct_text_append(text, "};\n");
}

static void write_tests(const struct ct_decision_tree *tree, const long *numbers, struct ct_text *text)
{
    ct_text_append(text, "    /* A value, by its place above; the next test if it is at most the bound, and\n"
                         "     * where it is more; below 0 a choice, from -1 on. */\n"
                         "    static const struct {\n"
                         "        unsigned char value;\n"
                         "        unsigned long long bound;\n"
                         "        int low, high;\n"
                         "    } tests[] = {\n");
    for (size_t i = 0; i < tree->node_count; i++) {
        const struct ct_tree_node *node = &tree->nodes[i];
        if (node->feature == CT_LEAF)
            continue;
        ct_text_append(text, "        {%d, ", node->feature);
        ct_c_number_write(node->threshold, ct_feature_in_bytes(&tree->features, (size_t)node->feature), text);
        ct_text_append(text, ", %ld, %ld},\n", numbers[node->low], numbers[node->high]);
    }
    ct_text_append(
        text, "    };\n"
              "    int at = 0;\n"
              "    while (at >= 0)\n"
              "        at = values[tests[at].value] <= tests[at].bound ? tests[at].low : tests[at].high;\n"
              "    return choices[-1 - at];\n");
}

static int write_list(const struct ct_decision_tree *tree, struct ct_text *text)
{
    struct ct_c_choices choices;
    int status = ct_c_choices_find(tree, &choices);
    if (status != CT_OK)
        return status;
    long *numbers = number_nodes(&choices);
    if (numbers) {
        ct_c_choices_write(&choices, false, text);
        write_values(tree, text);
        write_tests(tree, numbers, text);
    }
    free(numbers);
    free(choices.choices);
    return numbers ? CT_OK : CT_E_MEMORY;
}

/* --- functions --- */

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
    bool is_nested =
        tree->nodes[0].feature == CT_LEAF || (functions->form == NESTED && nesting_of(tree) <= NESTING_MAX);
    functions->has_map = functions->has_map || (!is_nested && index.cells);
    if (is_nested)
        status = write_ifs(tree, text);
    else if (index.cells)
        status = ct_c_map_write(&index, text);
    else
        status = write_list(tree, text);
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

/* One function for each collective that any language can call: it takes sizes and returns names. */

static void write_named_head(const struct ct_decision_tree *tree, struct ct_text *text)
{
    const char *name = ct_collectives[tree->collective].name;
    ct_text_append(text, "const char *colltune_method_of_%s(", name);
    for (int i = 0; i < CT_FEATURES; i++)
        if (ct_c_takes(tree, (enum ct_feature)i))
            ct_text_append(text, "%ssize_t %s", i ? ", " : "", ct_feature_descriptors[i]->name);
    ct_text_append(text, ",\n%*sconst char **fallback)",
                   (int)(sizeof "const char *colltune_method_of_(" - 1 + strlen(name)), "");
}

static void declare_named(const struct ct_decisions *decisions, struct ct_text *text)
{
    ct_text_append(
        text, "/* The same by names, as colltune spells them, in the file that `colltune generate --format "
              "c-source`\n * writes. `fallback` (may be NULL) gets what to use where the method does not "
              "apply to the call. */\n");
    for (size_t i = 0; i < decisions->tree_count; i++) {
        write_named_head(&decisions->trees[i], text);
        ct_text_append(text, ";\n");
    }
    ct_text_append(text, "\n");
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
        declare_named(decisions, text);
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

/* The inline functions, followed by those that return names. */
static void write_named(const struct ct_decision_tree *tree, struct ct_text *text)
{
    ct_text_append(text, "\n");
    write_named_head(tree, text);
    ct_text_append(text, "\n{\n    struct colltune_choice choice = colltune_decide_%s(",
                   ct_collectives[tree->collective].name);
    for (int i = 0; i < CT_FEATURES; i++)
        if (ct_c_takes(tree, (enum ct_feature)i))
            ct_text_append(text, "%s%s", i ? ", " : "", ct_feature_descriptors[i]->name);
    ct_text_append(text, ");\n"
                         "    if (fallback)\n"
                         "        *fallback = colltune_method_name(choice.fallback);\n"
                         "    return colltune_method_name(choice.method);\n"
                         "}\n");
}

static int generate_c_source(const struct ct_table *table, const struct ct_generator_options *options,
                             struct ct_error *error, struct ct_text *text, struct ct_text *notes)
{
    int status = ct_c_generator.generate(table, options, error, text, notes);
    for (size_t i = 0; i < table->decisions.tree_count; i++)
        write_named(&table->decisions.trees[i], text);
    return status == CT_OK && text->failed ? ct_fail(error, CT_E_MEMORY, "out of memory") : status;
}

const struct ct_generator ct_c_source_generator = {
    .name = "c-source",
    .text = "a C99 file of functions that give methods by name, to be linked; c is its header",
    .generate = generate_c_source,
};
