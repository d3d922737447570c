/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/score.h"
#include "learners/between.h"
#include "learners/learn_settings.h"
#include "tests/learners/learner_fixture.h"
#include "tests/learners/map_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Trees by lost time over further features. */

static const char *const by_loss[] = {"penalty", "interpolate"};
enum { LEARNERS = 2 };

/* The usual features and others, by names and by formulas. */
static struct ct_learn_features features_of(const char *list, const char *definition)
{
    struct ct_learn_features features = {0};
    assert_int_equal(ct_learn_features_list(&features, list, NULL), CT_OK);
    if (definition)
        assert_int_equal(ct_learn_features_define(&features, definition, NULL), CT_OK);
    return features;
}

/* `words` are further options. */
static struct ct_decision_tree learn_with(const char *learner, const struct ct_map *map,
                                          const struct ct_learn_features *features, const char *words)
{
    struct ct_learn_settings *settings = fixture_settings(learner, words);
    const struct ct_learn_features usual = settings->features;
    struct ct_decision_tree tree;
    struct ct_error error = {""};
    if (features)
        settings->features = *features;
    int status = settings->learner->learn(map, settings, NULL, &error, &tree);
    assert_string_equal(error.text, "");
    assert_int_equal(status, CT_OK);
    settings->features = usual;
    ct_learn_settings_free(settings);
    return tree;
}

static struct ct_penalty penalty_of(const struct ct_decision_tree *tree, const struct ct_map *map)
{
    struct ct_score score;
    assert_int_equal(ct_score_tree(tree, map, NULL, &score), CT_OK);
    return score.tree;
}

/* Linear takes half as long as binomial where the feature is `quick`, else twice as long; all times grow with
 * ranks and bytes. */
static void paint(struct ct_map *map, const struct ct_learn_features *features, size_t number, size_t quick)
{
    for (size_t c = 0; c < map->cell_count; c++) {
        const struct ct_features call = ct_key_features(&map->cells[c].key);
        double time =
            1e-6 * sqrt((double)call.value[CT_FEATURE_COMM_SIZE]) * (double)call.value[CT_FEATURE_MSG_BYTES];
        bool is_quick = ct_feature_value(&features->set, number, &call) == quick;
        fixture_set(map, c, 0, is_quick ? time / 2 : time * 2);
        fixture_set(map, c, 1, time);
    }
}

/* With the features two leaves are all it takes; without them leaves are many, or much is lost. */
static void compare(const struct ct_map *map, const struct ct_learn_features *features)
{
    for (int l = 0; l < LEARNERS; l++) {
        struct ct_decision_tree with = learn_with(by_loss[l], map, features, "");
        struct ct_decision_tree without = learn_with(by_loss[l], map, NULL, "");
        struct ct_decision_tree all = learn_with(by_loss[l], map, NULL, "max-slowdown=0.1");
        assert_int_equal(ct_tree_leaf_count(&with), 2);
        assert_true(penalty_of(&with, map).most < 1e-9);
        assert_true(ct_tree_leaf_count(&all) > 4);
        assert_true(penalty_of(&without, map).mean > 0.01 || ct_tree_leaf_count(&without) > 4);
        ct_tree_free(&with);
        ct_tree_free(&without);
        ct_tree_free(&all);
    }
}

