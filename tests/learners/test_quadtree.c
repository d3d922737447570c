/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/tree/tree_build.h"
#include "learners/permitted.h"
#include "tests/learners/learner_fixture.h"
#include "tests/learners/map_fixture.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Makes method methods[cell] the best of each cell: time 1 against 2. '.' leaves the cell out. */
static void paint(struct ct_map *map, const char *methods)
{
    assert_int_equal(strlen(methods), map->cell_count);
    for (size_t c = 0; c < map->cell_count; c++)
        for (size_t m = 0; methods[c] != '.' && m < map->method_count; m++)
            fixture_set(map, c, m, m == (size_t)(methods[c] - '0') ? 1 : 2);
}

/* The tree as text, without its first two lines. */
static void assert_tree(struct ct_decision_tree *tree, const char *expected)
{
    struct ct_decisions decisions = {tree, 1};
    struct ct_text text = {0};
    ct_decisions_write_text(&decisions, &text);
    const char *nodes = strchr(strchr(text.data, '\n') + 1, '\n') + 1;
    assert_string_equal(nodes, expected);
    ct_text_free(&text);
    ct_tree_free(tree);
}

/* The index in the map of what the tree chooses in a cell. */
static size_t choice(const struct ct_decision_tree *tree, const struct ct_map *map, size_t cell)
{
    struct ct_features features = {{[CT_FEATURE_COMM_SIZE] = map->cells[cell].key.comm_size,
                                    [CT_FEATURE_MSG_BYTES] = map->cells[cell].key.msg_bytes}};
    return ct_map_find_method(map, &tree->methods[ct_tree_decide(tree, &features)->method]);
}

/* Four quadrants; thresholds are the last sizes of the lower parts, the edges are open. */
static void test_quadrants(void **state)
{
    (void)state;
    struct ct_map map;
    fixture_map(CT_COLLECTIVE_BCAST, "2,3,5,9", "1,10,1K,384K", "native,linear,binomial:,split_binary:seg=8K",
                &map);
    paint(&map, "0011"
                "0011"
                "2233"
                "2233");
    struct ct_decision_tree tree = fixture_learn("quadtree", "", &map, NULL);
    assert_tree(&tree, "comm_size <= 3\n"
                       "  msg_bytes <= 10\n"
                       "    native\n"
                       "    linear\n"
                       "  msg_bytes <= 10\n"
                       "    binomial\n"
                       "    split_binary:seg=8K\n");

    /* communicators alike: their test goes, and so does one between equal leaves */
    paint(&map, "0011"
                "0011"
                "0011"
                "0011");
    tree = fixture_learn("quadtree", "", &map, NULL);
    assert_tree(&tree, "msg_bytes <= 10\n  native\n  linear\n");
    paint(&map, "1111111111111111");
    tree = fixture_learn("quadtree", "", &map, NULL);
    assert_tree(&tree, "linear\n");
    ct_map_free(&map);
}

/* Majority and its ties: the upper right corner where it is in the tie, else the first method. */
static void test_depth_and_ties(void **state)
{
    (void)state;
    struct ct_map map;
    fixture_map(CT_COLLECTIVE_BCAST, "2,4", "1,8", "native,linear,binomial:", &map);
    paint(&map, "0002");
    struct ct_decision_tree tree = fixture_learn("quadtree", "max-depth=0", &map, NULL);
    assert_tree(&tree, "native\n");
    paint(&map, "0022"); /* corner in the tie */
    tree = fixture_learn("quadtree", "max-depth=0", &map, NULL);
    assert_tree(&tree, "binomial\n");
    paint(&map, "0220"); /* corner is native */
    tree = fixture_learn("quadtree", "max-depth=0", &map, NULL);
    assert_tree(&tree, "native\n");
    ct_map_free(&map);

    fixture_map(CT_COLLECTIVE_BCAST, "2,4,6", "1,8,64", "native,linear,binomial:", &map);
    paint(&map, "122"
                "122"
                "110"); /* corner out of the tie of linear and binomial */
    tree = fixture_learn("quadtree", "max-depth=0", &map, NULL);
    assert_tree(&tree, "linear\n");
    /* one level: a square of 4 with sizes at 0, 2, 3, so the cut is behind the first */
    tree = fixture_learn("quadtree", "max-depth=1", &map, NULL);
    assert_tree(&tree, "msg_bytes <= 1\n  linear\n  binomial\n");
    ct_map_free(&map);
}

/* A share of three quarters stops at a threshold of 75, not at 76. */
static void test_threshold(void **state)
{
    (void)state;
    struct ct_map map;
    fixture_map(CT_COLLECTIVE_BCAST, "2,4", "1,8", "native,linear", &map);
    paint(&map, "0001");
    struct ct_decision_tree tree = fixture_learn("quadtree", "threshold=75", &map, NULL);
    assert_tree(&tree, "native\n");
    tree = fixture_learn("quadtree", "threshold=76", &map, NULL);
    assert_tree(&tree, "comm_size <= 2\n  native\n  msg_bytes <= 1\n    native\n    linear\n");
    ct_map_free(&map);
}

/* Exact trees choose the best of every cell, whatever the shape of the map; no test in them is settled by
 * those above, which the builder would refuse. */
