/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/number.h"
#include "codegen/rules.h"
#include "tests/codegen/tuning_tables.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* The table for people, looked up as people do. */

enum { TABLES = 12, RANKS = 40, LINE = 400 };

/* "up to SIZE", or "more" and "all", which have no end; moves on behind. */
static size_t read_most(const char **at)
{
    char word[40];
    int taken = 0;
    size_t most = SIZE_MAX;
    if (sscanf(*at, "up to %39s%n", word, &taken) == 1)
        assert_int_equal(ct_size_parse(word, &most), CT_OK);
    else if (strncmp(*at, "more ", 5) == 0 || strncmp(*at, "all ", 4) == 0)
        taken = (int)strcspn(*at, " ");
    else
        fail_msg("'%s'", *at);
    *at += taken;
    *at += strspn(*at, " ");
    return most;
}

/* "N", "N to M" or "N and more"; nothing where it is as in the line above. */
static void read_ranks(const char **at, size_t *least, size_t *most)
{
    size_t first, last;
    int taken = 0, more = 0;
    if (sscanf(*at, "%zu%n", &first, &taken) == 1 && (*at)[0] != ' ') {
        *least = *most = first;
        if (sscanf(*at, "%*u to %zu%n", &last, &more) == 1 && more > 0) {
            *most = last;
            taken = more;
        } else if (strncmp(*at + taken, " and more", 9) == 0) {
            *most = SIZE_MAX;
            taken += 9;
        }
        *at += taken;
    }
    *at += strspn(*at, " ");
}

/* What the table says of a call; the lines of a collective go from its name to an empty one. */
static bool look_up(const char *text, enum ct_collective collective, size_t comm_size, size_t msg_bytes,
                    char said[LINE])
{
    char name[64];
    snprintf(name, sizeof name, "\n\n%s\nranks ", ct_collectives[collective].name);
    const char *line = strstr(text, name);
    size_t least = 0, most = 0;
    for (line = line ? strchr(line + strlen(name), '\n') + 1 : ""; *line && *line != '\n';
         line = strchr(line, '\n') + 1) {
        const char *at = line;
        if (*line == '#')
            continue;
        read_ranks(&at, &least, &most);
        size_t bytes = ct_collectives[collective].has_size ? read_most(&at) : SIZE_MAX;
        if (comm_size < least || comm_size > most || msg_bytes > bytes)
            continue;
        snprintf(said, LINE, "%.*s", (int)strcspn(at, "\n"), at);
        return true;
    }
    return false;
}

static void check(const char *text, const struct ct_decision_tree *tree, size_t comm_size, size_t msg_bytes)
{
    const struct ct_tree_node *leaf = leaf_at(tree, comm_size, msg_bytes);
    char said[LINE], expected[LINE], method[CT_METHOD_TEXT], fallback[CT_METHOD_TEXT];
    ct_method_format(&tree->methods[leaf->method], false, method);
    ct_method_format(&tree->methods[leaf->fallback], false, fallback);
    snprintf(expected, sizeof expected, "%s%s%s", method, leaf->method == leaf->fallback ? "" : ", fallback ",
             leaf->method == leaf->fallback ? "" : fallback);
    assert_true(look_up(text, tree->collective, comm_size, msg_bytes, said));
    assert_string_equal(said, expected);
}

static void check_tree(const char *text, const struct ct_decision_tree *tree, size_t most)
{
    size_t size_count, *sizes = sizes_of(tree, &size_count);
    for (size_t ranks = 1; ranks <= most; ranks++)
        for (size_t i = 0; i < size_count; i++)
            check(text, tree, ranks, ct_collectives[tree->collective].has_size ? sizes[i] : 0);
    free(sizes);
}

/* All collectives, random trees, both sides of every threshold. */
static void test_as_trees(void **state)
{
    (void)state;
    unsigned seed = 7;
    for (int t = 0; t < TABLES; t++) {
        struct ct_table table = random_table(RANKS, &seed);
        struct ct_text text = generated("text", &table, &(struct ct_generator_options){0}, NULL);
        for (size_t i = 0; i < table.decisions.tree_count; i++)
            check_tree(text.data, &table.decisions.trees[i], RANKS + 2);
        assert_null(strstr(text.data, "low for the others"));
        ct_text_free(&text);
        ct_table_free(&table);
    }
}

/* Where a test takes both sizes together lines are exact up to CT_RULES_EXACT ranks, and it is said. */
static void test_composites(void **state)
{
    (void)state;
    struct ct_table table = table_of("colltune-table 2\ncollective bcast\ntotal_bytes <= 100000\n"
                                     "  even <= 0\n    linear\n    binomial\n  binary\n");
    struct ct_text text = generated("text", &table, &(struct ct_generator_options){0}, NULL);
    const struct ct_decision_tree *tree = &table.decisions.trees[0];
    for (size_t ranks = 1; ranks <= CT_RULES_EXACT; ranks++)
        for (size_t i = 0; i < 3; i++)
            check(text.data, tree, ranks, 100000 / ranks + i - 1);
    assert_non_null(strstr(text.data, "# beyond 128 ranks"));
    ct_text_free(&text);
    ct_table_free(&table);
}

/* Columns stay columns where sizes are long. */
static void test_aligned(void **state)
{
    (void)state;
    struct ct_table table = table_of("colltune-table 2\ncollective bcast\ncomm_size <= 1234567\n"
                                     "  comm_size <= 1234560\n    binary\n    linear\n"
                                     "  msg_bytes <= 1234567890123456\n    binomial\n    linear\n");
    struct ct_text text = generated("text", &table, &(struct ct_generator_options){0}, NULL);
    const char *line = strstr(text.data, "\nranks ") + 1;
    size_t bytes = (size_t)(strstr(line, "bytes") - line), method = (size_t)(strstr(line, "method") - line);
    size_t lines = 0;
    for (line = strchr(line, '\n') + 1; *line; line = strchr(line, '\n') + 1, lines++) {
        assert_true(strcspn(line, "\n") > method);
        assert_true(line[bytes - 1] == ' ' && line[bytes] != ' ');
        assert_true(line[method - 1] == ' ' && line[method] != ' ');
    }
    assert_int_equal(lines, 4);
    ct_text_free(&text);
    ct_table_free(&table);
}

/* The look-up sees a line that is wrong, and one that is missing. */
static void test_wrong_lines(void **state)
{
    (void)state;
    static const char text[] = "# about\n\nbcast\nranks           bytes         method\n"
                               "1 to 4          up to 1K      linear\n"
                               "                more          chain\n"
                               "5               all           binomial\n\nscan\nranks \n";
    char said[LINE] = "";
    assert_true(look_up(text, CT_COLLECTIVE_BCAST, 4, 1024, said));
    assert_string_equal(said, "linear");
    assert_true(look_up(text, CT_COLLECTIVE_BCAST, 1, 1025, said));
    assert_string_equal(said, "chain");
    assert_true(look_up(text, CT_COLLECTIVE_BCAST, 5, 0, said));
    assert_string_equal(said, "binomial");
    assert_false(look_up(text, CT_COLLECTIVE_BCAST, 6, 0, said));
    assert_false(look_up(text, CT_COLLECTIVE_REDUCE, 5, 0, said));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_trees),
        cmocka_unit_test(test_composites),
        cmocka_unit_test(test_aligned),
        cmocka_unit_test(test_wrong_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
