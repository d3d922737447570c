/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/library_rules.h"

#include <stdint.h>

static bool says_nothing(const struct ct_rules *rules)
{
    for (size_t i = 0; i < rules->rule_count; i++)
        if (rules->rules[i].choice != CT_OWN_CHOICE)
            return false;
    return true;
}

int ct_library_rules_make(const struct ct_decision_tree *tree, const struct ct_translation_rules *rules,
                          size_t most, struct ct_error *error, struct ct_text *notes,
                          struct ct_library_rules *ret_rules)
{
    const struct ct_library_mapping *library = rules->library;
    struct ct_library_rules layout = {{0}, {0}, true};
    if (!library->collectives[tree->collective].known) {
        ct_note(notes, tree->collective, "files of %s have no rules for this collective", library->name);
        *ret_rules = layout;
        return CT_OK;
    }
    int status = ct_translate(tree, rules, error, notes, &layout.translation);
    if (status == CT_OK)
        status = ct_rules_make(tree, layout.translation.of_node, CT_OWN_CHOICE,
                               library->collectives[tree->collective].size, most, error, &layout.rules);
    if (status != CT_OK) {
        ct_library_rules_free(&layout);
        return status;
    }
    if (layout.rules.sizes_lost)
        ct_note(notes, tree->collective,
                "%s ignores the message size; it chooses itself where the decision depends on it",
                library->name);
    if (layout.rules.ends_lost)
        ct_note(
            notes, tree->collective,
            "%s treats all messages beyond %zu bytes alike; the choice for that size holds for larger ones",
            library->name, most);
    if (layout.rules.exact != SIZE_MAX && layout.rules.row_count > 1)
        ct_note(notes, tree->collective,
                "beyond %zu ranks thresholds are those of the next smaller communicator listed, up to an "
                "eighth too low",
                layout.rules.exact);
    layout.says_nothing = says_nothing(&layout.rules);
    *ret_rules = layout;
    return CT_OK;
}

void ct_library_rules_free(struct ct_library_rules *layout)
{
    ct_translation_free(&layout->translation);
    ct_rules_free(&layout->rules);
}
