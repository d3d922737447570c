/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/c_features.h"
#include "codegen/c_internal.h"
#include "codegen/generator.h"

#include <string.h>

/* The inline functions, followed by one function for each collective that any language can call: it takes
 * sizes and returns names. */

static void write_heading(const struct ct_decision_tree *tree, struct ct_text *text)
{
    const char *name = ct_collectives[tree->collective].name;
    ct_text_append(text, "const char *colltune_method_of_%s(", name);
    for (int i = 0; i < CT_FEATURES; i++)
        if (ct_c_takes(tree, (enum ct_feature)i))
            ct_text_append(text, "%ssize_t %s", i ? ", " : "", ct_feature_descriptors[i]->name);
    ct_text_append(text, ",\n%*sconst char **fallback)",
                   (int)(sizeof "const char *colltune_method_of_(" - 1 + strlen(name)), "");
}

void ct_c_named_declare(const struct ct_decisions *decisions, struct ct_text *text)
{
    ct_text_append(
        text, "/* The same by names, as colltune spells them, in the file that `colltune generate --format "
              "c-source`\n * writes. `fallback` (may be NULL) gets what to use where the method does not "
              "apply to the call. */\n");
    for (size_t i = 0; i < decisions->tree_count; i++) {
        write_heading(&decisions->trees[i], text);
        ct_text_append(text, ";\n");
    }
    ct_text_append(text, "\n");
}

static void write_function(const struct ct_decision_tree *tree, struct ct_text *text)
{
    ct_text_append(text, "\n");
    write_heading(tree, text);
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
        write_function(&table->decisions.trees[i], text);
    return status == CT_OK && text->failed ? ct_fail(error, CT_E_MEMORY, "out of memory") : status;
}

const struct ct_generator ct_c_source_generator = {
    .name = "c-source",
    .text = "a C99 file of functions that give methods by name, to be linked; c is its header",
    .generate = generate_c_source,
};
