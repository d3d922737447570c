/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/tree/tree_depth.h"
#include "decision/tree/tree_index.h"
#include "tests/fuzz/target.h"

#include <stdlib.h>
#include <string.h>

/* The input is a compact decision table. What is taken must survive writing and reading, and decide, by its
 * index too; what is not must be explained in one line. */

static void need(bool good)
{
    if (!good)
        abort();
}

/* At and beside every threshold, against those of the node before. */
static void check_index(const struct ct_decision_tree *tree)
{
    struct ct_tree_index index;
    need(ct_tree_index_make(tree, &index) == CT_OK);
    for (size_t i = 0; i < tree->node_count; i++) {
        size_t here = tree->nodes[i].threshold, before = tree->nodes[i / 2].threshold;
        for (size_t beside = 0; beside < 4; beside++) {
            struct ct_features features = {{here + beside % 2, before + beside / 2, here, before}};
            const struct ct_tree_node *leaf = ct_tree_decide(tree, &features);
            struct ct_tree_choice choice = ct_tree_index_decide(&index, &features);
            need(choice.method == leaf->method && choice.fallback == leaf->fallback);
        }
    }
    ct_tree_index_free(&index);
}

static void check(const struct ct_decisions *decisions)
{
    struct ct_text first = {0}, second = {0};
    struct ct_decisions again;
    ct_decisions_write_text(decisions, &first);
    need(ct_decisions_read_text(first.data, "again", NULL, &again) == CT_OK);
    ct_decisions_write_text(&again, &second);
    need(strcmp(first.data, second.data) == 0);
    for (size_t i = 0; i < decisions->tree_count; i++) {
        const struct ct_decision_tree *tree = &decisions->trees[i];
        const struct ct_tree_node *leaf = ct_tree_decide(tree, &(struct ct_features){{5, 1000}});
        need(leaf->method < tree->method_count);
        need(tree->methods[leaf->fallback].algorithm->descriptor->constraints == 0);
        need(ct_tree_depth(tree) < tree->node_count);
        check_index(tree);
    }
    ct_decisions_free(&again);
    ct_text_free(&first);
    ct_text_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    need(text);
    memcpy(text, data, size);
    text[size] = '\0';
    struct ct_decisions decisions;
    struct ct_error error = {""};
    if (ct_decisions_read_text(text, "input", &error, &decisions) == CT_OK) {
        check(&decisions);
        ct_decisions_free(&decisions);
    } else {
        need(error.text[0] && !strchr(error.text, '\n'));
    }
    free(text);
    return 0;
}
