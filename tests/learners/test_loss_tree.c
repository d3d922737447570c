/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "learners/loss_tree.h"
#include "tests/learners/map_fixture.h"

#include <math.h>
#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { METHODS = 4 };

static const double close_enough = 1e-5;

/* Column 0 is the message size, so that columns and features are not taken for one another. */
static const struct ct_feature_set no_composites;
static const struct ct_feature_columns sizes = {
    .set = &no_composites, .numbers = {CT_FEATURE_MSG_BYTES, CT_FEATURE_COMM_SIZE}, .count = 2};

/* So many points of random sizes, some of them alike, and random losses, one method of each losing nothing.
 */
static struct ct_points random_points(unsigned *seed, size_t count)
{
    struct ct_points points;
    assert_int_equal(ct_points_make(count, METHODS, &sizes, &points), CT_OK);
    for (size_t i = 0; i < count; i++) {
        ct_point_values(&points, i)[0] = 2 + fixture_random(seed, 8);
        ct_point_values(&points, i)[1] = (size_t)1 << fixture_random(seed, 8);
        for (size_t m = 0; m < METHODS; m++)
            points.losses[i * METHODS + m] = (double)fixture_random(seed, 1000) / 1000;
        points.losses[i * METHODS + fixture_random(seed, METHODS)] = 0;
    }
    return points;
}

static double loss_of(const struct ct_loss_tree *tree, const struct ct_points *points)
{
    double sum = 0;
    for (size_t i = 0; i < points->count; i++) {
        size_t leaf = ct_loss_tree_leaf(tree, ct_point_values(points, i));
        assert_true(tree->nodes[leaf].is_leaf);
        sum += ct_point_loss(points, i, tree->nodes[leaf].method, tree->nodes[leaf].fallback);
    }
    return sum;
}

/* What is lost where points that no feature tells apart share their best method: no tree loses less. */
static double least_loss(const struct ct_points *points)
{
    double total = 0;
    for (size_t i = 0; i < points->count; i++) {
        double sums[METHODS] = {0}, least = INFINITY;
        bool is_first = true;
        for (size_t j = 0; j < points->count; j++) {
            if (points->values[i * 2] != points->values[j * 2] ||
                points->values[i * 2 + 1] != points->values[j * 2 + 1])
                continue;
            is_first = is_first && j >= i;
            for (size_t m = 0; m < METHODS; m++)
                sums[m] += points->losses[j * METHODS + m];
        }
        for (size_t m = 0; m < METHODS; m++)
            least = fmin(least, sums[m]);
        total += is_first ? least : 0;
    }
    return total;
}

/* Whole trees lose the least that can be, nodes know what they lose, and bounded ones are not deeper. */
static void test_grow(void **state)
{
    (void)state;
    unsigned seed = 1;
    for (size_t count = 1; count < 120; count += 7) {
        struct ct_points points = random_points(&seed, count);
        struct ct_loss_tree tree;
        assert_int_equal(ct_loss_tree_grow(&points, SIZE_MAX, SIZE_MAX, &tree), CT_OK);
        assert_float_equal(loss_of(&tree, &points), least_loss(&points), close_enough * (double)count);
        assert_int_equal(tree.nodes[0].points, count);
        assert_true(ct_loss_tree_cut(&tree, INFINITY) == 1);
        assert_float_equal(loss_of(&tree, &points), tree.nodes[0].loss, close_enough);
        ct_loss_tree_free(&tree);
        assert_int_equal(ct_loss_tree_grow(&points, 1, SIZE_MAX, &tree), CT_OK);
        assert_true(tree.count <= 3);
        ct_loss_tree_free(&tree);
        ct_points_free(&points);
    }
}

