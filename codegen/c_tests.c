/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "codegen/c_features.h"
#include "codegen/c_internal.h"

#include <stdlib.h>

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

int ct_c_tests_write(const struct ct_decision_tree *tree, struct ct_text *text)
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
