/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/agreed_tree.h"
#include "tests/learners/map_fixture.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Trees of random points that agree, against their decisions one by one. */

enum { METHODS = 4, TREES = 4, COLUMNS = 2, LARGEST = 40 };

static const struct ct_feature_set no_composites;
static const struct ct_feature_columns sizes = {
    .set = &no_composites, .numbers = {CT_FEATURE_MSG_BYTES, CT_FEATURE_COMM_SIZE}, .count = COLUMNS};

static struct ct_loss_tree random_tree(unsigned *seed)
{
    struct ct_points points;
    struct ct_loss_tree tree;
    assert_int_equal(ct_points_make(1 + fixture_random(seed, 40), METHODS, &sizes, &points), CT_OK);
    for (size_t i = 0; i < points.count; i++) {
        for (size_t column = 0; column < COLUMNS; column++)
            ct_point_values(&points, i)[column] = 1 + fixture_random(seed, LARGEST - 1);
        for (size_t m = 0; m < METHODS; m++)
            points.losses[i * METHODS + m] = (double)fixture_random(seed, 1000) / 1000;
    }
    assert_int_equal(ct_loss_tree_grow(&points, CT_LOSS_DEEPEST, SIZE_MAX, &tree), CT_OK);
    ct_loss_tree_cut(&tree, (double)fixture_random(seed, 100) / 100);
    ct_points_free(&points);
    return tree;
}

static const struct ct_loss_node *decide(const struct ct_loss_tree *tree, const size_t *values)
{
    return &tree->nodes[ct_loss_tree_leaf(tree, values)];
}

/* The first tree's leaf, or the first careful one. */
static const struct ct_loss_node *expected(const struct ct_loss_tree *trees, const bool *careful,
                                           const size_t *values)
{
    for (size_t i = 0; i < TREES; i++)
        if (careful[decide(&trees[i], values)->method])
            return decide(&trees[i], values);
    return decide(&trees[0], values);
}

/* All tests below a node let calls pass both ways, and tell different leaves apart. */
static void check_tests(const struct ct_loss_tree *tree, size_t at, const size_t least[COLUMNS],
                        const size_t most[COLUMNS], size_t *leaves)
{
    const struct ct_loss_node *node = &tree->nodes[at];
    if (node->is_leaf) {
        assert_int_equal(node->feature, CT_LEAF);
        ++*leaves;
        return;
    }
    size_t lower[COLUMNS] = {most[0], most[1]}, upper[COLUMNS] = {least[0], least[1]};
    assert_in_range(node->threshold, least[node->feature], most[node->feature] - 1);
    assert_false(ct_loss_leaves_equal(&tree->nodes[node->low], &tree->nodes[node->high]));
    lower[node->feature] = node->threshold;
    upper[node->feature] = node->threshold + 1;
    check_tests(tree, node->low, least, lower, leaves);
    check_tests(tree, node->high, upper, most, leaves);
}

static void test_agreement(void **state)
{
    (void)state;
    const size_t least[COLUMNS] = {0}, most[COLUMNS] = {SIZE_MAX, SIZE_MAX};
    size_t changed = 0, kept = 0;
    for (unsigned seed = 1; seed <= 60; seed++) {
        unsigned random = seed;
        struct ct_loss_tree trees[TREES], agreed;
        const bool careful[METHODS] = {true, seed % 3 == 0};
        size_t leaves = 0;
        for (size_t i = 0; i < TREES; i++)
            trees[i] = random_tree(&random);
        assert_int_equal(ct_loss_trees_agree(trees, TREES, careful, COLUMNS, &agreed), CT_OK);
        for (size_t call = 0; call < LARGEST * LARGEST; call++) {
            const size_t values[COLUMNS] = {call / LARGEST, call % LARGEST};
            const struct ct_loss_node *wanted = expected(trees, careful, values);
            assert_true(ct_loss_leaves_equal(decide(&agreed, values), wanted));
            changed += wanted->method != decide(&trees[0], values)->method;
            kept += !careful[wanted->method];
        }
        check_tests(&agreed, 0, least, most, &leaves);
        assert_int_equal(agreed.count, 2 * leaves - 1);
        for (size_t i = 0; i < TREES; i++)
            ct_loss_tree_free(&trees[i]);
        ct_loss_tree_free(&agreed);
    }
    assert_true(changed > 0 && kept > 0); /* both happen */
}

/* Without a careful method, and alone, the first tree decides. */
static void test_first_decides(void **state)
{
    (void)state;
    const bool none[METHODS] = {false};
    unsigned random = 7;
    struct ct_loss_tree trees[2] = {random_tree(&random), random_tree(&random)};
    for (size_t count = 1; count <= 2; count++) {
        struct ct_loss_tree agreed;
        assert_int_equal(ct_loss_trees_agree(trees, count, none, COLUMNS, &agreed), CT_OK);
        for (size_t call = 0; call < LARGEST * LARGEST; call++) {
            const size_t values[COLUMNS] = {call / LARGEST, call % LARGEST};
            assert_true(ct_loss_leaves_equal(decide(&agreed, values), decide(&trees[0], values)));
        }
        ct_loss_tree_free(&agreed);
    }
    ct_loss_tree_free(&trees[0]);
    ct_loss_tree_free(&trees[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agreement),
        cmocka_unit_test(test_first_decides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