/* The best single split is found: against all there are. */
static void test_first_split(void **state)
{
    (void)state;
    unsigned seed = 7;
    for (int turn = 0; turn < 50; turn++) {
        struct ct_points points = random_points(&seed, 40);
        struct ct_loss_tree tree;
        double best = INFINITY;
        for (int f = 0; f < 2; f++)
            for (size_t at = 1; at <= 256; at++) {
                double low[METHODS] = {0}, high[METHODS] = {0}, least_low = INFINITY, least_high = INFINITY;
                for (size_t i = 0; i < points.count; i++)
                    for (size_t m = 0; m < METHODS; m++)
                        *(ct_point_values(&points, i)[f] <= at ? &low[m] : &high[m]) +=
                            points.losses[i * METHODS + m];
                for (size_t m = 0; m < METHODS; m++) {
                    least_low = fmin(least_low, low[m]);
                    least_high = fmin(least_high, high[m]);
                }
                best = fmin(best, least_low + least_high);
            }
        assert_int_equal(ct_loss_tree_grow(&points, 1, SIZE_MAX, &tree), CT_OK);
        assert_float_equal(loss_of(&tree, &points), best, close_enough);
        ct_loss_tree_free(&tree);
        ct_points_free(&points);
    }
}

/* Thresholds lie halfway by doublings; equally good methods leave it to the favourite. */
static void test_thresholds(void **state)
{
    (void)state;
    struct ct_points points;
    struct ct_loss_tree tree;
    assert_int_equal(ct_points_make(2, METHODS, &sizes, &points), CT_OK);
    ct_point_values(&points, 0)[0] = 4;
    ct_point_values(&points, 1)[0] = 64;
    points.losses[0] = points.losses[METHODS + 1] = 1;
    assert_int_equal(ct_loss_tree_grow(&points, SIZE_MAX, SIZE_MAX, &tree), CT_OK);
    assert_int_equal(tree.count, 1); /* methods 2 and 3 lose nothing at all */
    assert_int_equal(tree.nodes[0].method, 2);
    ct_loss_tree_free(&tree);
    assert_int_equal(ct_loss_tree_grow(&points, SIZE_MAX, 3, &tree), CT_OK);
    assert_int_equal(tree.nodes[0].method, 3);
    ct_loss_tree_free(&tree);
    for (size_t i = 0; i < 2; i++)
        points.losses[i * METHODS + 2] = points.losses[i * METHODS + 3] = 1;
    assert_int_equal(ct_loss_tree_grow(&points, SIZE_MAX, 3, &tree), CT_OK);
    assert_int_equal(tree.count, 3);
    assert_int_equal(tree.nodes[0].threshold, 16);
    ct_loss_tree_free(&tree);
    /* neighbours have nothing between them, and no size is no trouble */
    ct_point_values(&points, 0)[0] = 0;
    ct_point_values(&points, 1)[0] = 1;
    assert_int_equal(ct_loss_tree_grow(&points, SIZE_MAX, 3, &tree), CT_OK);
    assert_int_equal(tree.nodes[0].threshold, 0);
    ct_loss_tree_free(&tree);
    ct_points_free(&points);
}

/* Methods 2 and 3 apply to some of the points alone, each in its own way. */
static void constrain(struct ct_points *points, unsigned *seed)
{
    enum { KINDS = 3 };
    points->kinds[2] = 1;
    points->kinds[3] = 2;
    points->kind_count = KINDS;
    points->applies = ct_allocate(points->count * KINDS, sizeof *points->applies);
    assert_non_null(points->applies);
    for (size_t i = 0; i < points->count; i++)
        for (size_t kind = 0; kind < KINDS; kind++) {
            bool applies = kind == 0 || fixture_random(seed, 3) > 0;
            points->applies[i * KINDS + kind] = applies;
            if (!applies)
                points->losses[i * METHODS + 1 + kind] = 0;
        }
}

/* The least that a leaf for all points with features[f] in (above, upto] can lose, of all pairs. */
static double least_leaf(const struct ct_points *points, size_t f, size_t above, size_t upto)
{
    double least = INFINITY;
    for (size_t stand_in = 0; stand_in < 2; stand_in++)
        for (size_t m = 0; m < METHODS; m++) {
            double sum = 0;
            for (size_t i = 0; i < points->count; i++)
                if (ct_point_values(points, i)[f] > above && ct_point_values(points, i)[f] <= upto)
                    sum += ct_point_loss(points, i, m, stand_in);
            least = fmin(least, sum);
        }
    return least;
}

