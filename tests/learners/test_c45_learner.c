/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/score.h"
#include "tests/learners/learner_fixture.h"
#include "tests/learners/map_fixture.h"

#include <stdio.h>
#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const char methods[] = "native,linear,binomial:,split_binary:seg=8K";

static struct ct_decision_tree learn(const struct ct_map *map, size_t min_cases, double confidence)
{
    char words[100];
    snprintf(words, sizeof words, "min-cases=%zu confidence=%g", min_cases, confidence);
    return fixture_learn("c45", words, map, NULL);
}

/* Cells where the tree chooses what is not best. */
static size_t count_wrong(const struct ct_decision_tree *tree, const struct ct_map *map)
{
    size_t wrong = 0;
    for (size_t c = 0; c < map->cell_count; c++) {
        struct ct_features features = ct_key_features(&map->cells[c].key);
        const struct ct_tree_node *leaf = ct_tree_decide(tree, &features);
        wrong += ct_map_find_method(map, &tree->methods[leaf->method]) != map->cells[c].best;
    }
    return wrong;
}

static void set_best(struct ct_map *map, size_t cell, size_t best)
{
    for (size_t m = 0; m < map->method_count; m++)
        fixture_set(map, cell, m, m == best ? 1 : 2);
}

/* Sizes beyond what single precision tells apart are cut where they stand. */
static void test_exact_sizes(void **state)
{
    struct ct_map map;
    (void)state;
    fixture_map(CT_COLLECTIVE_BCAST, "2-17", "16777220,16777230,33554434", methods, &map);
    for (size_t c = 0; c < map.cell_count; c++)
        set_best(&map, c, map.cells[c].key.msg_bytes > 16777230);
    struct ct_decision_tree tree = learn(&map, 2, 25);
    assert_int_equal(count_wrong(&tree, &map), 0);
    assert_int_equal(tree.node_count, 3);
    assert_int_equal(tree.nodes[0].feature, CT_FEATURE_MSG_BYTES);
    assert_int_equal(tree.nodes[0].threshold, 16777230);
    ct_tree_free(&tree);
    ct_map_free(&map);
}

/* Regions are found again; with a larger minimum or less confidence trees are no larger. */
static void test_regions(void **state)
{
    unsigned seed = 9;
    enum { TRIALS = 30 };
    (void)state;
    for (int trial = 0; trial < TRIALS; trial++) {
        struct ct_map map;
        size_t most = 2 + fixture_random(&seed, 14), bytes = (size_t)1 << fixture_random(&seed, 20);
        bool noisy = trial % 2;
        fixture_map(CT_COLLECTIVE_BCAST, "2-17", "1-1M*2", methods, &map);
        for (size_t c = 0; c < map.cell_count; c++) {
            const struct ct_cell *cell = &map.cells[c];
            size_t best = (size_t)(cell->key.comm_size <= most) + 2 * (cell->key.msg_bytes <= bytes);
            set_best(&map, c, noisy && fixture_random(&seed, 8) == 0 ? fixture_random(&seed, 4) : best);
        }
        struct ct_decision_tree whole = learn(&map, 2, 25), small = learn(&map, 40, 25);
        struct ct_decision_tree pruned = learn(&map, 2, 0.001);
        if (!noisy)
            assert_int_equal(count_wrong(&whole, &map), 0);
        assert_true(small.node_count <= whole.node_count && pruned.node_count <= whole.node_count);
        assert_true(count_wrong(&whole, &map) <= count_wrong(&small, &map));
        ct_tree_free(&whole);
        ct_tree_free(&small);
        ct_tree_free(&pruned);
        ct_map_free(&map);
    }
}

/* A method that is best in few cells, but much faster there, is chosen if cells count by what is lost. The
 * rest, where it does not matter, does not hide it. */
static void test_by_loss(void **state)
{
    struct ct_map map;
    (void)state;
    fixture_map(CT_COLLECTIVE_BCAST, "8", "1-512K*2", methods, &map);
    for (size_t c = 0; c < map.cell_count; c++)
        for (size_t m = 0; m < map.method_count; m++)
            fixture_set(&map, c, m, m == 0 ? 1 : m == 1 ? (c < 3 ? 0.01 : 1.001) : 2);
    struct ct_decision_tree even = fixture_learn("c45", "min-cases=8", &map, NULL);
    struct ct_decision_tree lost = fixture_learn("c45", "min-cases=8 by-loss", &map, NULL);
    struct ct_score by_number, by_loss;
    struct ct_error error = {""};
    assert_int_equal(ct_score_tree(&even, &map, &error, &by_number), CT_OK);
    assert_int_equal(ct_score_tree(&lost, &map, &error, &by_loss), CT_OK);
    assert_true(by_number.tree.mean > 1);
    assert_true(by_loss.tree.mean < 0.01);
    ct_tree_free(&even);
    ct_tree_free(&lost);
    ct_map_free(&map);
}

/* Where one method is best throughout, or nothing tells cells apart, there is nothing to test. */
static void test_one_leaf(void **state)
{
    struct ct_map map;
    (void)state;
    fixture_map(CT_COLLECTIVE_BARRIER, "8", "0", "native", &map);
    set_best(&map, 0, 0);
    struct ct_decision_tree tree = learn(&map, 2, 25);
    assert_int_equal(tree.node_count, 1);
    ct_tree_free(&tree);
    ct_map_free(&map);

    struct ct_error error = {""};
    fixture_map(CT_COLLECTIVE_BCAST, "2,4", "1,2", methods, &map);
    assert_int_equal(fixture_learn_fail("c45", "", &map, NULL, &error), CT_E_INPUT);
    assert_string_equal(error.text, "no allowed method of bcast was measured in any cell");
    ct_map_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_sizes),
        cmocka_unit_test(test_regions),
        cmocka_unit_test(test_by_loss),
        cmocka_unit_test(test_one_leaf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
