/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/generator.h"
#include "decision/table_parts.h"
#include "decision/tree_build.h"
#include "learners/learner.h"
#include "tests/trees/map_fixture.h"
#include "tests/trees/random_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* The lists of a table that holds this tree alone; the tree moves into it and is freed. */
static char *lists_of(struct ct_decision_tree *tree)
{
    struct ct_table table;
    struct ct_table_tree about = {.learner = strdup("hand"), .options = strdup("")};
    struct ct_text text = {0};
    random_table(&table);
    for (size_t i = 0; i < table.decisions.tree_count; i++) {
        free(table.trees[i].learner);
        free(table.trees[i].options);
        ct_tree_free(&table.decisions.trees[i]);
    }
    table.decisions.tree_count = 0;
    assert_int_equal(ct_table_append(&table, tree, &about), CT_OK);
    assert_int_equal(ct_run_lengths_generator.generate(&table, NULL, NULL, &text, NULL), CT_OK);
    ct_table_free(&table);
    char *lists = strdup(strchr(strstr(text.data, "# by communicator size"), '\n') + 1);
    ct_text_free(&text);
    return lists;
}

/* The end of a line's range: "up to 8K", "beyond", "any". */
static size_t end_in(const char *words)
{
    char number[40];
    size_t end = SIZE_MAX;
    if (sscanf(words, "up to %39s", number) == 1)
        assert_int_equal(ct_size_parse(number, &end), CT_OK);
    else
        assert_true(strncmp(words, "beyond", 6) == 0 || strncmp(words, "any", 3) == 0);
    return end;
}

/* What the lists say, read line by line: the first list, and the first line in it, that reach so far. */
static void look_up(const char *lists, size_t comm_size, size_t msg_bytes, char method[100])
{
    bool in_row = false;
    const char *next = lists;
    for (const char *line = strchr(lists, '\n') + 1; *line; line = next) {
        next = strchr(line, '\n') + 1;
        if (strncmp(line, "  comm_size ", 12) == 0) {
            assert_false(in_row);
            in_row = comm_size <= end_in(line + 12);
        } else if (in_row && msg_bytes <= end_in(line + 4)) {
            snprintf(method, 100, "%.*s", (int)strcspn(line + 19, "\n"), line + 19);
            return;
        }
    }
    fail_msg("nothing for %zu ranks and %zu bytes in\n%s", comm_size, msg_bytes, lists);
}

static const char *const methods[] = {"native", "linear", "binomial:seg=8K", "chain:seg=1K,radix=4"};

static void random_tree(unsigned *seed, struct ct_decision_tree *ret_tree)
{
    struct ct_tree_builder builder;
    struct ct_method method;
    ct_tree_builder_begin(&builder, CT_BCAST);
    while (!builder.whole) {
        enum ct_feature feature = fixture_random(seed, 2) ? CT_COMM_SIZE : CT_MSG_BYTES;
        if (builder.open_count < 6 && fixture_random(seed, 5) &&
            ct_tree_builder_split(&builder, feature, fixture_random(seed, 20) * 1000, NULL) == CT_OK)
            continue;
        assert_int_equal(ct_method_parse(methods[fixture_random(seed, 4)], CT_BCAST, NULL, &method), CT_OK);
        assert_int_equal(ct_tree_builder_leaf(&builder, &method, NULL, NULL), CT_OK);
    }
    assert_int_equal(ct_tree_builder_finish(&builder, NULL, ret_tree), CT_OK);
    ct_tree_builder_free(&builder);
}

/* At the thresholds of such a tree, and just beyond. */
static size_t random_size(unsigned *seed)
{
    size_t size = fixture_random(seed, 20) * 1000;
    return size + fixture_random(seed, 2);
}