/* Where a method does not apply, what stands in for it costs what it costs there, and is the same throughout
 * a leaf: splits and leaves are the best by that account. */
static void test_stand_ins(void **state)
{
    (void)state;
    unsigned seed = 5;
    for (int turn = 0; turn < 60; turn++) {
        struct ct_points points = random_points(&seed, 24);
        struct ct_loss_tree tree;
        double best = INFINITY;
        constrain(&points, &seed);
        assert_int_equal(ct_loss_tree_grow(&points, 0, SIZE_MAX, &tree), CT_OK);
        assert_float_equal(tree.nodes[0].loss, least_leaf(&points, 0, 0, SIZE_MAX), close_enough);
        assert_float_equal(loss_of(&tree, &points), tree.nodes[0].loss, close_enough);
        assert_int_equal(points.kinds[tree.nodes[0].fallback], 0);
        best = tree.nodes[0].loss;
        ct_loss_tree_free(&tree);
        for (size_t f = 0; f < 2; f++)
            for (size_t at = 1; at < 200; at++)
                best = fmin(best, least_leaf(&points, f, 0, at) + least_leaf(&points, f, at, SIZE_MAX));
        assert_int_equal(ct_loss_tree_grow(&points, 1, SIZE_MAX, &tree), CT_OK);
        assert_float_equal(loss_of(&tree, &points), best, close_enough);
        ct_loss_tree_free(&tree);
        ct_points_free(&points);
    }
}

/* If a leaf's method applies to all its points, other calls may still need the fallback: it is not the
 * favourite, but the method that loses the least. */
static void test_unused_fallback(void **state)
{
    (void)state;
    enum { COUNT = 6, FAVOURITE = 0, BETTER = 1, CONSTRAINED = 2 };
    static const double losses[METHODS] = {2, 1, 0, 3};
    struct ct_points points;
    struct ct_loss_tree tree;
    unsigned seed = 1;
    assert_int_equal(ct_points_make(COUNT, METHODS, &sizes, &points), CT_OK);
    constrain(&points, &seed);
    for (size_t i = 0; i < COUNT * METHODS; i++)
        points.losses[i] = losses[i % METHODS];
    for (size_t i = 0; i < COUNT * points.kind_count; i++)
        points.applies[i] = true;
    assert_int_equal(ct_loss_tree_grow(&points, 0, FAVOURITE, &tree), CT_OK);
    assert_int_equal(tree.nodes[0].method, CONSTRAINED);
    assert_int_equal(tree.nodes[0].fallback, BETTER);
    ct_loss_tree_free(&tree);
    ct_points_free(&points);
}

/* Two splits that save something together and nothing alone are found. */
static void test_crossed(void **state)
{
    (void)state;
    struct ct_points points;
    struct ct_loss_tree tree;
    assert_int_equal(ct_points_make(4, 2, &sizes, &points), CT_OK);
    for (size_t i = 0; i < 4; i++) {
        ct_point_values(&points, i)[0] = i / 2 ? 2 : 8;
        ct_point_values(&points, i)[1] = i % 2 ? 2 : 8;
        points.losses[i * 2 + (i == 0 || i == 3)] = 1;
    }
    assert_int_equal(ct_loss_tree_grow(&points, SIZE_MAX, SIZE_MAX, &tree), CT_OK);
    assert_int_equal(ct_loss_tree_cut(&tree, 0), 4);
    assert_float_equal(tree.nodes[0].least, 0, close_enough);
    /* at half of what the four save, two leaves are not worth their price, nor are four */
    assert_int_equal(ct_loss_tree_cut(&tree, 1), 1);
    ct_loss_tree_free(&tree);
    ct_points_free(&points);
}

/* The least of loss + price * leaves over all subtrees with at most so many leaves, by trying all. */
static double best_subtree(const struct ct_loss_tree *tree, size_t at, double price, size_t max_leaves)
{
    const struct ct_loss_node *node = &tree->nodes[at];
    double best = node->loss + price;
    for (size_t lows = 1; node->feature != CT_LEAF && lows < max_leaves; lows++)
        best = fmin(best, best_subtree(tree, node->low, price, lows) +
                              best_subtree(tree, node->high, price, max_leaves - lows));
    return best;
}

