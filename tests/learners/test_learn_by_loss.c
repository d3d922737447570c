/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/score.h"
#include "decision/tree/tree_depth.h"
#include "learners/learn_settings.h"
#include "learners/learn_table.h"
#include "tests/learners/learner_fixture.h"
#include "tests/learners/map_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const char *const by_loss[] = {"penalty", "interpolate", "surrogate"};
enum { LEARNERS = 3 };

static struct ct_penalty penalty_of(const struct ct_decision_tree *tree, const struct ct_map *map)
{
    struct ct_score score;
    assert_int_equal(ct_score_tree(tree, map, NULL, &score), CT_OK);
    return score.tree;
}

static void set_cell(struct ct_map *map, size_t cell, double first, double second)
{
    fixture_set(map, cell, 0, first);
    fixture_set(map, cell, 1, second);
}

/* Who wins by much gets a leaf; who wins by what is surely nothing does not. */
static void test_small_wins(void **state)
{
    (void)state;
    struct ct_map map;
    unsigned seed = 5;
    fixture_map(CT_COLLECTIVE_BCAST, "2,4,8,16,32", "1,8,64,512,4K,32K", "linear,binomial:", &map);
    for (size_t c = 0; c < map.cell_count; c++) {
        double time = (double)map.cells[c].key.msg_bytes;
        set_cell(&map, c, time, time * (map.cells[c].key.msg_bytes > 64 ? 0.5 : 2));
    }
    for (int l = 0; l < LEARNERS; l++) {
        struct ct_decision_tree tree = fixture_learn(by_loss[l], "", &map, NULL);
        assert_int_equal(ct_tree_leaf_count(&tree), 2);
        assert_true(penalty_of(&tree, &map).most == 0);
        ct_tree_free(&tree);
    }
    for (size_t c = 0; c < map.cell_count; c++) {
        set_cell(&map, c, 1, fixture_random(&seed, 2) ? 1.02 : 0.98);
        map.cells[c].standings[0] = map.cells[c].standings[1] = CT_STANDING_EQUIVALENT;
        map.cells[c].standings[map.cells[c].best] = CT_STANDING_BEST;
    }
    struct ct_decision_tree tree = fixture_learn("penalty", "", &map, NULL);
    assert_int_equal(tree.node_count, 1);
    ct_tree_free(&tree);
    ct_map_free(&map);
}

/* Native stays where another one seems 1 % better in measured times; not in computed ones. */
static void test_native(void **state)
{
    (void)state;
    struct ct_map map;
    fixture_map(CT_COLLECTIVE_BCAST, "2,4,8", "1,8,64", "native,linear", &map);
    for (size_t c = 0; c < map.cell_count; c++)
        set_cell(&map, c, 1.01, 1);
    for (int l = 0; l < LEARNERS; l++)
        for (int exact = 0; exact < 2; exact++) {
            map.exact = exact;
            struct ct_decision_tree tree = fixture_learn(by_loss[l], "", &map, NULL);
            assert_int_equal(tree.node_count, 1);
            assert_int_equal(ct_is_native(tree.methods[tree.nodes[0].method].algorithm), !exact);
            ct_tree_free(&tree);
        }
    ct_map_free(&map);
}

/* Bands of three methods over random times. */
static void random_map(struct ct_map *map)
{
    unsigned seed = 9;
    fixture_map(CT_COLLECTIVE_BCAST, "2-16", "1,4,16,64,256,1K,4K,16K",
                "linear,binomial:,split_binary:seg=8K,pipeline:", map);
    for (size_t c = 0; c < map->cell_count; c++)
        for (size_t m = 0; m < map->method_count; m++)
            fixture_set(map, c, m, 1 + (double)fixture_random(&seed, 1000) / 500);
    map->exact = true;
}

