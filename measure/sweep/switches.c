/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/switches.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "measure/sweep/host_names.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_SWITCHES = 4096 };

/* What a line says of a switch. */
struct line {
    size_t number;
    char *nodes, *below; /* lists of names, in the text of the file; NULL: none */
};

struct reading {
    const char *path;
    struct ct_error *error;
    struct ct_switches tree;
    struct line *lines; /* by switch */
    size_t switch_capacity, line_capacity, host_capacity;
};

static int fail_at(const struct reading *reading, size_t line, const char *format, ...)
    __attribute__((cold, format(printf, 3, 4)));

static int fail_at(const struct reading *reading, size_t line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int status = ct_fail_at(reading->error, reading->path, line, format, arguments);
    va_end(arguments);
    return status;
}

static int find_switch(const struct ct_switches *tree, const char *name)
{
    for (int i = 0; i < tree->count; i++)
        if (strcmp(tree->switches[i].name, name) == 0)
            return i;
    return CT_NO_SWITCH;
}

/* Where a line's words go: by key. */
struct words {
    char *name, *nodes, *below, *passed;
};

static char **place_of(struct words *words, const char *key)
{
    const struct {
        const char *key;
        char **place;
    } keys[] = {{"SwitchName", &words->name},
                {"Nodes", &words->nodes},
                {"Switches", &words->below},
                {"LinkSpeed", &words->passed},
                {"Level", &words->passed}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcasecmp(keys[i].key, key) == 0)
            return keys[i].place;
    return NULL;
}

static int read_line(struct reading *reading, char *line, size_t number)
{
    struct words words = {0};
    struct ct_switches *tree = &reading->tree;
    bool is_empty = true;
    line[strcspn(line, "#")] = '\0';
    for (char *word; (word = strsep(&line, " \t\r"));) {
        if (!*word)
            continue;
        char *value = strchr(word, '=');
        if (value)
            *value++ = '\0';
        char **place = value && *value ? place_of(&words, word) : NULL;
        if (!place)
            return fail_at(reading, number,
                           "'%s': expected SwitchName=NAME and Nodes=HOSTS or Switches=NAMES", word);
        *place = value;
        is_empty = false;
    }
    if (is_empty)
        return CT_OK;
    if (!words.name || (!words.nodes && !words.below))
        return fail_at(reading, number, "expected SwitchName=NAME and Nodes=HOSTS or Switches=NAMES");
    if (find_switch(tree, words.name) != CT_NO_SWITCH)
        return fail_at(reading, number, "has the switch %s twice", words.name);
    const size_t count = (size_t)tree->count;
    if (count == MOST_SWITCHES)
        return ct_fail(reading->error, CT_E_LIMIT, "%s: expected at most %d switches", reading->path,
                       MOST_SWITCHES);
    if (ct_grow(&tree->switches, &reading->switch_capacity, count + 1, sizeof *tree->switches) != CT_OK ||
        ct_grow(&reading->lines, &reading->line_capacity, count + 1, sizeof *reading->lines) != CT_OK)
        return CT_E_MEMORY;
    char *name = strdup(words.name);
    if (!name)
        return CT_E_MEMORY;
    tree->switches[count] = (struct ct_switch){.name = name, .above = CT_NO_SWITCH};
    reading->lines[count] =
        (struct line){.number = number, .nodes = words.below ? NULL : words.nodes, .below = words.below};
    tree->count++;
    return CT_OK;
}

/* Joins the switches named on a line to their switch. */
static int join_switches(struct reading *reading, int above, char **names, size_t count)
{
    const size_t number = reading->lines[above].number;
    for (size_t i = 0; i < count; i++) {
        const int below = find_switch(&reading->tree, names[i]);
        if (below == CT_NO_SWITCH)
            return fail_at(reading, number, "no line describes the switch %s", names[i]);
        struct ct_switch *it = &reading->tree.switches[below];
        if (it->above != CT_NO_SWITCH)
            return fail_at(reading, number, "the switch %s is below two switches, %s and %s", names[i],
                           reading->tree.switches[it->above].name, reading->tree.switches[above].name);
        it->above = above;
    }
    return CT_OK;
}

static int join_hosts(struct reading *reading, int leaf, char **names, size_t count)
{
    struct ct_switches *tree = &reading->tree;
    if (ct_grow(&tree->hosts, &reading->host_capacity, tree->host_count + count, sizeof *tree->hosts) !=
        CT_OK)
        return CT_E_MEMORY;
    for (size_t i = 0; i < count; i++) {
        tree->hosts[tree->host_count++] = (struct ct_switch_host){.name = names[i], .leaf = leaf};
        names[i] = NULL;
    }
    return CT_OK;
}

