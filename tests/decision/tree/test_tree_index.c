/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks of values and the index of a tree, against counting and the tree itself. */
#include "decision/tree/tree_index.h"
#include "tests/codegen/random_tree.h"
#include "tests/learners/map_fixture.h"

#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static size_t count_below(const size_t *thresholds, size_t count, size_t value)
{
    size_t below = 0;
    for (size_t i = 0; i < count; i++)
        below += thresholds[i] < value;
    return below;
}

static void assert_ranks(const size_t *thresholds, size_t count, unsigned bits, size_t step)
{
    struct ct_thresholds ranks;
    assert_int_equal(ct_thresholds_make(thresholds, count, &ranks), CT_OK);
    assert_int_equal(ranks.bits, bits);
    assert_int_equal(ranks.step, step);
    assert_true(ranks.keys <= CT_THRESHOLD_KEYS_MAX);
    static const size_t far[] = {0, 1, SIZE_MAX / 2, SIZE_MAX / 2 + 1, SIZE_MAX - 1, SIZE_MAX};
    for (size_t i = 0; i < sizeof far / sizeof far[0]; i++)
        assert_int_equal(ct_threshold_index(&ranks, far[i]), count_below(thresholds, count, far[i]));
    for (size_t i = 0; i < count; i++)
        for (size_t beside = 0; beside < 3; beside++)
            assert_int_equal(ct_threshold_index(&ranks, thresholds[i] + beside - 1),
                             count_below(thresholds, count, thresholds[i] + beside - 1));
    ct_thresholds_free(&ranks);
}

/* Small numbers need no search, doublings one comparison, and the more there are between two powers of two,
 * the more. */
static void test_ranks(void **state)
{
    (void)state;
    assert_ranks((const size_t[]){0}, 1, 0, 0);
    assert_ranks((const size_t[]){1, 2, 3, 4, 5, 6, 7, 8, 9}, 9, 3, 0);
    assert_ranks((const size_t[]){8, 64, 512, 4096}, 4, 0, 1);
    assert_ranks((const size_t[]){1024, 1536, 2048, 3072, 4096}, 5, 1, 1);
    assert_ranks((const size_t[]){7, 1023, 1048575}, 3, 0, 0);
    assert_ranks((const size_t[]){SIZE_MAX - 4, SIZE_MAX - 3, SIZE_MAX - 1}, 3, 0, 2);

    enum { MANY = CT_THRESHOLDS_MAX };
    size_t *thresholds = calloc(MANY + 1, sizeof *thresholds);
    assert_non_null(thresholds);
    for (size_t i = 0; i <= MANY; i++)
        thresholds[i] = i;
    struct ct_thresholds ranks;
    assert_int_equal(ct_thresholds_make(thresholds, MANY, &ranks), CT_OK);
    for (size_t value = 0; value < 2 * MANY; value++)
        assert_int_equal(ct_threshold_index(&ranks, value), value < MANY ? value : MANY);
    ct_thresholds_free(&ranks);
    assert_int_equal(ct_thresholds_make(thresholds, MANY + 1, &ranks), CT_E_LIMIT);
    free(thresholds);
}

/* Keys rise with the value, by one at most. */
static void test_keys(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < 8; bits++) {
        for (size_t value = 0; value < 5000; value++) {
            size_t rise = ct_threshold_key(value + 1, bits) - ct_threshold_key(value, bits);
            assert_true(rise == 1 || (rise == 0 && value >= (size_t)2 << bits));
        }
        assert_int_equal(ct_threshold_key(0, bits), 0);
        assert_true(ct_threshold_key(SIZE_MAX, bits) > ct_threshold_key(SIZE_MAX / 2, bits));
    }
}

static void assert_decides(const struct ct_decision_tree *tree, const struct ct_tree_index *index,
                           const struct ct_features *features)
{
    const struct ct_tree_node *leaf = ct_tree_decide(tree, features);
    struct ct_tree_choice choice = ct_tree_index_decide(index, features);
    assert_int_equal(choice.method, leaf->method);
    assert_int_equal(choice.fallback, leaf->fallback);
}

