/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/text.h"
#include "plan/call.h"
#include "plan/cell_key.h"
#include "plan/pattern.h"
#include "plan/pattern_share.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <string.h>

#include <cmocka.h>

/* A call of all ranks by a pattern, two ranks a node. */
struct made {
    struct ct_pattern pattern;
    struct ct_nodes nodes;
    struct ct_call call;
};

static void make(const char *text, int size, size_t bytes, bool varies, struct made *made)
{
    struct ct_error error = {{0}};
    struct ct_edge *edges;
    size_t count;
    int labels[16];
    for (int i = 0; i < size; i++)
        labels[i] = i / 2;
    if (ct_pattern_edges(text, size, &error, &edges, &count) != CT_OK)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < count; i++)
        edges[i].length = (i + 1) * bytes;
    assert_int_equal(ct_pattern_make(size, edges, count, varies, &made->pattern), CT_OK);
    assert_int_equal(ct_nodes_make(labels, size, &made->nodes), CT_OK);
    made->call = (struct ct_call){.size = size,
                                  .unit_bytes = 1,
                                  .count = bytes,
                                  .neighbors = made->pattern.ranks,
                                  .nodes = &made->nodes};
    free(edges);
}

static struct ct_pattern_features features_of(enum ct_collective collective, const char *text, int size,
                                              size_t bytes)
{
    struct made made;
    make(text, size, bytes, ct_collectives[collective].varies, &made);
    const struct ct_pattern_features features = ct_pattern_features_of_all(collective, &made.call);
    made.call.pattern = &features;
    const struct ct_cell_key key = ct_call_key(collective, &made.call);
    assert_int_equal(key.msg_bytes, features.edge_bytes);
    assert_int_equal(key.degree, features.degree);
    assert_int_equal(key.on_node, features.on_node);
    ct_pattern_free(&made.pattern);
    ct_nodes_free(&made.nodes);
    return features;
}

static void expect(struct ct_pattern_features is, size_t bytes, unsigned degree, unsigned mean_degree,
                   unsigned imbalance, unsigned on_node)
{
    assert_int_equal(is.edge_bytes, bytes);
    assert_int_equal(is.degree, degree);
    assert_int_equal(is.mean_degree, mean_degree);
    assert_int_equal(is.imbalance, imbalance);
    assert_int_equal(is.on_node, on_node);
}

static void test_features(void **state)
{
    (void)state;
    /* rank 0 sends to 1, 2 and 3, rank 1 to 0: 4 edges of 4 ranks, two of them on a node */
    expect(features_of(CT_COLLECTIVE_NEIGHBOR_ALLTOALL, "edges:0>1,0>2,0>3,1>0", 4, 10), 10, 3, 100, 300, 50);
    /* a rank that receives most counts, too */
    expect(features_of(CT_COLLECTIVE_NEIGHBOR_ALLGATHER, "edges:1>0,2>0,3>0", 4, 10), 10, 3, 75, 400, 33);
    /* lengths 8, 16 and 24: 16 on average, 48 in all; rank 2 gets 40 of the 12 that a rank sends on average
     */
    expect(features_of(CT_COLLECTIVE_NEIGHBOR_ALLTOALLV, "edges:0>1,1>2,3>2", 4, 8), 16, 2, 75, 333, 66);
    /* a rank may be its own neighbor, and may be one twice */
    expect(features_of(CT_COLLECTIVE_NEIGHBOR_ALLTOALL, "edges:0>0,0>1,0>1", 2, 1), 1, 3, 150, 200, 100);
    expect(features_of(CT_COLLECTIVE_NEIGHBOR_ALLTOALL, "random:density=0", 5, 8), 0, 0, 0, 100, 0);
    expect(features_of(CT_COLLECTIVE_NEIGHBOR_ALLTOALL, "moore:d=1,r=1", 8, 8), 8, 2, 200, 100, 50);
}

/* Shares may be added in any order, and in parts, as a reduction does it. */
static void test_shares(void **state)
{
    (void)state;
    struct made made;
    struct ct_pattern_share halves[2] = {{{0}, {0}}, {{0}, {0}}};
    make("hubs:count=2,degree=3", 12, 100, true, &made);
    for (int rank = 11; rank >= 0; rank--) {
        const struct ct_call own = ct_call_of_rank(CT_COLLECTIVE_NEIGHBOR_ALLTOALLV, &made.call, rank);
        const struct ct_pattern_share share = ct_pattern_share_of(CT_COLLECTIVE_NEIGHBOR_ALLTOALLV, &own);
        ct_pattern_share_add(&halves[rank % 2], &share);
    }
    ct_pattern_share_add(&halves[1], &halves[0]);
    const struct ct_pattern_features all =
        ct_pattern_features_of_all(CT_COLLECTIVE_NEIGHBOR_ALLTOALLV, &made.call);
    const struct ct_pattern_features added = ct_pattern_features_of(&halves[1], 12);
    assert_memory_equal(&all, &added, sizeof all);
    assert_int_equal(all.degree, 11);
    ct_pattern_free(&made.pattern);
    ct_nodes_free(&made.nodes);
}

/* Sums that do not fit stay at the greatest number. */
static void test_limits(void **state)
{
    (void)state;
    const struct ct_pattern_features huge =
        features_of(CT_COLLECTIVE_NEIGHBOR_ALLTOALL, "moore:d=1,r=1", 4, SIZE_MAX / 2);
    assert_true(huge.edge_bytes > 0);
    assert_int_equal(huge.degree, 2);
}