static void test_exact_random(void **state)
{
    (void)state;
    static const char *const comm_sizes[] = {"2", "2-6", "2-28", "3-50/7", "2-64*2"};
    static const char *const msg_sizes[] = {"8", "1-1M*2", "1-128*2", "1-37/3", "0,1"};
    unsigned seed = 1;
    for (size_t c = 0; c < 5; c++) {
        for (size_t s = 0; s < 5; s++) {
            struct ct_map map;
            fixture_map(CT_COLLECTIVE_BCAST, comm_sizes[c], msg_sizes[s],
                        "native,linear,binomial:,binary:,chain:", &map);
            for (size_t i = 0; i < map.cell_count; i++)
                for (size_t m = 0; m < map.method_count; m++)
                    fixture_set(&map, i, m, 1.0 + (double)fixture_random(&seed, 1000));
            struct ct_decision_tree tree = fixture_learn("quadtree", "", &map, NULL);
            for (size_t i = 0; i < map.cell_count; i++)
                assert_int_equal(choice(&tree, &map, i), map.cells[i].best);

            struct ct_decisions decisions = {&tree, 1}, again;
            struct ct_text text = {0};
            ct_decisions_write_text(&decisions, &text);
            assert_int_equal(ct_decisions_read_text(text.data, "t", NULL, &again), CT_OK);
            ct_decisions_free(&again);
            ct_text_free(&text);
            ct_tree_free(&tree);
            ct_map_free(&map);
        }
    }
}

/* What was not measured takes the nearest; a barrier has communicator sizes alone. */
static void test_gaps_and_barrier(void **state)
{
    (void)state;
    struct ct_map map;
    fixture_map(CT_COLLECTIVE_BCAST, "2,4,8,16", "1,8", "native,linear", &map);
    paint(&map, "00"
                "0."
                ".."
                "11");
    struct ct_decision_tree tree = fixture_learn("quadtree", "", &map, NULL);
    assert_tree(&tree, "comm_size <= 4\n"
                       "  native\n"
                       "  msg_bytes <= 1\n"
                       "    comm_size <= 8\n" /* as near to either: the smaller */
                       "      native\n"
                       "      linear\n"
                       "    linear\n");
    ct_map_free(&map);

    fixture_map(CT_COLLECTIVE_BARRIER, "2-8", "0", "native,linear,dissemination", &map);
    paint(&map, "1122222");
    tree = fixture_learn("quadtree", "", &map, NULL);
    assert_tree(&tree, "comm_size <= 3\n  linear\n  dissemination\n");
    ct_map_free(&map);

    fixture_map(CT_COLLECTIVE_BARRIER, "2-8", "0", "native,linear", &map);
    struct ct_error error = {""};
    assert_int_equal(fixture_learn_fail("interpolate", "", &map, NULL, &error), CT_E_INPUT);
    assert_non_null(strstr(error.text, "no allowed method of barrier was measured"));
    ct_map_free(&map);
}

/* A leaf that may not apply has the best that does, over its own cells. */
static void test_otherwise(void **state)
{
    (void)state;
    struct ct_map map;
    fixture_map(CT_COLLECTIVE_ALLREDUCE, "4", "1,1M", "native,reduce_bcast:,recursive_doubling:,ring:", &map);
    for (size_t c = 0; c < 2; c++)
        for (size_t m = 0; m < 3; m++)
            fixture_set(&map, c, m, m == 1 + c ? 2 : 3);
    fixture_set(&map, 0, 3, 4);
    fixture_set(&map, 1, 3, 1);
    struct ct_decision_tree tree = fixture_learn("quadtree", "", &map, NULL);
    assert_tree(&tree, "msg_bytes <= 1\n  reduce_bcast\n  ring fallback recursive_doubling\n");

    /* nothing but ring measured: native always is there */
    for (size_t c = 0; c < 2; c++)
        for (size_t m = 0; m < 3; m++)
            map.cells[c].methods[m].count = 0;
    map.cells[0].best = map.cells[1].best = 3;
    tree = fixture_learn("quadtree", "", &map, NULL);
    assert_tree(&tree, "ring fallback native\n");
    ct_map_free(&map);
}

/* Algorithms with all parameters, single methods, those of other collectives, and wrong ones. */
static void test_exclude(void **state)
{
    (void)state;
    struct ct_map map;
    fixture_map(CT_COLLECTIVE_BCAST, "2", "1",
                "native,linear,binomial:,binomial:seg=8K,chain:radix=4,chain:", &map);
    bool *allowed;
    struct ct_error error = {""};
    assert_int_equal(
        ct_learn_allowed(&map, "native,bcast/binomial,chain:radix=4,barrier/linear,ring", &error, &allowed),
        CT_OK);
    const bool expected[] = {false, true, false, false, false, true};
    for (size_t m = 0; m < map.method_count; m++)
        assert_int_equal(allowed[m], expected[m]);
    struct ct_decision_tree tree;
    fixture_set(&map, 0, 0, 1);
    fixture_set(&map, 0, 1, 3);
    fixture_set(&map, 0, 2, 2);
    tree = fixture_learn("interpolate", "", &map, allowed);
    assert_tree(&tree, "linear\n");
    free(allowed);
    assert_int_equal(ct_learn_allowed(&map, NULL, &error, &allowed), CT_OK);
    assert_true(allowed[0] && allowed[5]);
    free(allowed);
    static const char *const wrong[] = {"nativ", "bcast/nativ", "bcats/linear", "chain:radx=4", ""};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        error.text[0] = '\0';
        assert_int_equal(ct_learn_allowed(&map, wrong[i], &error, &allowed), CT_E_INPUT);
        assert_string_not_equal(error.text, "");
    }
    ct_map_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quadrants),        cmocka_unit_test(test_depth_and_ties),
        cmocka_unit_test(test_threshold),        cmocka_unit_test(test_exact_random),
        cmocka_unit_test(test_gaps_and_barrier), cmocka_unit_test(test_otherwise),
        cmocka_unit_test(test_exclude),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