/* Lists say what the tree says, whatever the tree looks like. */
static void test_lists(void **state)
{
    (void)state;
    unsigned seed = 4;
    for (int i = 0; i < 100; i++) {
        struct ct_decision_tree tree, moving;
        unsigned again = seed;
        random_tree(&seed, &tree);
        random_tree(&again, &moving);
        char *lists = lists_of(&moving);
        for (size_t k = 0; k < 400; k++) {
            size_t comm_size = random_size(&seed), msg_bytes = random_size(&seed);
            const struct ct_features features = {{comm_size, msg_bytes}};
            char listed[100], spelling[CT_METHOD_TEXT];
            look_up(lists, comm_size, msg_bytes, listed);
            const struct ct_tree_node *leaf = ct_tree_decide(&tree, &features);
            assert_string_equal(listed, ct_method_format(&tree.methods[leaf->method], false, spelling));
        }
        free(lists);
        ct_tree_free(&tree);
    }
}

/* Random best methods, with gaps where nothing was measured. */
static void random_map(unsigned *seed, struct ct_map *map)
{
    fixture_map(CT_BCAST, "2,3,4,6,8,9,16", "1,8,64,100,1K,5000,8K,64K",
                "native,linear,binomial:seg=8K,chain:seg=1K,radix=4", map);
    fixture_set(map, 0, 0, 1);
    for (size_t c = 1; c < map->cell_count; c++)
        if (fixture_random(seed, 8))
            fixture_set(map, c, fixture_random(seed, fixture_random(seed, 2) ? 2 : 4), 1);
}

/* As many leaves as there are runs in rows that differ from the next. */
static size_t count_runs(const struct ct_map *map, const struct ct_decision_tree *tree)
{
    enum { COLUMNS = 8 };
    uint16_t best[64];
    size_t runs = 0, rows = map->cell_count / COLUMNS;
    for (size_t c = 0; c < map->cell_count; c++) {
        struct ct_features features = ct_cell_features(&map->cells[c]);
        best[c] = ct_tree_decide(tree, &features)->method;
    }
    for (size_t row = 0; row < rows; row++) {
        const uint16_t *at = best + row * COLUMNS;
        if (row + 1 < rows && memcmp(at, at + COLUMNS, COLUMNS * sizeof *at) == 0)
            continue;
        for (size_t column = 0; column < COLUMNS; column++)
            runs += column == 0 || at[column] != at[column - 1];
    }
    return runs;
}

/* The learner is exact, as the quadtree is, so that both give the same lists; it has a leaf for each run. */
static void test_learner(void **state)
{
    (void)state;
    unsigned seed = 8;
    for (int i = 0; i < 200; i++) {
        struct ct_map map;
        struct ct_decision_tree runs, quadtree;
        random_map(&seed, &map);
        assert_int_equal(ct_learner_find("run_lengths")->learn(&map, &ct_learn_standard, NULL, NULL, &runs),
                         CT_OK);
        assert_int_equal(ct_learner_find("quadtree")->learn(&map, &ct_learn_standard, NULL, NULL, &quadtree),
                         CT_OK);
        for (size_t c = 0; c < map.cell_count; c++)
            if (map.cells[c].best != SIZE_MAX)
                assert_int_equal(ct_score_choice(&runs, &map, &map.cells[c]), map.cells[c].best);
        assert_int_equal(ct_tree_leaf_count(&runs), count_runs(&map, &runs));
        char *lists = lists_of(&runs), *same = lists_of(&quadtree);
        assert_string_equal(lists, same);
        free(lists);
        free(same);
        ct_map_free(&map);
    }
}

/* What lists cannot hold, and options that the learner does not take. */
static void test_refusals(void **state)
{
    (void)state;
    struct ct_table table;
    struct ct_map map;
    struct ct_decision_tree tree;
    struct ct_text text = {0};
    struct ct_error error = {""};
    unsigned seed = 1;
    random_table(&table);
    assert_int_equal(ct_run_lengths_generator.generate(&table, NULL, &error, &text, NULL), CT_E_LIMIT);
    assert_non_null(strstr(error.text, "the tree of barrier tests "));
    ct_text_free(&text);
    ct_table_free(&table);
    random_map(&seed, &map);
    for (int i = 0; i < 2; i++) {
        struct ct_learn_options options = {.max_depth = i ? SIZE_MAX : 3, .threshold = i ? 99 : 100};
        assert_int_equal(ct_learner_find("run_lengths")->learn(&map, &options, NULL, &error, &tree),
                         CT_E_INPUT);
        assert_non_null(strstr(error.text, "run_lengths is exact"));
    }
    ct_map_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_learner),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