/* Patterns are told apart by their texts, and cells by their patterns. */
static void test_identity(void **state)
{
    (void)state;
    struct ct_cell_key one = {.comm_size = 4, .pattern = ct_pattern_id("moore:d=1,r=1")}, other = one;
    assert_int_not_equal(one.pattern, 0);
    assert_int_equal(ct_cell_key_compare(&one, &other), 0);
    other.pattern = ct_pattern_id("moore:d=1,r=2");
    assert_int_not_equal(ct_cell_key_compare(&one, &other), 0);
    assert_int_equal(ct_cell_key_compare(&one, &other), -ct_cell_key_compare(&other, &one));
}

static void test_list(void **state)
{
    (void)state;
    char **texts;
    size_t count;
    struct ct_error error = {{0}};
    assert_int_equal(
        ct_patterns_split(" moore:d=2,r=1  edges:0>1,1>0\nrandom:density=1,hubs:count=1,degree=2", &error,
                          &texts, &count),
        CT_OK);
    assert_int_equal(count, 4);
    assert_string_equal(texts[0], "moore:d=2,r=1");
    assert_string_equal(texts[1], "edges:0>1,1>0");
    assert_string_equal(texts[3], "hubs:count=1,degree=2");
    ct_words_free(texts, count);
    assert_int_equal(ct_patterns_split("  ", &error, &texts, &count), CT_E_INPUT);
}

/* Quotes and backslashes keep blanks and commas in names of files. */
static void test_names_in_a_list(void **state)
{
    (void)state;
    static const struct {
        const char *list, *first;
        size_t count;
    } rows[] = {
        {"matrix:my\\ file.mtx moore:d=2,r=1", "matrix:my file.mtx", 2},
        {"matrix:'my file.mtx',parts=entries moore:d=2,r=1", "matrix:my file.mtx,parts=entries", 2},
        {"matrix:\"it's a, b.mtx\",moore:d=2,r=1", "matrix:it's a, b.mtx", 2},
        {"'matrix:a b.mtx,parts=rows'\tmoore:d=2,r=1", "matrix:a b.mtx,parts=rows", 2},
        {"matrix:a\\,b\\\\c\\'.mtx", "matrix:a,b\\c'.mtx", 1},
    };
    static const struct {
        const char *list, *text;
    } wrong[] = {
        {"matrix:'my file.mtx", "--pattern: 'matrix:'my file.mtx': the quote ' is not closed"},
        {"moore:d=2,r=1 matrix:\"a b'", "the quote \" is not closed"},
        {"matrix:my\\", "--pattern: 'matrix:my\\': expected a character behind the backslash at the end"},
        {"matrix:'a\nb'", "expected a file without a line break in its name"},
        {"matrix:'a b',,moore:d=2,r=1", "--pattern: empty item in the list 'matrix:a b,,moore:d=2,r=1'"},
        {"''", "--pattern: empty item in the list ''"},
    };
    char **texts;
    size_t count;
    struct ct_error error = {{0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(ct_patterns_split(rows[i].list, &error, &texts, &count), CT_OK);
        assert_int_equal(count, rows[i].count);
        assert_string_equal(texts[0], rows[i].first);
        if (count > 1)
            assert_string_equal(texts[1], "moore:d=2,r=1");
        ct_words_free(texts, count);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(ct_patterns_split(wrong[i].list, &error, &texts, &count), CT_E_INPUT);
        if (!strstr(error.text, wrong[i].text))
            fail_msg("%s", error.text);
    }
}

/* The mean of the lengths stands for the message size. */
static void test_bytes(void **state)
{
    (void)state;
    const struct ct_edge edges[] = {{0, 1, 1}, {1, 2, 3}};
    const double mean = ct_edges_mean(edges, 2);
    assert_int_equal(ct_edge_bytes(CT_COLLECTIVE_NEIGHBOR_ALLTOALL, &edges[1], mean, 10), 10);
    assert_int_equal(ct_edge_bytes(CT_COLLECTIVE_NEIGHBOR_ALLTOALLV, &edges[0], mean, 10), 5);
    assert_int_equal(ct_edge_bytes(CT_COLLECTIVE_NEIGHBOR_ALLTOALLW, &edges[1], mean, 10), 15);
    assert_int_equal(ct_edge_bytes(CT_COLLECTIVE_NEIGHBOR_ALLGATHERV, &edges[0], mean, 10), 5);
    assert_int_equal(ct_edge_bytes(CT_COLLECTIVE_NEIGHBOR_ALLGATHERV, &edges[1], mean, 10), 15);
}

/* Alternately half as long and half as long again; the mean stays. */
static void test_block_lengths(void **state)
{
    (void)state;
    static const size_t even[] = {5, 15, 5, 15}, odd[] = {5, 15, 10};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(ct_block_length(CT_COLLECTIVE_ALLGATHER, 10, i, 0, 4), 10);
        assert_int_equal(ct_block_length(CT_COLLECTIVE_ALLGATHERV, 10, i, 0, 4), even[i]);
        assert_int_equal(ct_block_length(CT_COLLECTIVE_REDUCE_SCATTER, 10, 0, i, 4), even[i]);
    }
    for (int i = 0; i < 3; i++)
        assert_int_equal(ct_block_length(CT_COLLECTIVE_ALLGATHERV, 10, i, 0, 3), odd[i]);
    assert_int_equal(ct_block_length(CT_COLLECTIVE_ALLTOALLV, 10, 1, 1, 3), 5);
    assert_int_equal(ct_block_length(CT_COLLECTIVE_ALLTOALLV, 10, 1, 2, 3), 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block_lengths),   cmocka_unit_test(test_features),
        cmocka_unit_test(test_shares),          cmocka_unit_test(test_limits),
        cmocka_unit_test(test_identity),        cmocka_unit_test(test_list),
        cmocka_unit_test(test_names_in_a_list), cmocka_unit_test(test_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
