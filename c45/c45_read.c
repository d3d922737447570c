/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "c45/c45_program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Reads trees as c45_print.c and C4.5 Release 8 print them. */

enum { SUBTREES_MAX = 99, NESTED_MAX = 1000 };

enum relation { AT_MOST, MORE, IS, IN };

/* --- parts of a line ---
 *
 * Each function takes what it expects at *place, moves *place behind it and returns true, or moves nothing.
 * Names may contain any character, so the longest name that fits is taken. */

static bool take_text(const char **place, const char *text)
{
    size_t length = strlen(text);
    if (strncmp(*place, text, length) != 0)
        return false;
    *place += length;
    return true;
}

/* The level of a line: how often it begins with "|   ". */
static size_t take_level(const char **place)
{
    size_t level = 0;
    while (take_text(place, "|   "))
        level++;
    return level;
}

/* An attribute and its relation to the values. */
static bool take_test(const char **place, const struct ct_c45_names *names, size_t *ret_attribute,
                      size_t *ret_relation)
{
    static const char *const relations[] = {[AT_MOST] = " <= ", [MORE] = " > ", [IS] = " = ", [IN] = " in {"};
    const char *longest = NULL;
    for (size_t a = 0; a < names->attribute_count; a++) {
        for (size_t o = AT_MOST; o <= IN; o++) {
            const char *here = *place;
            bool ordered = names->attributes[a].kind == CT_C45_CONTINUOUS;
            if (ordered != (o <= MORE) || !take_text(&here, names->attributes[a].name) ||
                !take_text(&here, relations[o]) || (longest && here <= longest))
                continue;
            longest = here;
            *ret_attribute = a;
            *ret_relation = o;
        }
    }
    if (longest)
        *place = longest;
    return longest;
}

/* One of the words, and the character of `ends` that ends it. */
static bool take_word(const char **place, const struct ct_c45_words *words, const char *ends,
                      size_t *ret_number, char *ret_end)
{
    const char *longest = NULL;
    for (size_t w = 0; w < words->count; w++) {
        const char *here = *place;
        if (!take_text(&here, words->words[w]) || !*here || !strchr(ends, *here) ||
            (longest && here <= longest))
            continue;
        longest = here;
        *ret_number = w;
        *ret_end = *here;
    }
    if (longest)
        *place = longest + 1;
    return longest;
}

static bool take_number(const char **place, float *ret_number)
{
    char *end;
    if (!**place || !strchr("-0123456789", **place))
        return false;
    float number = strtof(*place, &end);
    if (end == *place || !isfinite(number))
        return false;
    *place = end;
    *ret_number = number;
    return true;
}

/* --- nodes --- */

struct subtree {
    size_t line; /* its first line; 0: there is none */
    bool used;
};

struct reader {
    const char *file;
    const struct ct_c45_names *names;
    struct ct_c45_pool *pool;
    struct ct_error *error;
    char **lines;
    size_t line_count;
    struct subtree subtrees[SUBTREES_MAX];
    float *nothing; /* by class */
};

static int fail_at(const struct reader *reader, size_t line, const char *expected)
{
    return ct_fail(reader->error, CT_E_INPUT, "%s:%zu: '%.200s': expected %s", reader->file, line + 1,
                   line < reader->line_count ? reader->lines[line] : "", expected);
}

static int out_of_memory(const struct reader *reader)
{
    return ct_fail(reader->error, CT_E_MEMORY, "%s: out of memory", reader->file);
}

static int read_node(struct reader *reader, size_t *line, size_t level, size_t nested,
                     struct ct_c45_node **ret_node);

/* " CLASS (ITEMS)" or " CLASS (ITEMS/ERRORS)" at the end of the line. */
static int read_leaf(struct reader *reader, const char *place, size_t line, struct ct_c45_node **ret_node)
{
    size_t class = 0;
    char end;
    float items = 0, errors = 0;
    bool is_leaf = take_text(&place, " ") && take_word(&place, &reader->names->classes, " ", &class, &end) &&
                   take_text(&place, "(") && take_number(&place, &items) &&
                   (!take_text(&place, "/") || take_number(&place, &errors)) && take_text(&place, ")");
    if (!is_leaf || *place)
        return fail_at(reader, line, "a class with its cases in parentheses");
    *ret_node = ct_c45_leaf_make(reader->pool, (uint16_t) class, items, errors, reader->nothing,
                                 reader->names->classes.count);
    return *ret_node ? CT_OK : out_of_memory(reader);
}

/* Reads the text after a test: a class, the name of a broken-off subtree, or nothing, if the subtree is on
 * the next lines. */