static int join(struct reading *reading, int at)
{
    const struct line *line = &reading->lines[at];
    char **names;
    size_t count;
    struct ct_error error = {""};
    int status = ct_host_names_split(line->below ? line->below : line->nodes, &error, &names, &count);
    if (status == CT_E_INPUT || status == CT_E_LIMIT)
        return fail_at(reading, line->number, "%s", error.text);
    if (status != CT_OK)
        return status;
    status = line->below ? join_switches(reading, at, names, count) : join_hosts(reading, at, names, count);
    ct_words_free(names, count);
    return status;
}

/* Levels follow from the ways up, which must end: a way with more switches than there are goes round. */
static int set_levels(struct reading *reading)
{
    struct ct_switches *tree = &reading->tree;
    for (int i = 0; i < tree->count; i++) {
        int level = 0;
        for (int at = i; at != CT_NO_SWITCH; at = tree->switches[at].above, level++) {
            if (level == tree->count)
                return fail_at(reading, reading->lines[i].number, "the switch %s is below itself",
                               tree->switches[at].name);
            if (!reading->lines[i].below && tree->switches[at].level < level)
                tree->switches[at].level = level;
        }
    }
    return CT_OK;
}

static int compare_hosts(const void *a, const void *b)
{
    return strcmp(((const struct ct_switch_host *)a)->name, ((const struct ct_switch_host *)b)->name);
}

static int sort_hosts(struct reading *reading)
{
    struct ct_switches *tree = &reading->tree;
    if (tree->host_count == 0)
        return ct_fail(
            reading->error, CT_E_INPUT,
            "%s: expected lines such as 'SwitchName=s1 Nodes=n[1-16]' (see scontrol show topology)",
            reading->path);
    qsort(tree->hosts, tree->host_count, sizeof *tree->hosts, compare_hosts);
    for (size_t i = 1; i < tree->host_count; i++)
        if (compare_hosts(&tree->hosts[i - 1], &tree->hosts[i]) == 0)
            return ct_fail(reading->error, CT_E_INPUT, "%s: has the host %s below two switches, %s and %s",
                           reading->path, tree->hosts[i].name, tree->switches[tree->hosts[i - 1].leaf].name,
                           tree->switches[tree->hosts[i].leaf].name);
    return CT_OK;
}

int ct_switches_parse(const char *text, size_t length, const char *name, struct ct_error *error,
                      struct ct_switches *ret_switches)
{
    struct reading reading = {.path = name, .error = error};
    size_t number = 0;
    if (strlen(text) != length)
        return ct_fail(error, CT_E_INPUT, "%s: has a zero byte: expected text", name);
    char *copy = strdup(text), *rest = copy;
    int status = copy ? CT_OK : CT_E_MEMORY;
    for (char *line; status == CT_OK && (line = strsep(&rest, "\n"));)
        status = read_line(&reading, line, ++number);
    for (int i = 0; status == CT_OK && i < reading.tree.count; i++)
        status = join(&reading, i);
    if (status == CT_OK)
        status = set_levels(&reading);
    if (status == CT_OK)
        status = sort_hosts(&reading);
    free(reading.lines);
    free(copy);
    if (status != CT_OK) {
        ct_switches_free(&reading.tree);
        return status;
    }
    *ret_switches = reading.tree;
    return CT_OK;
}

int ct_switches_read(const char *path, struct ct_error *error, struct ct_switches *ret_switches)
{
    char *text;
    size_t length;
    int status = ct_lines_read(path, error, &text, &length);
    if (status != CT_OK)
        return status;
    status = ct_switches_parse(text, length, path, error, ret_switches);
    free(text);
    return status;
}

void ct_switches_free(struct ct_switches *switches)
{
    for (int i = 0; i < switches->count; i++)
        free(switches->switches[i].name);
    for (size_t i = 0; i < switches->host_count; i++)
        free(switches->hosts[i].name);
    free(switches->switches);
    free(switches->hosts);
    *switches = (struct ct_switches){0};
}

int ct_switches_leaf(const struct ct_switches *switches, const char *host, size_t length)
{
    size_t first = 0, end = switches->host_count;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        const char *name = switches->hosts[middle].name;
        int order = strncmp(name, host, length);
        if (order == 0 && name[length] == '\0')
            return switches->hosts[middle].leaf;
        if (order < 0)
            first = middle + 1;
        else
            end = middle;
    }
    return CT_NO_SWITCH;
}