/* Bounds hold, and more leaves lose no more. */
static void test_bounds(void **state)
{
    (void)state;
    struct ct_map map;
    random_map(&map);
    for (int l = 0; l < LEARNERS; l++) {
        char words[100];
        double before = INFINITY;
        for (size_t leaves = 1; leaves <= 16; leaves *= 4) {
            /* a slowdown so small that there is no end to what is asked for */
            snprintf(words, sizeof words, "max-slowdown=0.1 max-leaves=%zu", leaves);
            struct ct_decision_tree tree = fixture_learn(by_loss[l], words, &map, NULL);
            assert_true(ct_tree_leaf_count(&tree) <= leaves);
            ct_tree_free(&tree);
        }
        for (size_t depth = 0; depth < 3; depth++) {
            snprintf(words, sizeof words, "max-depth=%zu", depth);
            struct ct_decision_tree tree = fixture_learn(by_loss[l], words, &map, NULL);
            assert_true(ct_tree_depth(&tree) <= depth);
            ct_tree_free(&tree);
        }
        for (double slowdown = 1; slowdown > 0.01; slowdown /= 4) {
            snprintf(words, sizeof words, "max-slowdown=%.17g", 100 * slowdown);
            struct ct_decision_tree tree = fixture_learn(by_loss[l], words, &map, NULL);
            double most = penalty_of(&tree, &map).most;
            assert_true(most <= slowdown && most <= before);
            before = fmax(most, slowdown);
            ct_tree_free(&tree);
        }
    }
    ct_map_free(&map);
}

/* Times that are all chance are worth no leaves: others will come out otherwise. */
static void test_chance(void **state)
{
    (void)state;
    struct ct_map map;
    random_map(&map);
    struct ct_decision_tree tree = fixture_learn("penalty", "", &map, NULL);
    assert_true(ct_tree_leaf_count(&tree) <= 4);
    ct_tree_free(&tree);
    tree = fixture_learn("quadtree", "", &map, NULL);
    assert_true(ct_tree_leaf_count(&tree) > 60);
    ct_tree_free(&tree);
    ct_map_free(&map);
}

/* Cells with one method alone do not vote, and what is not allowed is not chosen. */
static void test_alone_and_allowed(void **state)
{
    (void)state;
    struct ct_map map;
    static const bool second[] = {false, true}, none[] = {false, false};
    fixture_map(CT_COLLECTIVE_BCAST, "2-9", "1,8,64", "linear,binomial:", &map);
    for (size_t c = 0; c < map.cell_count; c++) {
        fixture_set(&map, c, 0, 2);
        if (map.cells[c].key.comm_size % 4 == 1)
            fixture_set(&map, c, 1, 1);
    }
    for (int l = 0; l < LEARNERS; l++) {
        struct ct_decision_tree tree = fixture_learn(by_loss[l], "", &map, NULL);
        for (size_t c = 0; c < map.cell_count; c++) /* below 5 nothing is known of binomial */
            if (map.cells[c].key.comm_size >= 5)
                assert_int_equal(ct_score_choice(&tree, &map, &map.cells[c]), 1);
        ct_tree_free(&tree);
        tree = fixture_learn(by_loss[l], "", &map, second);
        assert_int_equal(tree.method_count, 1);
        assert_string_equal(tree.methods[0].algorithm->name, "binomial");
        ct_tree_free(&tree);
        struct ct_error error = {""};
        assert_int_equal(fixture_learn_fail(by_loss[l], "", &map, none, &error), CT_E_INPUT);
        assert_non_null(strstr(error.text, "no allowed method"));
    }
    ct_map_free(&map);
}

/* A single size is not named as a range. */
static void test_one_size(void **state)
{
    (void)state;
    struct ct_map map;
    struct ct_text notes = {0};
    struct ct_decision_tree tree;
    fixture_map(CT_COLLECTIVE_BCAST, "4", "64", "linear,binomial:", &map);
    set_cell(&map, 0, 1, 2);
    struct ct_learn_settings *settings = fixture_settings("interpolate", "");
    settings->notes = &notes;
    assert_int_equal(ct_learn_map(&map, settings, NULL, &tree), CT_OK);
    ct_learn_settings_free(settings);
    ct_tree_free(&tree);
    assert_string_equal(notes.data, "bcast: measured on 4 ranks with 64 bytes; times go on to 4 ranks and 64 "
                                    "bytes; larger calls take the choice at these ends\n");
    ct_text_free(&notes);
    ct_map_free(&map);
}

