/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/translation.h"
#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ct_note(struct ct_text *notes, enum ct_collective collective, const char *format, ...)
{
    char line[1024];
    size_t length = (size_t)snprintf(line, sizeof line, "%s: ", ct_collectives[collective].name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + length, sizeof line - length - 1, format, arguments);
    va_end(arguments);
    strcat(line, "\n");
    if (!notes->data || !strstr(notes->data, line))
        ct_text_append(notes, "%s", line);
}

static const struct {
    enum ct_need need;
    const char *text;
} needs[] = {
    {CT_NEED_COMMUTATIVE, "operations that commute"},
    {CT_NEED_BUILT_IN, "predefined operations"},
    {CT_NEED_ELEMENTS, "at least as many elements as ranks"},
    {CT_NEED_POWER_OF_TWO, "numbers of ranks that are powers of two"},
    {CT_NEED_HIERARCHY, "nodes with several ranks"},
    {CT_NEED_SEND_BUFFER, "calls that are not in place"},
    {CT_NEED_EQUAL_BLOCKS, "blocks of equal length"},
};

static const char *first_need(unsigned set)
{
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++)
        if (set & needs[i].need)
            return needs[i].text;
    return "";
}

/* The needs that the library's files cannot express as conditions. */
static unsigned untold(const struct ct_translation *rules, const struct ct_theirs *theirs)
{
    unsigned assumed = rules->commutative ? CT_NEED_COMMUTATIVE : 0;
    return theirs->mapping ? theirs->mapping->needs & ~rules->library->tests & ~assumed : 0;
}

bool ct_translation_has(const struct ct_translation *translation, const struct ct_method *method)
{
    struct ct_theirs theirs;
    return ct_is_native(method->algorithm) ||
           (translation->library->collectives[method->algorithm->collective].known &&
            ct_mapping_find(translation->library, translation->release, method, &theirs) &&
            untold(translation, &theirs) == 0);
}

static const char *name_of(const struct ct_theirs *theirs)
{
    return theirs->mapping ? theirs->mapping->theirs : "its own choice";
}

/* The choice for one leaf; notes on it are appended to `notes`. */
static struct ct_translated choose(const struct ct_decision_tree *tree, const struct ct_tree_node *leaf,
                                   const struct ct_translation *rules, struct ct_text *notes)
{
    const struct ct_method *method = &tree->methods[leaf->method];
    const struct ct_method *fallback = &tree->methods[leaf->fallback];
    const char *library = rules->library->name;
    struct ct_translated choice = {{0}, {0}};
    char spelling[CT_METHOD_TEXT];
    ct_method_format(method, false, spelling);
    if (!ct_is_native(fallback->algorithm) &&
        !(ct_mapping_find(rules->library, rules->release, fallback, &choice.fallback) &&
          choice.fallback.mapping->needs == 0))
        choice.fallback = (struct ct_theirs){0};
    if (ct_is_native(method->algorithm)) {
        choice.fallback = choice.method;
        return choice;
    }
    if (!ct_mapping_find(rules->library, rules->release, method, &choice.method)) {
        choice.method = choice.fallback;
        ct_note(notes, tree->collective, "%s has no algorithm like %s; replaced by %s", library, spelling,
                name_of(&choice.method));
        return choice;
    }
    unsigned missing = untold(rules, &choice.method);
    if (missing) {
        ct_note(notes, tree->collective,
                "%s's %s is correct only for %s, which its files cannot test; replaced by %s", library,
                choice.method.mapping->theirs, first_need(missing), name_of(&choice.fallback));
        choice.method = choice.fallback;
    } else if (choice.method.mapping->remark) {
        ct_note(notes, tree->collective, "%s is %s's %s, which %s", spelling, library,
                choice.method.mapping->theirs, choice.method.mapping->remark);
    }
    if (!choice.method.mapping || (choice.method.mapping->needs & rules->library->tests) == 0)
        choice.fallback = choice.method;
    return choice;
}

static bool same(const struct ct_theirs *a, const struct ct_theirs *b)
{
    if (!a->mapping || !b->mapping)
        return a->mapping == b->mapping;
    return strcmp(a->mapping->theirs, b->mapping->theirs) == 0 && a->mapping->needs == b->mapping->needs &&
           a->segment == b->segment && a->fanout == b->fanout && a->requests == b->requests;
}

