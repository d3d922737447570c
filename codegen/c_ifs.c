/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/c_features.h"
#include "codegen/c_internal.h"
#include "decision/tree/tree_walk.h"

#include <string.h>

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
int ct_c_ifs_write(const struct ct_decision_tree *tree, struct ct_text *text)
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

size_t ct_c_ifs_nesting(const struct ct_decision_tree *tree)
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