/* Two lines that cross between measured sizes: interpolation finds where, and looks beyond. */
static void test_crossing(void **state)
{
    (void)state;
    struct ct_map map;
    char text[500] = "";
    fixture_map(CT_COLLECTIVE_BCAST, "2,64", "64,4K,256K", "linear,binomial:", &map);
    map.exact = true;
    for (size_t c = 0; c < map.cell_count; c++) /* they cross at 18 KB, and would by steps at 32 KB */
        set_cell(&map, c, pow((double)map.cells[c].key.msg_bytes, 0.75),
                 pow(18432, 0.5) * pow((double)map.cells[c].key.msg_bytes, 0.25));
    struct ct_learn_settings *settings = fixture_settings("interpolate", "max-slowdown=2");
    struct ct_text notes = {0};
    struct ct_decision_tree tree;
    settings->notes = &notes;
    assert_int_equal(ct_learn_map(&map, settings, NULL, &tree), CT_OK);
    ct_learn_settings_free(settings);
    assert_int_equal(tree.node_count, 3);
    assert_int_equal(tree.nodes[0].feature, CT_FEATURE_MSG_BYTES);
    assert_true(tree.nodes[0].threshold > 16000 && tree.nodes[0].threshold < 20500);
    ct_tree_free(&tree);
    snprintf(text, sizeof text, "%s", notes.data);
    assert_string_equal(
        text, "bcast: measured on 2 to 64 ranks with 64 to 256K bytes; times go on to 128 ranks and "
              "512K bytes; larger calls take the choice at these ends\n");
    ct_text_free(&notes);
    ct_map_free(&map);
}

/* A method for even communicators alone is chosen for these, and another one stands by. */
static void test_constrained(void **state)
{
    (void)state;
    struct ct_map map;
    fixture_map(CT_COLLECTIVE_ALLGATHER, "2-16", "1,8,64", "bruck:,ring,neighbor_exchange", &map);
    for (size_t c = 0; c < map.cell_count; c++) {
        fixture_set(&map, c, 0, 3);
        fixture_set(&map, c, 1, 2);
        if (map.cells[c].key.comm_size % 2 == 0)
            fixture_set(&map, c, 2, 1);
    }
    map.exact = true;
    for (int l = 0; l < LEARNERS; l++) {
        struct ct_decision_tree tree = fixture_learn(by_loss[l], "", &map, NULL);
        assert_int_equal(tree.node_count, 1);
        assert_string_equal(tree.methods[tree.nodes[0].method].algorithm->name, "neighbor_exchange");
        assert_true(tree.nodes[0].fallback != tree.nodes[0].method);
        ct_tree_free(&tree);
    }
    ct_map_free(&map);
}

/* A method that applies nowhere gains nothing by the best of the others in each cell. */
static void test_never_applies(void **state)
{
    (void)state;
    struct ct_map map;
    fixture_map(CT_COLLECTIVE_ALLGATHER, "3,5,7,9,11", "1,8,64,512", "neighbor_exchange,bruck:,ring", &map);
    for (size_t c = 0; c < map.cell_count; c++) {
        bool is_long = map.cells[c].key.msg_bytes > 8;
        fixture_set(&map, c, 1, is_long ? 2 : 1);
        fixture_set(&map, c, 2, is_long ? 1 : 2);
    }
    map.exact = true;
    for (int l = 0; l < LEARNERS; l++) {
        struct ct_decision_tree tree = fixture_learn(by_loss[l], "", &map, NULL);
        assert_int_equal(ct_tree_leaf_count(&tree), 2);
        for (size_t m = 0; m < tree.method_count; m++)
            assert_string_not_equal(tree.methods[m].algorithm->name, "neighbor_exchange");
        ct_tree_free(&tree);
    }
    ct_map_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_never_applies), cmocka_unit_test(test_small_wins),
        cmocka_unit_test(test_native),        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_chance),        cmocka_unit_test(test_alone_and_allowed),
        cmocka_unit_test(test_crossing),      cmocka_unit_test(test_one_size),
        cmocka_unit_test(test_constrained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
