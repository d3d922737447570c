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
static unsigned untold(const struct ct_translation_rules *rules, const struct ct_theirs *theirs)
{
    unsigned assumed = rules->commutative ? CT_NEED_COMMUTATIVE : 0;
    return theirs->mapping ? theirs->mapping->needs & ~rules->library->tests & ~assumed : 0;
}

static const char *name_of(const struct ct_theirs *theirs)
{
    return theirs->mapping ? theirs->mapping->theirs : "its own choice";
}

/* The choice for one leaf; notes on it are appended to `notes`. */
static struct ct_translated choose(const struct ct_decision_tree *tree, const struct ct_tree_node *leaf,
                                   const struct ct_translation_rules *rules, struct ct_text *notes)
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

static int add(struct ct_translation *choices, const struct ct_translated *choice, size_t *ret_index)
{
    for (size_t i = 0; i < choices->count; i++) {
        if (same(&choices->items[i].method, &choice->method) &&
            same(&choices->items[i].fallback, &choice->fallback)) {
            *ret_index = i;
            return CT_OK;
        }
    }
    int status = ct_grow(&choices->items, &choices->capacity, choices->count + 1, sizeof *choices->items);
    if (status != CT_OK)
        return status;
    choices->items[choices->count] = *choice;
    *ret_index = choices->count++;
    return CT_OK;
}

int ct_translate(const struct ct_decision_tree *tree, const struct ct_translation_rules *rules,
                 struct ct_error *error, struct ct_text *notes, struct ct_translation *ret_translation)
{
    struct ct_translation choices = {.of_node = ct_allocate(tree->node_count, sizeof *choices.of_node)};
    size_t own;
    int status = choices.of_node ? add(&choices, &(struct ct_translated){{0}, {0}}, &own) : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < tree->node_count; i++) {
        if (tree->nodes[i].feature != CT_LEAF)
            continue;
        struct ct_translated choice = choose(tree, &tree->nodes[i], rules, notes);
        status = add(&choices, &choice, &choices.of_node[i]);
    }
    if (status != CT_OK) {
        ct_translation_free(&choices);
        return ct_fail(error, status, "out of memory");
    }
    *ret_translation = choices;
    return CT_OK;
}

void ct_translation_free(struct ct_translation *choices)
{
    free(choices->items);
    free(choices->of_node);
    *choices = (struct ct_translation){0};
}
