/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/generator.h"

#include <string.h>

/* The inline functions, and behind them one for each collective that any language can call: it takes sizes
 * and gives names. */

static void write_heading(const struct ct_decision_tree *tree, struct ct_text *text)
{
    const struct ct_collective_description *collective = &ct_collectives[tree->collective];
    ct_text_append(text, "const char *colltune_method_of_%s(size_t comm_size%s,\n%*sconst char **otherwise)",
                   collective->name, collective->has_size ? ", size_t msg_bytes" : "",
                   (int)(sizeof "const char *colltune_method_of_(" - 1 + strlen(collective->name)), "");
}

static void write_function(const struct ct_decision_tree *tree, struct ct_text *text)
{
    const struct ct_collective_description *collective = &ct_collectives[tree->collective];
    ct_text_append(text, "\n");
    write_heading(tree, text);
    ct_text_append(text,
                   "\n{\n"
                   "    struct colltune_choice choice = colltune_decide_%s(comm_size%s);\n"
                   "    if (otherwise)\n"
                   "        *otherwise = colltune_method_name(choice.otherwise);\n"
                   "    return colltune_method_name(choice.method);\n"
                   "}\n",
                   collective->name, collective->has_size ? ", msg_bytes" : "");
}

static int generate_c_source(const struct ct_table *table, const struct ct_generator_options *options,
                             struct ct_error *error, struct ct_text *text, struct ct_text *notes)
{
    int status = ct_c_generator.generate(table, options, error, text, notes);
    ct_text_append(text, "\n/* The same by names, as colltune spells them. `otherwise` (may be NULL) gets "
                         "what to use where the\n * method does not apply to the call. */\n");
    for (size_t i = 0; i < table->decisions.tree_count; i++) {
        write_heading(&table->decisions.trees[i], text);
        ct_text_append(text, ";\n");
    }
    for (size_t i = 0; i < table->decisions.tree_count; i++)
        write_function(&table->decisions.trees[i], text);
    return status == CT_OK && text->failed ? ct_fail(error, CT_E_MEMORY, "out of memory") : status;
}

const struct ct_generator ct_c_source_generator = {
    .name = "c-source",
    .text = "a C99 file of functions that give methods by name, to be linked",
    .generate = generate_c_source,
};