/* Features of the communicator size, whether times are computed or measured. */
static void test_of_size(void **state)
{
    (void)state;
    static const struct {
        const char *list, *definition, *tested;
        size_t quick;
    } cases[] = {
        {"comm_size,msg_bytes,even", NULL, "even", 1},
        {"comm_size,msg_bytes,even", NULL, "even", 0},
        {"power_of_two,comm_size,msg_bytes", NULL, "power_of_two", 1},
        {"comm_size,msg_bytes", "thirds=(comm_size%3+2)/3", "thirds", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int exact = 0; exact < 2; exact++) {
            struct ct_learn_features features = features_of(cases[i].list, cases[i].definition);
            struct ct_map map;
            size_t number;
            fixture_map(CT_COLLECTIVE_BCAST, "2-24", "8,64,512,4K,32K", "linear,binomial:", &map);
            map.exact = exact;
            assert_int_equal(ct_feature_find(&features.set, cases[i].tested, NULL, &number), CT_OK);
            paint(&map, &features, number, cases[i].quick);
            compare(&map, &features);
            ct_learn_features_free(&features);
            ct_map_free(&map);
        }
}

/* Total bytes, and a formula of them: a threshold on both sizes at once. */
static void test_total_bytes(void **state)
{
    (void)state;
    struct ct_learn_features features =
        features_of("comm_size,msg_bytes,total_bytes", "large=min(total_bytes/4K,1)");
    struct ct_map map;
    size_t number;
    fixture_map(CT_COLLECTIVE_BCAST, "2-24", "8,64,100,300,512,1K,1500,4K,32K", "linear,binomial:", &map);
    map.exact = true;
    assert_int_equal(ct_feature_find(&features.set, "large", NULL, &number), CT_OK);
    paint(&map, &features, number, 1);
    struct ct_decision_tree with = learn_with("penalty", &map, &features, "max-slowdown=0.1");
    struct ct_decision_tree without = learn_with("penalty", &map, NULL, "max-slowdown=0.1");
    assert_int_equal(ct_tree_leaf_count(&with), 2);
    assert_true(ct_tree_leaf_count(&without) > 6);
    assert_true(penalty_of(&with, &map).most == 0);
    ct_tree_free(&with);
    ct_tree_free(&without);
    /* between the sizes, total bytes are those of the calls there */
    with = learn_with("interpolate", &map, &features, "");
    without = learn_with("interpolate", &map, NULL, "");
    assert_true(ct_tree_leaf_count(&with) < ct_tree_leaf_count(&without));
    assert_true(penalty_of(&with, &map).mean <= penalty_of(&without, &map).mean);
    ct_tree_free(&with);
    ct_tree_free(&without);
    ct_map_free(&map);
    ct_learn_features_free(&features);
}

/* One map of several layouts: 1, 4 and 16 ranks on each node. */
static void map_of_layouts(struct ct_map *map)
{
    static const size_t ppn[] = {1, 4, 16};
    enum { COMM_SIZES = 16, LEAST_OF_NEXT = 2 * COMM_SIZES };
    fixture_map(CT_COLLECTIVE_BCAST, "2-96/2", "8,64,512,4K,32K", "linear,binomial:", map);
    for (size_t c = 0; c < map->cell_count; c++) {
        struct ct_cell *cell = &map->cells[c];
        size_t most = ppn[(cell->key.comm_size - 2) / LEAST_OF_NEXT];
        cell->key.comm_size = (cell->key.comm_size - 2) % LEAST_OF_NEXT + 2;
        cell->key.ppn = most < cell->key.comm_size ? most : cell->key.comm_size;
        cell->key.nodes = (cell->key.comm_size + most - 1) / most;
    }
}

/* Ranks of one communicator size lie in several ways, and that decides. */
static void test_ppn(void **state)
{
    (void)state;
    struct ct_learn_features features = features_of("comm_size,msg_bytes,nodes,ppn", "spread=min(ppn/3,1)");
    struct ct_map map;
    size_t number;
    map_of_layouts(&map);
    map.exact = true;
    assert_int_equal(ct_feature_find(&features.set, "spread", NULL, &number), CT_OK);
    paint(&map, &features, number, 0);
    for (int l = 0; l < LEARNERS; l++) {
        struct ct_decision_tree with = learn_with(by_loss[l], &map, &features, "");
        struct ct_decision_tree without = learn_with(by_loss[l], &map, NULL, "");
        assert_int_equal(ct_tree_leaf_count(&with), 2);
        assert_true(penalty_of(&with, &map).most < 1e-9);
        assert_true(penalty_of(&without, &map).mean > 0.1);
        ct_tree_free(&with);
        ct_tree_free(&without);
    }
    ct_learn_features_free(&features);
    ct_map_free(&map);
}

/* The layouts of a map, where somebody asks; what is between them cannot be told where they are too many. */
static void test_layouts(void **state)
{
    (void)state;
    static const size_t expected[] = {1, 4, 16};
    struct ct_learn_features asks = features_of("comm_size,ppn", NULL),
                             silent = features_of("comm_size", NULL);
    struct ct_map map;
    map_of_layouts(&map);
    struct ct_feature_columns columns = ct_feature_columns_of(&map, &silent);
    struct ct_layouts layouts = {.count = 77};
    assert_int_equal(ct_layouts_of(&map, &columns, NULL, &layouts), CT_OK);
    assert_int_equal(layouts.count, 0);
    columns = ct_feature_columns_of(&map, &asks);
    assert_int_equal(ct_layouts_of(&map, &columns, NULL, &layouts), CT_OK);
    assert_int_equal(layouts.count, 3);
    assert_memory_equal(layouts.ppn, expected, sizeof expected);
    for (size_t c = 0; c < map.cell_count; c++)
        for (size_t i = 0; i < 3; i++)
            assert_int_equal(ct_layout_has(expected[i], &map.cells[c]),
                             map.cells[c].key.ppn == expected[i] ||
                                 (map.cells[c].key.nodes == 1 && map.cells[c].key.comm_size <= expected[i]));
    ct_layouts_free(&layouts);

    struct ct_error error = {""};
    for (size_t c = 0; c < map.cell_count; c++) {
        fixture_set(&map, c, 0, 1);
        fixture_set(&map, c, 1, 2);
        map.cells[c].key.nodes = 2;
        map.cells[c].key.ppn = 1 + c % 20;
    }
    assert_int_equal(fixture_learn_fail("interpolate", "features=comm_size,ppn", &map, NULL, &error),
                     CT_E_INPUT);
    assert_non_null(strstr(error.text, "20 different numbers of ranks"));
    assert_null(strchr(error.text, '\n'));
    struct ct_decision_tree tree = learn_with("penalty", &map, &asks, "");
    ct_tree_free(&tree);
    ct_learn_features_free(&asks);
    ct_learn_features_free(&silent);
    ct_map_free(&map);
}

static bool is_same_tree(const struct ct_decision_tree *a, const struct ct_decision_tree *b)
{
    if (a->node_count != b->node_count)
        return false;
    for (size_t i = 0; i < a->node_count; i++)
        if (a->nodes[i].feature != b->nodes[i].feature || a->nodes[i].threshold != b->nodes[i].threshold ||
            a->nodes[i].low != b->nodes[i].low || a->nodes[i].high != b->nodes[i].high)
            return false;
    return true;
}

/* Features that tell no cells apart change nothing, and to ask for the usual ones is to ask for none. */
static void test_nothing_new(void **state)
{
    (void)state;
    struct ct_learn_features usual = features_of(CT_LEARN_FEATURES, NULL);
    struct ct_learn_features idle = features_of(CT_LEARN_FEATURES ",even,nodes", "none=comm_size/1K");
    struct ct_map map;
    unsigned seed = 3;
    fixture_map(CT_COLLECTIVE_BCAST, "2-32/2", "8,64,512,4K,32K", "native,linear,binomial:", &map);
    for (size_t c = 0; c < map.cell_count; c++)
        for (size_t m = 0; m < map.method_count; m++)
            fixture_set(&map, c, m, 1 + (double)fixture_random(&seed, 1000) / 500);
    for (int l = 0; l < LEARNERS; l++) {
        struct ct_decision_tree none = learn_with(by_loss[l], &map, NULL, "max-slowdown=50");
        struct ct_decision_tree same = learn_with(by_loss[l], &map, &usual, "max-slowdown=50");
        struct ct_decision_tree still = learn_with(by_loss[l], &map, &idle, "max-slowdown=50");
        assert_true(none.node_count > 5);
        assert_true(is_same_tree(&none, &same) && is_same_tree(&none, &still));
        ct_tree_free(&none);
        ct_tree_free(&same);
        ct_tree_free(&still);
    }
    ct_learn_features_free(&usual);
    ct_learn_features_free(&idle);
    ct_map_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_of_size), cmocka_unit_test(test_total_bytes), cmocka_unit_test(test_ppn),
        cmocka_unit_test(test_layouts), cmocka_unit_test(test_nothing_new),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
