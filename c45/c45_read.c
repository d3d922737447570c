/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "c45/c45_line.h"
#include "learners/c45/c45.h"

#include <stdlib.h>
#include <string.h>

/* Reads back what c45_print.c prints, and C4.5 Release 8. */

enum { SUBTREES_MAX = 99, NESTED_MAX = 1000 };

struct subtree {
    size_t line; /* the first of it; 0: there is none */
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

/* --- one node --- */

static int read_node(struct reader *reader, size_t *line, size_t level, size_t nested,
                     struct ct_c45_node **ret_node);

static int read_leaf(struct reader *reader, const char *place, size_t line, struct ct_c45_node **ret_node)
{
    uint16_t class;
    float items, errors;
    if (!ct_c45_take_leaf(&place, reader->names, &class, &items, &errors))
        return fail_at(reader, line, "a class with its cases in parentheses");
    *ret_node =
        ct_c45_leaf_make(reader->pool, class, items, errors, reader->nothing, reader->names->classes.count);
    return *ret_node ? CT_OK : out_of_memory(reader);
}

/* What stands behind a test: a class, a broken-off subtree, or nothing where the subtree is below. */
static int read_outcome(struct reader *reader, const char *place, size_t *line, size_t level, size_t nested,
                        struct ct_c45_node **ret_node)
{
    size_t here = (*line)++;
    if (!*place)
        return read_node(reader, line, level + 1, nested + 1, ret_node);
    if (!ct_c45_take_text(&place, "[S"))
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

/* The values in braces, which may go on on the next lines. */
static int read_set(struct reader *reader, const char **place, size_t *line, size_t level,
                    const struct ct_c45_words *values, struct ct_c45_node *node)
{
    size_t value;
    char end = ',';
    while (end == ',') {
        if (!**place && *line + 1 < reader->line_count) {
            *place = reader->lines[++*line];
            if (ct_c45_take_level(place) != level)
                return fail_at(reader, *line, "more values of the line above");
            *place += strspn(*place, " ");
        }
        if (!ct_c45_take_word(place, values, ",}", &value, &end))
            return fail_at(reader, *line, "a value");
        if (node->branch_of[value + 1])
            return fail_at(reader, *line, "each value once");
        node->branch_of[value + 1] = (uint16_t)(node->branch_count + 1);
    }
    return ct_c45_take_text(place, ":") ? CT_OK : fail_at(reader, *line, "a colon");
}

static int read_value(struct reader *reader, const char **place, size_t line,
                      const struct ct_c45_words *values, struct ct_c45_node *node)
{
    size_t value;
    char end;
    if (!ct_c45_take_word(place, values, ":", &value, &end))
        return fail_at(reader, line, "a value with a colon");
    if (node->branch_of[value + 1])
        return fail_at(reader, line, "each value once");
    node->branch_of[value + 1] = (uint16_t)(node->branch_count + 1);
    return CT_OK;
}

static int read_cut(struct reader *reader, const char **place, size_t line, bool above,
                    struct ct_c45_node *node)
{
    float cut;
    if (!ct_c45_take_number(place, &cut) || !ct_c45_take_text(place, " "))
        return fail_at(reader, line, "a number");
    if (ct_c45_take_text(place, "[")) {
        if (!ct_c45_take_number(place, &node->lower) || !ct_c45_take_text(place, ",") ||
            !ct_c45_take_number(place, &node->upper) || !ct_c45_take_text(place, "]"))
            return fail_at(reader, line, "two bounds in brackets");
        node->softened = true;
    }
    if (!ct_c45_take_text(place, ":"))
        return fail_at(reader, line, "a colon");
    if (node->branches[above] || (node->branches[!above] && (cut < node->cut || cut > node->cut)))
        return fail_at(reader, line, "the other branch of the test above");
    node->cut = cut;
    return CT_OK;
}

/* The test of the first line makes the node one of this attribute. */
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
    enum { AT_MOST, MORE, IS, IN };
    const char *place = reader->lines[*line] + strlen("|   ") * level;
    size_t attribute, operator, first = * line, branch;
    if (!ct_c45_take_test(&place, reader->names, &attribute, &operator))
        return fail_at(reader, *line, "a test of an attribute");
    int status = node->test == CT_C45_LEAF ? begin_node(reader, node, attribute) : CT_OK;
    if (status != CT_OK)
        return status;
    if (attribute != node->attribute)
        return fail_at(reader, *line, "a test of the attribute above");
    const struct ct_c45_words *values = &reader->names->attributes[attribute].values;
    branch = node->test == CT_C45_THRESHOLD ? operator== MORE : node->branch_count;
    if (operator== IN)
        status = read_set(reader, &place, line, level, values, node);
    else if (operator== IS)
        status = read_value(reader, &place, first, values, node);
    else
        status = read_cut(reader, &place, first, operator== MORE, node);
    if (status == CT_OK)
        status = read_outcome(reader, place, line, level, nested, &node->branches[branch]);
    node->branch_count++;
    return status;
}

/* A branch for each value is the plain test of a discrete attribute, whose branches have the values' order.
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

/* The node whose branches begin at *line, each behind `level` bars; *line is then behind it. */
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
        if (!*place || ct_c45_take_level(&place) != level)
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

/* A line of these words around a whole number. */
static bool is_numbered(const char *line, const char *before, const char *behind, size_t *ret_number)
{
    char *end;
    if (!ct_c45_take_text(&line, before) || *line < '0' || *line > '9')
        return false;
    *ret_number = strtoul(line, &end, 10);
    return strcmp(end, behind) == 0;
}

/* The heading of the last tree, of trial `best` where that is not SIZE_MAX; notes its subtrees. */
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
            reader->subtrees[number - 1].line = i + 2; /* behind an empty line */
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