/* Random trees decide the same with their index, whether it has a matrix or not. */
static void test_random_trees(void **state)
{
    (void)state;
    static const enum ct_collective collectives[] = {CT_COLLECTIVE_BARRIER, CT_COLLECTIVE_BCAST,
                                                     CT_COLLECTIVE_ALLREDUCE};
    static const size_t leaves[] = {1, 2, 5, 20, 64, 300, 2000};
    unsigned seed = 3;
    size_t with_cells = 0, without = 0;
    for (size_t n = 0; n < 300; n++) {
        struct ct_decision_tree tree = random_tree(collectives[n % 3], leaves[n % 7], &seed);
        struct ct_tree_index index;
        assert_int_equal(ct_tree_index_make(&tree, &index), CT_OK);
        *(index.cells ? &with_cells : &without) += 1;
        assert_true(index.cell_count <= CT_INDEX_CELLS_MAX);
        for (size_t i = 0; i < 500; i++) {
            struct ct_features features = random_call(&tree, &seed);
            assert_decides(&tree, &index, &features);
        }
        ct_tree_index_free(&index);
        ct_tree_free(&tree);
    }
    assert_true(with_cells > 100 && without > 30);
}

/* The deepest tree that files may hold. */
static void test_deep(void **state)
{
    (void)state;
    enum { DEPTH = 10000 };
    for (int in_low = 0; in_low < 2; in_low++) {
        struct ct_decision_tree tree =
            deep_tree(CT_COLLECTIVE_BCAST, CT_FEATURE_MSG_BYTES, CT_FEATURE_MSG_BYTES, DEPTH, in_low);
        struct ct_tree_index index;
        assert_int_equal(ct_tree_index_make(&tree, &index), CT_OK);
        assert_non_null(index.cells);
        for (size_t bytes = 0; bytes < 4 * DEPTH; bytes += 7) {
            struct ct_features features = {{[CT_FEATURE_COMM_SIZE] = 2, [CT_FEATURE_MSG_BYTES] = bytes}};
            assert_decides(&tree, &index, &features);
        }
        ct_tree_index_free(&index);
        ct_tree_free(&tree);
    }
}

/* A test that those above settle is in no table, but must not spoil memory. */
static void test_settled(void **state)
{
    (void)state;
    struct ct_decision_tree tree = {.collective = CT_COLLECTIVE_BCAST};
    static const struct ct_tree_node nodes[] = {
        {.feature = CT_FEATURE_COMM_SIZE, .threshold = 8, .low = 1, .high = 2},
        {.feature = CT_FEATURE_COMM_SIZE, .threshold = 16, .low = 3, .high = 4},
        {.feature = CT_FEATURE_COMM_SIZE, .threshold = 4, .low = 5, .high = 6},
        {.feature = CT_LEAF, .method = 1},
        {.feature = CT_LEAF, .method = 2},
        {.feature = CT_LEAF, .method = 3},
        {.feature = CT_LEAF, .method = 4},
    };
    uint32_t place;
    for (size_t i = 0; i < sizeof nodes / sizeof nodes[0]; i++)
        assert_int_equal(ct_tree_add_node(&tree, &nodes[i], &place), CT_OK);
    struct ct_tree_index index;
    assert_int_equal(ct_tree_index_make(&tree, &index), CT_OK);
    for (size_t size = 0; size < 20; size++)
        assert_decides(&tree, &index, &(struct ct_features){{[CT_FEATURE_COMM_SIZE] = size}});
    ct_tree_index_free(&index);
    ct_tree_free(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranks), cmocka_unit_test(test_keys),    cmocka_unit_test(test_random_trees),
        cmocka_unit_test(test_deep),  cmocka_unit_test(test_settled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
