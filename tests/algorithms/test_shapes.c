/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

enum { SIZES = 130 };

struct shape {
    struct ct_tree (*tree)(int rank, int size, int fan);
    int fan;
};

static struct ct_tree chain(int rank, int size, int fan)
{
    struct ct_tree tree;
    ct_tree_chain(rank, size, fan, &tree);
    return tree;
}

static struct ct_tree binary(int rank, int size, int fan)
{
    (void)fan;
    struct ct_tree tree;
    ct_tree_binary(rank, size, &tree);
    return tree;
}

static struct ct_tree binomial(int rank, int size, int fan)
{
    (void)fan;
    struct ct_tree tree;
    ct_tree_binomial(rank, size, &tree);
    return tree;
}

static struct ct_tree reversed(int rank, int size, int fan)
{
    struct ct_tree tree = binomial(rank, size, fan);
    ct_tree_reverse(&tree);
    return tree;
}

static const struct shape shapes[] = {
    {chain, 1}, {chain, 2}, {chain, 3}, {chain, 7}, {chain, 64}, {binary, 0}, {binomial, 0}, {reversed, 0},
};

/* Every rank but the root is the child of just its parent, and hangs below the root. */
static void test_trees_span_all_ranks(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        for (int size = 1; size <= SIZES; size++) {
            int parents[SIZES] = {0}, named[SIZES] = {0};
            for (int rank = 0; rank < size; rank++) {
                struct ct_tree tree = shapes[s].tree(rank, size, shapes[s].fan);
                parents[rank] = tree.parent;
                assert_in_range(tree.child_count, 0, CT_CHILDREN_MAX);
                for (int i = 0; i < tree.child_count; i++) {
                    assert_in_range(tree.children[i], 1, size - 1);
                    named[tree.children[i]]++;
                    assert_int_equal(shapes[s].tree(tree.children[i], size, shapes[s].fan).parent, rank);
                }
            }
            assert_int_equal(parents[0], -1);
            for (int rank = 1; rank < size; rank++) {
                assert_int_equal(named[rank], 1);
                int at = rank, steps = 0;
                while (at != 0 && steps++ < size)
                    at = parents[at];
                assert_int_equal(at, 0);
            }
        }
    }
}

static void test_chains_differ_by_one_at_most(void **state)
{
    (void)state;
    for (int size = 2; size <= 40; size++) {
        for (int fan = 1; fan < size; fan++) {
            struct ct_tree root = chain(0, size, fan);
            assert_int_equal(root.child_count, fan);
            for (int i = 0; i < fan; i++) {
                int end = i + 1 < fan ? root.children[i + 1] : size;
                int length = end - root.children[i];
                assert_in_range(length, (size - 1) / fan, (size - 1 + fan - 1) / fan);
            }
        }
    }
}

static int parity_of_child(int child, int size)
{
    while (child > 2)
        child = binary(child, size, 0).parent;
    return child % 2;
}

/* What split_binary stands on: odd ranks hang below 1, even ones below 2. */
static void test_binary_subtrees_by_parity(void **state)
{
    (void)state;
    for (int rank = 1; rank < SIZES; rank++)
        assert_int_equal(parity_of_child(rank, SIZES), rank % 2);
    /* depth is logarithmic */
    int depth = 0;
    for (int rank = SIZES - 1; rank > 0; rank = binary(rank, SIZES, 0).parent)
        depth++;
    assert_int_equal(depth, 7);
}

/* Each child's subtree is the ranks from it to the next sibling: what rank order stands on. */
static void test_binomial_subtrees_are_intervals(void **state)
{
    (void)state;
    struct ct_tree root = binomial(0, 11, 0);
    const int expected[] = {1, 2, 4, 8};
    assert_int_equal(root.child_count, 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(root.children[i], expected[i]);
    struct ct_tree last = root;
    ct_tree_reverse(&last);
    assert_int_equal(last.children[0], 8);
    assert_int_equal(last.children[3], 1);
    assert_int_equal(binomial(6, 11, 0).parent, 4);
    assert_int_equal(binomial(8, 11, 0).child_count, 2);
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
        cmocka_unit_test(test_trees_span_all_ranks),
        cmocka_unit_test(test_chains_differ_by_one_at_most),
        cmocka_unit_test(test_binary_subtrees_by_parity),
        cmocka_unit_test(test_binomial_subtrees_are_intervals),
        cmocka_unit_test(test_knomial_subtrees_are_intervals),
        cmocka_unit_test(test_virtual_ranks),
        cmocka_unit_test(test_segments),
        cmocka_unit_test(test_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
