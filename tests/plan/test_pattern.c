/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pattern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct ct_edge *edges_of(const char *text, int size, size_t *ret_count)
{
    struct ct_error error = {{0}};
    struct ct_edge *edges;
    if (ct_pattern_edges(text, size, &error, &edges, ret_count) != CT_OK)
        fail_msg("%s", error.text);
    return edges;
}

/* Ghazimirsaeed 2019, section 7.6.1: (2 r + 1)^d - 1 neighbors, symmetric. */
static void test_moore(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int size;
        size_t degree;
    } rows[] = {
        {"moore:d=1,r=2", 16, 4},  {"moore:d=2,r=1", 64, 8},  {"moore:d=2,r=2", 64, 24},
        {"moore:d=3,r=1", 64, 26}, {"moore:d=4,r=1", 81, 80}, {"moore:d=2,r=1", 4, 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ct_pattern pattern;
        size_t count;
        struct ct_edge *edges = edges_of(rows[i].text, rows[i].size, &count);
        assert_int_equal(count, rows[i].degree * (size_t)rows[i].size);
        assert_int_equal(ct_pattern_make(rows[i].size, edges, count, false, &pattern), CT_OK);
        for (int rank = 0; rank < rows[i].size; rank++) {
            assert_int_equal(pattern.ranks[rank].out_count, rows[i].degree);
            assert_int_equal(pattern.ranks[rank].in_count, rows[i].degree);
        }
        ct_pattern_free(&pattern);
        free(edges);
    }
}

static void test_random_and_hubs(void **state)
{
    (void)state;
    size_t count, again, all;
    struct ct_edge *edges = edges_of("random:density=0.25", 100, &count);
    struct ct_edge *same = edges_of("random:density=0.25", 100, &again);
    assert_int_equal(count, again);
    assert_memory_equal(edges, same, count * sizeof *edges);
    assert_in_range(count, 2200, 2750); /* 2475 are expected */
    free(edges);
    free(same);
    edges = edges_of("hubs:count=4,degree=20", 256, &all);
    assert_int_equal(all, 4 * 255 + 252 * 20);
    free(edges);
    edges = edges_of("random:density=0", 5, &all);
    assert_int_equal(all, 0);
    free(edges);
}

/* The mean is as asked for, and degrees differ much; ranks send to different ranks other than themselves. */
static void test_powerlaw(void **state)
{
    (void)state;
    enum { RANKS = 1000 };
    size_t count, most = 0, least = RANKS;
    struct ct_edge *edges = edges_of("powerlaw:degree=20,exponent=2.5", RANKS, &count);
    struct ct_pattern pattern;
    assert_in_range(count, 19000, 21000);
    assert_int_equal(ct_pattern_make(RANKS, edges, count, false, &pattern), CT_OK);
    for (int rank = 0; rank < RANKS; rank++) {
        const struct ct_neighbors *own = &pattern.ranks[rank];
        bool seen[RANKS] = {false};
        seen[rank] = true;
        for (size_t i = 0; i < own->out_count; i++) {
            assert_false(seen[own->out[i]]);
            seen[own->out[i]] = true;
        }
        most = own->out_count > most ? own->out_count : most;
        least = own->out_count < least ? own->out_count : least;
    }
    assert_in_range(most, 500, RANKS - 1);
    assert_in_range(least, 1, 10);
    ct_pattern_free(&pattern);
    free(edges);
    edges = edges_of("powerlaw:degree=2000,exponent=2", 10, &count);
    assert_int_equal(count, 90);
    free(edges);
}

static void test_order_and_lengths(void **state)
{
    (void)state;
    static const struct ct_edge edges[] = {{1, 0, 7}, {0, 1, 2}, {1, 0, 9}, {2, 2, 4}};
    struct ct_pattern pattern;
    assert_int_equal(ct_pattern_make(3, edges, 4, true, &pattern), CT_OK);
    assert_int_equal(pattern.ranks[1].out_count, 2);
    assert_int_equal(pattern.ranks[1].out_lengths[0], 7);
    assert_int_equal(pattern.ranks[1].out_lengths[1], 9);
    assert_int_equal(pattern.ranks[0].in_count, 2);
    assert_int_equal(pattern.ranks[0].in[1], 1);
    assert_int_equal(pattern.ranks[0].in_lengths[1], 9);
    assert_int_equal(pattern.ranks[2].in[0], 2);
    char text[CT_NEIGHBORS_TEXT];
    assert_string_equal(ct_neighbors_format(pattern.ranks, 3, text), "0>1,1>0,1>0,2>2");
    ct_pattern_free(&pattern);
}

static void test_written_edges(void **state)
{
    (void)state;
    size_t count;
    struct ct_edge *edges = edges_of("edges:0>1,10>0,3>3", 11, &count);
    assert_int_equal(count, 3);
    assert_int_equal(edges[1].from, 10);
    assert_int_equal(edges[1].to, 0);
    free(edges);
    edges = edges_of("edges:", 11, &count);
    assert_int_equal(count, 0);
    free(edges);
}

static void test_sorted_lists(void **state)
{
    (void)state;
    static const int ranks[] = {5, 2, 5, 0, 2};
    static const size_t expected[] = {3, 1, 4, 0, 2};
    size_t *order;
    assert_int_equal(ct_neighbors_order(ranks, 5, &order), CT_OK);
    assert_memory_equal(order, expected, sizeof expected);
    assert_int_equal(ct_neighbors_find(ranks, order, 5, 2), 1);
    assert_int_equal(ct_neighbors_find(ranks, order, 5, 3), 3);
    assert_int_equal(ct_neighbors_find(ranks, order, 5, 6), 5);
    free(order);
}

static void test_broken_texts(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "more:d=2,r=1",
        "moore",
        "moore:d=2",
        "moore:d=0,r=1",
        "moore:d=9,r=1",
        "moore:d=2,r=1,x=1",
        "moore:r=1,d=2",
        "moore:d=1.5,r=1",
        "random:density=1.5",
        "random:density=",
        "random:density=nan",
        "hubs:count=4",
        "hubs:count=-1,degree=2",
        "powerlaw:degree=3",
        "powerlaw:degree=3,exponent=1",
        "matrix:",
        "edges:0",
        "edges:0>4",
        "edges:0>1,",
        "edges:-1>0",
        "edges:0>1;1>2",
        "edges:0>>1",
        "edges:0>99999999999999999999999",
        "random:density=0.11111111111111111111111111111111111111111",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct ct_error error = {{0}};
        struct ct_edge *edges = NULL;
        size_t count = 77;
        if (ct_pattern_edges(texts[i], 4, &error, &edges, &count) != CT_E_INPUT)
            fail_msg("'%s' was taken for a pattern", texts[i]);
        assert_non_null(strstr(error.text, "pattern"));
        assert_null(strchr(error.text, '\n'));
        assert_null(edges);
        assert_int_equal(count, 77);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moore),         cmocka_unit_test(test_random_and_hubs),
        cmocka_unit_test(test_powerlaw),      cmocka_unit_test(test_order_and_lengths),
        cmocka_unit_test(test_written_edges), cmocka_unit_test(test_sorted_lists),
        cmocka_unit_test(test_broken_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