static int read_outcome(struct reader *reader, const char *place, size_t *line, size_t level, size_t nested,
                        struct ct_c45_node **ret_node)
{
    size_t here = (*line)++;
    if (!*place)
        return read_node(reader, line, level + 1, nested + 1, ret_node);
    if (!take_text(&place, "[S"))
        return read_leaf(reader, place, here, ret_node);
    char *end;
    size_t number = strtoul(place, &end, 10);
    if (strcmp(end, "]") != 0 || number < 1 || number > SUBTREES_MAX)
        return fail_at(reader, here, "the number of a subtree");
    struct subtree *subtree = &reader->subtrees[number - 1];
    if (subtree->line == 0 || subtree->used)
        return fail_at(reader, here, "a subtree that is printed once and belongs here alone");
    subtree->used = true;
    size_t first = subtree->line;
    return read_node(reader, &first, 0, nested + 1, ret_node);
}

/* A value, or several in braces, which may continue on the next lines. */
static int read_values(struct reader *reader, const char **place, size_t *line, size_t level, bool in_braces,
                       const struct ct_c45_words *values, struct ct_c45_node *node)
{
    size_t value;
    char end = ',';
    while (end == ',') {
        if (in_braces && !**place && *line + 1 < reader->line_count) {
            *place = reader->lines[++*line];
            if (take_level(place) != level)
                return fail_at(reader, *line, "more values of the line above");
            *place += strspn(*place, " ");
        }
        if (!take_word(place, values, in_braces ? ",}" : ":", &value, &end))
            return fail_at(reader, *line, in_braces ? "a value" : "a value with a colon");
        if (node->branch_of[value + 1])
            return fail_at(reader, *line, "each value once");
        node->branch_of[value + 1] = (uint16_t)(node->branch_count + 1);
    }
    return !in_braces || take_text(place, ":") ? CT_OK : fail_at(reader, *line, "a colon");
}

static int read_cut(struct reader *reader, const char **place, size_t line, bool above,
                    struct ct_c45_node *node)
{
    float cut;
    if (!take_number(place, &cut) || !take_text(place, " "))
        return fail_at(reader, line, "a number");
    if (take_text(place, "[")) {
        if (!take_number(place, &node->lower) || !take_text(place, ",") ||
            !take_number(place, &node->upper) || !take_text(place, "]"))
            return fail_at(reader, line, "two bounds in brackets");
        node->softened = true;
    }
    if (!take_text(place, ":"))
        return fail_at(reader, line, "a colon");
    if (node->branches[above] || (node->branches[!above] && (cut < node->cut || cut > node->cut)))
        return fail_at(reader, line, "the other branch of the test above");
    node->cut = cut;
    return CT_OK;
}

/* Makes the node a test of this attribute. */
static int begin_node(struct reader *reader, struct ct_c45_node *node, size_t attribute)
{
    const struct ct_c45_attribute *description = &reader->names->attributes[attribute];
    const size_t values = description->values.count;
    bool ordered = description->kind == CT_C45_CONTINUOUS;
    node->attribute = (uint16_t)attribute;
    node->test = ordered ? CT_C45_THRESHOLD : CT_C45_SUBSETS;
    node->value_count = (uint16_t)values;
    node->branches = ct_c45_take(reader->pool, ordered ? 2 : values, sizeof *node->branches);
    node->branch_of = ct_c45_take(reader->pool, values + 1, sizeof *node->branch_of);
    return node->branches && node->branch_of ? CT_OK : out_of_memory(reader);
}

static int read_branch(struct reader *reader, size_t *line, size_t level, size_t nested,
                       struct ct_c45_node *node)
{
    const char *place = reader->lines[*line] + strlen("|   ") * level;
    size_t attribute, relation = AT_MOST, branch;
    if (!take_test(&place, reader->names, &attribute, &relation))
        return fail_at(reader, *line, "a test of an attribute");
    int status = node->test == CT_C45_LEAF ? begin_node(reader, node, attribute) : CT_OK;
    if (status != CT_OK)
        return status;
    if (attribute != node->attribute)
        return fail_at(reader, *line, "a test of the attribute above");
    const struct ct_c45_words *values = &reader->names->attributes[attribute].values;
    branch = node->test == CT_C45_THRESHOLD ? relation == MORE : node->branch_count;
    status = relation >= IS ? read_values(reader, &place, line, level, relation == IN, values, node)
                            : read_cut(reader, &place, *line, relation == MORE, node);
    if (status == CT_OK)
        status = read_outcome(reader, place, line, level, nested, &node->branches[branch]);
    node->branch_count++;
    return status;
}

/* Turns a test with a branch for each value into that kind of test, with branches in the order of the values.
 */
static int settle_values(struct reader *reader, struct ct_c45_node *node)
{
    if (node->test != CT_C45_SUBSETS || node->branch_count < node->value_count)
        return CT_OK;
    struct ct_c45_node **branches =
        ct_c45_take(reader->pool, node->value_count, sizeof(struct ct_c45_node *));
    if (!branches)
        return out_of_memory(reader);
    for (size_t v = 1; v <= node->value_count; v++)
        branches[v - 1] = node->branches[node->branch_of[v] - 1];
    node->branches = branches;
    node->test = CT_C45_VALUES;
    return CT_OK;
}

