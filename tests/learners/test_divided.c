/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/divided.h"
#include "learners/learn_settings.h"
#include "learners/learn_table.h"
#include "learners/map_parts.h"
#include "tests/learners/learner_fixture.h"
#include "tests/learners/map_fixture.h"

#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { EACH = 4, PARTS = 3 };

/* Mappings of ranks and modes of calls. */
static const struct {
    uint32_t by, mode;
} parts[PARTS] = {{CT_MAPPED_BY_CORE, CT_MODE_BLOCKING},
                  {CT_MAPPED_BY_SOCKET, CT_MODE_BLOCKING},
                  {CT_MAPPED_BY_NODE, CT_MODE_NONBLOCKING}};

static int compare_cells(const void *a, const void *b)
{
    return ct_cell_key_compare(&((const struct ct_cell *)a)->key, &((const struct ct_cell *)b)->key);
}

/* The same sizes in three parts, with times of their own. */
static void make_map(struct ct_map *ret_map)
{
    unsigned seed = 17;
    fixture_map(CT_COLLECTIVE_BCAST, "2-13", "8,1K,64K,1M", "native,binomial,chain", ret_map);
    for (size_t c = 0; c < ret_map->cell_count; c++) {
        struct ct_cell_key *key = &ret_map->cells[c].key;
        const uint32_t row = key->comm_size - 2;
        *key = (struct ct_cell_key){.nodes = 1,
                                    .ppn = 2u << row % EACH,
                                    .comm_size = 2u << row % EACH,
                                    .msg_bytes = key->msg_bytes,
                                    .by = parts[row / EACH].by,
                                    .mode = parts[row / EACH].mode};
        for (size_t m = 0; m < ret_map->method_count; m++)
            fixture_set(ret_map, c, m, 1e-6 * (double)(1 + fixture_random(&seed, 30)));
    }
    qsort(ret_map->cells, ret_map->cell_count, sizeof *ret_map->cells, compare_cells);
}

/* The cells of one part; free its cells. */
static struct ct_map part_of(const struct ct_map *map, size_t index)
{
    struct ct_map part;
    bool *keep = calloc(map->cell_count, sizeof *keep);
    for (size_t c = 0; c < map->cell_count; c++)
        keep[c] = map->cells[c].key.by == parts[index].by;
    assert_int_equal(ct_learn_split(map, keep, &part, NULL), CT_OK);
    free(keep);
    return part;
}

static bool tests_feature(const struct ct_decision_tree *tree, enum ct_feature feature)
{
    for (size_t i = 0; i < tree->node_count; i++)
        if (tree->nodes[i].feature == (int)feature)
            return true;
    return false;
}

static bool has_any(const void *context, const struct ct_method *method)
{
    (void)context;
    (void)method;
    return true;
}

static struct ct_decision_tree learn_for(const char *target, const char *learner, const char *words,
                                         const struct ct_map *map)
{
    struct ct_learn_settings *settings = fixture_settings(learner, words);
    settings->target = target;
    settings->target_has = has_any;
    struct ct_decision_tree tree = {.collective = map->collective};
    struct ct_error error = {""};
    if (ct_learn_map(map, settings, &error, &tree) != CT_OK)
        fail_msg("%s: %s", learner, error.text);
    ct_learn_settings_free(settings);
    return tree;
}

static struct ct_decision_tree learn(const char *learner, const char *words, const struct ct_map *map)
{
    return learn_for(NULL, learner, words, map);
}

/* The joined tree decides for each part as the tree learned from its cells alone, also in between. It tests
 * the mode if `has_mode`. */
static void check(const char *learner, const char *words, bool has_mode)
{
    struct ct_map map;
    make_map(&map);
    struct ct_decision_tree joined = learn(learner, words, &map);
    assert_true(tests_feature(&joined, CT_FEATURE_BY));
    assert_true(tests_feature(&joined, CT_FEATURE_MODE) == has_mode);
    for (size_t i = 0; i < PARTS; i++) {
        struct ct_map part = part_of(&map, i);
        struct ct_decision_tree alone = learn(learner, words, &part);
        assert_false(tests_feature(&alone, CT_FEATURE_BY) || tests_feature(&alone, CT_FEATURE_MODE));
        for (uint32_t ranks = 1; ranks < 40; ranks++)
            for (size_t bytes = 1; bytes < 4 << 20; bytes = bytes * 3 + 1) {
                const struct ct_cell_key key = {.nodes = 1,
                                                .ppn = ranks,
                                                .comm_size = ranks,
                                                .msg_bytes = bytes,
                                                .by = parts[i].by,
                                                .mode = parts[i].mode};
                const struct ct_features call = ct_key_features(&key);
                const struct ct_tree_node *a = ct_tree_decide(&joined, &call),
                                          *b = ct_tree_decide(&alone, &call);
                assert_true(ct_method_equal(&joined.methods[a->method], &alone.methods[b->method]));
                assert_true(ct_method_equal(&joined.methods[a->fallback], &alone.methods[b->fallback]));
            }
        ct_tree_free(&alone);
        free(part.cells);
    }
    ct_tree_free(&joined);
    ct_map_free(&map);
}

static void test_joined(void **state)
{
    (void)state;
    check("penalty", "", true);
    check("quadtree", "", true);
    check("c45", "features=comm_size,by,total_bytes", false);
    check("c45", "features=comm_size,by,mode,total_bytes", true);
    check("penalty", "features=comm_size,msg_bytes,by feature=blocks=msg_bytes/1000", false);
}

/* Without the feature, trees do not test it. */
static void test_pooled(void **state)
{
    (void)state;
    static const char *const learners[] = {"penalty", "interpolate", "c45"};
    struct ct_map map;
    make_map(&map);
    for (size_t i = 0; i < sizeof learners / sizeof learners[0]; i++) {
        struct ct_decision_tree tree = learn(learners[i], "features=comm_size,msg_bytes", &map);
        assert_false(tests_feature(&tree, CT_FEATURE_BY) || tests_feature(&tree, CT_FEATURE_MODE));
        ct_tree_free(&tree);
    }
    ct_map_free(&map);
}

/* A tuning file cannot test how ranks are mapped, so trees for it do so only where that is asked for. */
static void test_target(void **state)
{
    (void)state;
    struct ct_map map;
    make_map(&map);
    struct ct_decision_tree tree = learn_for("ompi", "penalty", "", &map);
    assert_false(tests_feature(&tree, CT_FEATURE_BY));
    assert_true(tests_feature(&tree, CT_FEATURE_MODE));
    ct_tree_free(&tree);
    tree = learn_for("ompi", "penalty", "features=comm_size,msg_bytes,by", &map);
    assert_true(tests_feature(&tree, CT_FEATURE_BY));
    ct_tree_free(&tree);
    ct_map_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_joined), cmocka_unit_test(test_pooled),
                                       cmocka_unit_test(test_target)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