static int add(struct ct_library_rules *rules, const struct ct_translated *choice, size_t *ret_index)
{
    size_t i = 0;
    while (i < rules->choice_count && !(same(&rules->choices[i].method, &choice->method) &&
                                        same(&rules->choices[i].fallback, &choice->fallback)))
        i++;
    *ret_index = i;
    if (i < rules->choice_count)
        return CT_OK;
    int status = ct_grow(&rules->choices, &rules->capacity, i + 1, sizeof *rules->choices);
    if (status == CT_OK)
        rules->choices[rules->choice_count++] = *choice;
    return status;
}

/* Translates the leaves; `of_node` gets by node of the tree the place of its choice. */
static int translate_leaves(const struct ct_decision_tree *tree, const struct ct_translation *translation,
                            struct ct_text *notes, struct ct_library_rules *rules, size_t *of_node)
{
    int status = add(rules, &(struct ct_translated){{0}, {0}}, &of_node[0]);
    for (size_t i = 0; status == CT_OK && i < tree->node_count; i++) {
        if (tree->nodes[i].feature != CT_LEAF)
            continue;
        struct ct_translated choice = choose(tree, &tree->nodes[i], translation, notes);
        status = add(rules, &choice, &of_node[i]);
    }
    return status;
}

static bool says_nothing(const struct ct_rules *rules)
{
    for (size_t i = 0; i < rules->rule_count; i++)
        if (rules->rules[i].choice != CT_OWN_CHOICE)
            return false;
    return true;
}

/* Notes on what the rules of a tree leave out. */
static void note_losses(enum ct_collective collective, const struct ct_rules *rules,
                        const struct ct_translation *translation, struct ct_text *notes)
{
    const char *library = translation->library->name;
    if (rules->sizes_lost)
        ct_note(notes, collective,
                "%s ignores the message size; it chooses itself where the decision depends on it", library);
    if (rules->ends_lost)
        ct_note(
            notes, collective,
            "%s treats all messages beyond %zu bytes alike; the choice for that size holds for larger ones",
            library, translation->most);
    if (rules->exact != SIZE_MAX && rules->row_count > 1)
        ct_note(notes, collective,
                "beyond %zu ranks thresholds are those of the next smaller communicator listed, up to an "
                "eighth too low",
                rules->exact);
}

int ct_library_rules_make(const struct ct_decision_tree *tree, const struct ct_translation *translation,
                          struct ct_error *error, struct ct_text *notes, struct ct_library_rules *ret_rules)
{
    const struct ct_library_mapping *library = translation->library;
    struct ct_library_rules rules = {.says_nothing = true};
    if (!library->collectives[tree->collective].known) {
        ct_note(notes, tree->collective, "files of %s have no rules for this collective", library->name);
        *ret_rules = rules;
        return CT_OK;
    }
    size_t *of_node = ct_allocate(tree->node_count, sizeof *of_node);
    int status = of_node ? translate_leaves(tree, translation, notes, &rules, of_node) : CT_E_MEMORY;
    if (status == CT_OK)
        status = ct_rules_make(tree, of_node, CT_OWN_CHOICE, library->collectives[tree->collective].size,
                               translation->most, error, &rules.rules);
    else
        ct_fail(error, status, "out of memory");
    free(of_node);
    if (status != CT_OK) {
        ct_library_rules_free(&rules);
        return status;
    }
    note_losses(tree->collective, &rules.rules, translation, notes);
    rules.says_nothing = says_nothing(&rules.rules);
    *ret_rules = rules;
    return CT_OK;
}

void ct_library_rules_free(struct ct_library_rules *rules)
{
    free(rules->choices);
    ct_rules_free(&rules->rules);
}

int ct_translate(const struct ct_table *table, const struct ct_translation *translation,
                 ct_rules_writer *write, struct ct_error *error, struct ct_text *lines, struct ct_text *notes,
                 size_t *ret_count)
{
    size_t count = 0;
    for (size_t i = 0; i < table->decisions.tree_count; i++) {
        const struct ct_decision_tree *tree = &table->decisions.trees[i];
        struct ct_library_rules rules;
        int status = ct_library_rules_make(tree, translation, error, notes, &rules);
        if (status != CT_OK)
            return status;
        if (!rules.says_nothing)
            write(tree->collective, &rules, lines, notes);
        count += !rules.says_nothing;
        ct_library_rules_free(&rules);
    }
    *ret_count = count;
    return CT_OK;
}
