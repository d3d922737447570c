/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "codegen/c_features.h"
#include "codegen/c_internal.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *ct_c_constant(const struct ct_method *method, char name[CT_C_CONSTANT_TEXT])
{
    char spelling[CT_METHOD_TEXT];
    snprintf(name, CT_C_CONSTANT_TEXT, "COLLTUNE_%s", ct_method_format(method, true, spelling));
    for (char *at = name; *at; at++)
        *at = isalnum((unsigned char)*at) ? (char)toupper((unsigned char)*at) : '_';
    return name;
}

char ct_c_letter(size_t place)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    assert(place < CT_C_LETTERS);
    return letters[place];
}

size_t ct_c_choices_place(const struct ct_c_choices *choices, struct ct_tree_choice choice)
{
    size_t place = 0;
    while (place < choices->count && (choices->choices[place].method != choice.method ||
                                      choices->choices[place].fallback != choice.fallback))
        place++;
    return place;
}

int ct_c_choices_find(const struct ct_decision_tree *tree, struct ct_c_choices *ret_choices)
{
    struct ct_c_choices found = {.tree = tree};
    size_t capacity = 0;
    for (size_t i = 0; i < tree->node_count; i++) {
        const struct ct_tree_node *node = &tree->nodes[i];
        struct ct_tree_choice choice = {node->method, node->fallback};
        if (node->feature != CT_LEAF || ct_c_choices_place(&found, choice) < found.count)
            continue;
        int status = ct_grow(&found.choices, &capacity, found.count + 1, sizeof choice);
        if (status != CT_OK) {
            free(found.choices);
            return status;
        }
        found.choices[found.count++] = choice;
    }
    *ret_choices = found;
    return CT_OK;
}

void ct_c_choices_write(const struct ct_c_choices *choices, bool with_letters, struct ct_text *text)
{
    const struct ct_method *methods = choices->tree->methods;
    char method[CT_C_CONSTANT_TEXT], fallback[CT_C_CONSTANT_TEXT];
    ct_text_append(text, "    static const struct colltune_choice choices[] = {\n");
    for (size_t i = 0; i < choices->count; i++) {
        ct_text_append(text, "        ");
        if (with_letters)
            ct_text_append(text, "['%c'] = ", ct_c_letter(i));
        ct_c_constant(&methods[choices->choices[i].method], method);
        ct_c_constant(&methods[choices->choices[i].fallback], fallback);
        bool fits = strlen("        ['A'] = {, },") + strlen(method) + strlen(fallback) <= CT_C_COLUMNS;
        ct_text_append(text, "{%s,%s%s},\n", method, fits ? " " : "\n                 ", fallback);
    }
    ct_text_append(text, "    };\n");
}
