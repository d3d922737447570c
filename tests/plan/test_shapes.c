/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/shapes.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SIZES = 200 };

/* The numbers as words, each with a blank before. */
static void assert_children(const struct ct_tree *tree, const char *expected)
{
    char text[100] = "";
    for (int i = 0; i < tree->child_count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), " %d", tree->children[i]);
    assert_string_equal(text, expected);
}

static void test_children_in_the_order_they_are_served(void **state)
{
    (void)state;
    struct ct_tree tree;
    ct_tree_chain(0, 12, 3, &tree);
    assert_children(&tree, " 1 5 9");
    ct_tree_binary(2, 12, &tree);
    assert_children(&tree, " 4 6");
    ct_tree_in_order_binary(0, 10, &tree);
    assert_children(&tree, " 1 6");
    ct_tree_binomial(0, 11, &tree);
    assert_children(&tree, " 1 2 4 8");
    ct_tree_reverse(&tree);
    assert_children(&tree, " 8 4 2 1");
    ct_tree_binomial_balanced(1, 11, &tree);
    assert_children(&tree, " 3 5 9");
    ct_tree_knomial(0, 11, 3, &tree);
    assert_children(&tree, " 1 2 3 6 9");
    ct_tree_knomial(9, 11, 3, &tree);
    assert_children(&tree, " 10");
}

/* The root of the widest tree has room for its children. */
static void test_most_children(void **state)
{
    (void)state;
    struct ct_tree tree;
    for (int radix = 2; radix <= 64; radix++) {
        ct_tree_knomial(0, INT_MAX, radix, &tree);
        assert_in_range(tree.child_count, 31, CT_CHILDREN_MAX);
        assert_in_range(tree.children[tree.child_count - 1], INT_MAX / 64, INT_MAX - 1);
    }
    ct_tree_binomial(0, INT_MAX, &tree);
    assert_int_equal(tree.child_count, 31);
    ct_tree_binomial_balanced(0, INT_MAX, &tree);
    assert_int_equal(tree.children[30], 1 << 30);
}

static void test_chains_are_as_many_as_asked_for(void **state)
{
    (void)state;
    struct ct_tree root;
    for (int size = 2; size <= 40; size++)
        for (int fan = 1; fan < size; fan++) {
            ct_tree_chain(0, size, fan, &root);
            assert_int_equal(root.child_count, fan);
        }
}

/* What split_binary stands on: odd ranks hang below 1, even ones below 2. */
static void test_binary_subtrees_by_parity(void **state)
{
    (void)state;
    struct ct_tree tree;
    for (int rank = 3; rank < SIZES; rank++) {
        ct_tree_binary(rank, SIZES, &tree);
        assert_int_equal(tree.parent % 2, rank % 2);
    }
}

/* So are those of k-nomial trees, and each ends where the next begins. */
static void test_knomial_subtrees_are_intervals(void **state)
{
    (void)state;
    for (int radix = 2; radix <= 9; radix++)
        for (int size = 1; size <= SIZES; size++) {
            assert_int_equal(ct_tree_knomial_end(0, size, radix), size);
            for (int rank = 0; rank < size; rank++) {
                struct ct_tree tree;
                int next = rank + 1;
                ct_tree_knomial(rank, size, radix, &tree);
                for (int i = 0; i < tree.child_count; i++) {
                    assert_int_equal(tree.children[i], next);
                    next = ct_tree_knomial_end(next, size, radix);
                }
                assert_int_equal(ct_tree_knomial_end(rank, size, radix), next);
            }
        }
    assert_int_equal(ct_tree_knomial_end(1 << 30, 2147483647, 2), 2147483647);
}

static void test_virtual_ranks(void **state)
{
    (void)state;
    for (int size = 1; size < 20; size++)
        for (int root = 0; root < size; root++)
            for (int rank = 0; rank < size; rank++) {
                assert_int_equal(ct_actual(ct_virtual(rank, root, size), root, size), rank);
                assert_int_equal(ct_virtual(root, root, size), 0);
            }
    assert_int_equal(ct_power_of_two_below(1), 1);
    assert_int_equal(ct_power_of_two_below(63), 32);
    assert_int_equal(ct_power_of_two_below(64), 64);
    assert_int_equal(ct_power_of_two_below(2147483647), 1 << 30);
}

static void test_segments(void **state)
{
    (void)state;
    const size_t lengths[] = {0, 1, 2, 3, 7, 8, 9, 100};
    for (size_t n = 0; n <= 50; n++) {
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
            struct ct_segments segments = ct_segments_cut(n, 1, lengths[i]);
            size_t sum = 0;
            for (size_t s = 0; s < segments.count; s++) {
                assert_int_equal(ct_segment_offset(&segments, s), sum);
                size_t length = ct_segment_length(&segments, s);
                assert_in_range(length, 1, lengths[i] ? lengths[i] : n);
                sum += length;
            }
            assert_int_equal(sum, n);
        }
    }
    /* segments are whole elements, of one at least */
    assert_int_equal(ct_segments_cut(10, 8, 20).length, 2);
    assert_int_equal(ct_segments_cut(10, 8, 7).length, 1);
    assert_int_equal(ct_segments_cut(SIZE_MAX, 1, 0).count, 1);
    assert_int_equal(ct_segments_cut(SIZE_MAX, 1, SIZE_MAX - 1).count, 2);
}

static void test_parts(void **state)
{
    (void)state;
    for (size_t n = 0; n < 40; n++)
        for (size_t parts = 1; parts < 12; parts++) {
            assert_int_equal(ct_part_offset(n, parts, 0), 0);
            assert_int_equal(ct_part_offset(n, parts, parts), n);
            for (size_t i = 0; i < parts; i++) {
                size_t length = ct_part_offset(n, parts, i + 1) - ct_part_offset(n, parts, i);
                assert_int_equal(length, n / parts + (i < n % parts));
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_children_in_the_order_they_are_served),
        cmocka_unit_test(test_most_children),
        cmocka_unit_test(test_chains_are_as_many_as_asked_for),
        cmocka_unit_test(test_binary_subtrees_by_parity),
        cmocka_unit_test(test_knomial_subtrees_are_intervals),
        cmocka_unit_test(test_virtual_ranks),
        cmocka_unit_test(test_segments),
        cmocka_unit_test(test_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