static size_t count_leaves(const struct ct_loss_tree *tree, size_t at)
{
    const struct ct_loss_node *node = &tree->nodes[at];
    return node->is_leaf ? 1 : count_leaves(tree, node->low) + count_leaves(tree, node->high);
}

/* Trees that are cut back are the best of all. */
static void test_cut(void **state)
{
    (void)state;
    unsigned seed = 3;
    for (int turn = 0; turn < 10; turn++) {
        struct ct_points points = random_points(&seed, 14);
        struct ct_loss_tree tree;
        assert_int_equal(ct_loss_tree_grow(&points, SIZE_MAX, SIZE_MAX, &tree), CT_OK);
        size_t before = SIZE_MAX;
        for (double price = 0; price < 1; price += 0.09) {
            size_t leaves = ct_loss_tree_cut(&tree, price);
            assert_int_equal(leaves, count_leaves(&tree, 0));
            assert_true(leaves <= before);
            before = leaves;
            assert_float_equal(loss_of(&tree, &points) + price * (double)leaves,
                               best_subtree(&tree, 0, price, points.count), close_enough);
            for (size_t most = 1; most < 6; most++) {
                assert_int_equal(ct_loss_tree_cut_to(&tree, price, most), CT_OK);
                leaves = count_leaves(&tree, 0);
                assert_true(leaves <= most);
                assert_float_equal(loss_of(&tree, &points) + price * (double)leaves,
                                   best_subtree(&tree, 0, price, most), close_enough);
            }
        }
        ct_loss_tree_free(&tree);
        ct_points_free(&points);
    }
}

/* A decision tree decides as the tree that it comes from, with no test for nothing. */
static void test_emit(void **state)
{
    (void)state;
    unsigned seed = 11;
    struct ct_map map;
    fixture_map(CT_COLLECTIVE_BCAST, "2", "1", "native,linear,binomial:,split_binary:seg=8K", &map);
    for (int turn = 0; turn < 30; turn++) {
        struct ct_points points = random_points(&seed, 60);
        struct ct_loss_tree tree;
        struct ct_decision_tree decisions;
        assert_int_equal(ct_loss_tree_grow(&points, SIZE_MAX, SIZE_MAX, &tree), CT_OK);
        size_t leaves = ct_loss_tree_cut(&tree, 0.1);
        assert_int_equal(ct_loss_tree_emit(&tree, &map, &sizes, &decisions), CT_OK);
        assert_true(ct_tree_leaf_count(&decisions) <= leaves);
        for (size_t i = 0; i < points.count; i++) {
            const size_t *values = ct_point_values(&points, i);
            struct ct_features features = {
                {[CT_FEATURE_COMM_SIZE] = values[1], [CT_FEATURE_MSG_BYTES] = values[0]}};
            const struct ct_tree_node *leaf = ct_tree_decide(&decisions, &features);
            assert_int_equal(ct_map_find_method(&map, &decisions.methods[leaf->method]),
                             tree.nodes[ct_loss_tree_leaf(&tree, values)].method);
        }
        for (size_t i = 0; i < decisions.node_count; i++) {
            const struct ct_tree_node *node = &decisions.nodes[i];
            if (node->feature == CT_LEAF)
                continue;
            const struct ct_tree_node *low = &decisions.nodes[node->low],
                                      *high = &decisions.nodes[node->high];
            assert_false(low->feature == CT_LEAF && high->feature == CT_LEAF && low->method == high->method);
        }
        ct_tree_free(&decisions);
        ct_loss_tree_free(&tree);
        ct_points_free(&points);
    }
    ct_map_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grow),
        cmocka_unit_test(test_first_split),
        cmocka_unit_test(test_thresholds),
        cmocka_unit_test(test_stand_ins),
        cmocka_unit_test(test_unused_fallback),
        cmocka_unit_test(test_crossed),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_emit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
