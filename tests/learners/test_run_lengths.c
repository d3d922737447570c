/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/generator.h"
#include "decision/table.h"
#include "tests/codegen/random_table.h"
#include "tests/learners/learner_fixture.h"
#include "tests/learners/map_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* The text, without its heading, of a table of this tree alone, which moves into it and is freed. */
static char *text_of(struct ct_decision_tree *tree)
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
    assert_int_equal(ct_plain_generator.generate(&table, NULL, NULL, &text, NULL), CT_OK);
    ct_table_free(&table);
    char *choices = strdup(strstr(text.data, "\n\nbcast"));
    ct_text_free(&text);
    return choices;
}

/* Random best methods, with gaps where nothing was measured. */
static void random_map(unsigned *seed, struct ct_map *map)
{
    fixture_map(CT_COLLECTIVE_BCAST, "2,3,4,6,8,9,16", "1,8,64,100,1K,5000,8K,64K",
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
        struct ct_features features = ct_key_features(&map->cells[c].key);
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

/* The learner is exact, as the quadtree is, so that both give the same text; it has a leaf for each run. */
static void test_learner(void **state)
{
    (void)state;
    unsigned seed = 8;
    for (int i = 0; i < 200; i++) {
        struct ct_map map;
        random_map(&seed, &map);
        struct ct_decision_tree runs = fixture_learn("run_lengths", "", &map, NULL);
        struct ct_decision_tree quadtree = fixture_learn("quadtree", "", &map, NULL);
        for (size_t c = 0; c < map.cell_count; c++)
            if (map.cells[c].best != SIZE_MAX)
                assert_int_equal(ct_score_choice(&runs, &map, &map.cells[c]), map.cells[c].best);
        assert_int_equal(ct_tree_leaf_count(&runs), count_runs(&map, &runs));
        char *text = text_of(&runs), *same = text_of(&quadtree);
        assert_string_equal(text, same);
        free(text);
        free(same);
        ct_map_free(&map);
    }
}

/* Options that the learner does not take. */
static void test_refusals(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"max-depth=3", "--max-depth: "},
        {"threshold=99",
         "--threshold: not an option of the learner run_lengths; expected the learner quadtree"}};
    for (int i = 0; i < 2; i++) {
        struct ct_error error = {""};
        assert_int_equal(fixture_settings_fail("run_lengths", wrong[i][0], &error), CT_E_INPUT);
        assert_non_null(strstr(error.text, wrong[i][1]));
    }
}

/* With a bound of the slowdown lists are no longer, and no choice is worse than the bound says. */
static void test_bound(void **state)
{
    enum { TRIALS = 50 };
    unsigned seed = 5;
    size_t exact_nodes = 0, bounded_nodes = 0;
    (void)state;
    for (int i = 0; i < TRIALS; i++) {
        struct ct_map map;
        fixture_map(CT_COLLECTIVE_BCAST, "2,3,4,6,8,9,16", "1,8,64,100,1K,5000,8K,64K",
                    "native,linear,binomial:seg=8K,chain:seg=1K,radix=4", &map);
        for (size_t c = 0; c < map.cell_count; c++)
            for (size_t m = 0; m < map.method_count; m++)
                fixture_set(&map, c, m, 100 + fixture_random(&seed, 25));
        map.predicted = map.exact = true; /* rules for calls between the cells would add tests */
        struct ct_decision_tree exact = fixture_learn("run_lengths", "", &map, NULL);
        struct ct_decision_tree tree = fixture_learn("run_lengths", "max-slowdown=20", &map, NULL);
        double worst = 0;
        for (size_t c = 0; c < map.cell_count; c++) {
            struct ct_features features = ct_key_features(&map.cells[c].key);
            const struct ct_tree_node *leaf = ct_tree_decide(&tree, &features);
            size_t m = ct_map_find_method(&map, &tree.methods[leaf->method]);
            double slowdown = ct_cell_penalty(&map.cells[c], m);
            worst = slowdown > worst ? slowdown : worst;
        }
        assert_true(worst <= 0.2000001 && worst > 0);
        exact_nodes += exact.node_count;
        bounded_nodes += tree.node_count;
        ct_tree_free(&exact);
        ct_tree_free(&tree);
        ct_map_free(&map);
    }
    assert_true(bounded_nodes < exact_nodes / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bound),
        cmocka_unit_test(test_learner),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