/* Reads the node whose branches begin at *line, after `level` bars; *line becomes the line behind it. */
static int read_node(struct reader *reader, size_t *line, size_t level, size_t nested,
                     struct ct_c45_node **ret_node)
{
    struct ct_c45_node *node =
        ct_c45_leaf_make(reader->pool, 0, 0, 0, reader->nothing, reader->names->classes.count);
    if (!node)
        return out_of_memory(reader);
    if (nested > NESTED_MAX)
        return fail_at(reader, *line, "tests that are not nested that deep");
    while (*line < reader->line_count) {
        const char *place = reader->lines[*line];
        if (!*place || take_level(&place) != level)
            break;
        int status = read_branch(reader, line, level, nested, node);
        if (status != CT_OK)
            return status;
    }
    if (node->branch_count < (node->test == CT_C45_THRESHOLD ? 2 : 1))
        return fail_at(reader, *line, "another branch of a test above");
    *ret_node = node;
    return settle_values(reader, node);
}

/* --- the report --- */

static int split_lines(struct reader *reader, const char *text, size_t length, char **ret_copy)
{
    size_t capacity = 0;
    char *copy = strndup(text, length), *line = copy;
    if (!copy)
        return CT_E_MEMORY;
    *ret_copy = copy;
    while (*line) {
        if (ct_grow(&reader->lines, &capacity, reader->line_count + 1, sizeof *reader->lines) != CT_OK)
            return CT_E_MEMORY;
        reader->lines[reader->line_count++] = line;
        line += strcspn(line, "\n");
        if (*line)
            *line++ = '\0';
    }
    return CT_OK;
}

/* Whether the line is a whole number between these texts. */
static bool is_numbered(const char *line, const char *before, const char *behind, size_t *ret_number)
{
    char *end;
    if (!take_text(&line, before) || *line < '0' || *line > '9')
        return false;
    *ret_number = strtoul(line, &end, 10);
    return strcmp(end, behind) == 0;
}

/* The line of the heading of the last tree, or of the last one of trial `best` if that is not SIZE_MAX; notes
 * where its subtrees are. */
static size_t find_tree(struct reader *reader, size_t best)
{
    size_t heading = SIZE_MAX, trial = SIZE_MAX, number;
    bool softened = false;
    for (size_t i = 0; i < reader->line_count; i++) {
        const char *line = reader->lines[i];
        is_numbered(line, "Trial ", "", &trial);
        softened |= strcmp(line, "Softening thresholds") == 0;
        if (best != SIZE_MAX && trial != best && !softened)
            continue;
        if (strcmp(line, "Decision Tree:") == 0 || strcmp(line, "Simplified Decision Tree:") == 0) {
            heading = i;
            memset(reader->subtrees, 0, sizeof reader->subtrees);
        } else if (heading != SIZE_MAX && is_numbered(line, "Subtree [S", "]", &number) && number >= 1 &&
                   number <= SUBTREES_MAX) {
            reader->subtrees[number - 1].line = i + 2; /* after an empty line */
        }
    }
    return heading;
}

static int read_report(struct reader *reader, struct ct_c45_node **ret_root)
{
    size_t best = SIZE_MAX;
    bool saved = false;
    for (size_t i = 0; i < reader->line_count; i++)
        saved |= strcmp(reader->lines[i], "Tree saved") == 0 ||
                 is_numbered(reader->lines[i], "Best tree from trial ", " saved", &best);
    size_t line = find_tree(reader, best);
    if (!saved || line == SIZE_MAX)
        return ct_fail(reader->error, CT_E_INPUT,
                       "%s: expected a report of C4.5, with a decision tree and 'Tree saved'", reader->file);
    line++;
    if (line < reader->line_count && *reader->lines[line])
        return read_leaf(reader, reader->lines[line], line, ret_root);
    line++;
    return read_node(reader, &line, 0, 0, ret_root);
}

int ct_c45_report_read(const char *text, size_t length, const char *file, const struct ct_c45_names *names,
                       struct ct_c45_pool *pool, struct ct_error *error, struct ct_c45_node **ret_root)
{
    struct reader reader = {.file = file, .names = names, .pool = pool, .error = error};
    char *copy = NULL;
    reader.nothing = ct_allocate(names->classes.count, sizeof *reader.nothing);
    int status = reader.nothing && split_lines(&reader, text, length, &copy) == CT_OK
                     ? read_report(&reader, ret_root)
                     : out_of_memory(&reader);
    free(reader.nothing);
    free(reader.lines);
    free(copy);
    return status;
}
