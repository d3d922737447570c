/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/routing.h"
#include "models/evaluate/evaluate.h"
#include "models/evaluate/grid_traffic.h"
#include "tests/plan/grid_neighbors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const struct ct_loggp loggp = {.latency = 2e-6, .overhead = 1e-6, .gap = 1.5e-6, .gap_per_byte = 1e-9};

static struct ct_model model_of(void)
{
    struct ct_model model = {.name = NULL};
    model.links[CT_LINK_NETWORK].known[CT_MODEL_LOGGP] = true;
    model.links[CT_LINK_NETWORK].loggp = loggp;
    return model;
}

/* Edges of several lengths, some of them none, some to the rank itself. */
static struct ct_edge *edges_of(const char *text, int size, size_t *ret_count)
{
    struct ct_error error = {{0}};
    struct ct_edge *edges;
    if (ct_pattern_edges(text, size, &error, &edges, ret_count) != CT_OK)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < *ret_count; i++) {
        edges[i].length = i % 5;
        if (i % 11 == 0)
            edges[i].to = edges[i].from;
    }
    return edges;
}

/* The counts equal those of the plans, for any number of ranks, and the time is near that of the plans. */
static void test_equals_plans(void **state)
{
    (void)state;
    static const char *const patterns[] = {"random:density=0.2", "hubs:count=2,degree=3", "moore:d=2,r=1",
                                           "powerlaw:degree=5,exponent=2"};
    static const int sizes[] = {2, 3, 7, 13, 16, 31, 64, 95};
    struct ct_model model = model_of();
    struct ct_evaluator *evaluator = ct_evaluator_new();
    assert_non_null(evaluator);
    for (size_t p = 0; p < sizeof patterns / sizeof patterns[0]; p++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
            for (int dims = 1; 1 << dims <= sizes[s]; dims++) {
                char spelling[64];
                struct ct_error error = {{0}};
                struct ct_method method;
                struct ct_pattern pattern;
                struct ct_evaluation evaluation;
                struct ct_grid_traffic traffic;
                size_t count;
                struct ct_edge *edges = edges_of(patterns[p], sizes[s], &count);
                const struct ct_rank_grid grid = ct_rank_grid_make(sizes[s], dims);
                snprintf(spelling, sizeof spelling, "neighbor_alltoallv/grid:dims=%d", dims);
                assert_int_equal(ct_method_parse(spelling, CT_COLLECTIVES, &error, &method), CT_OK);
                assert_int_equal(ct_pattern_make(sizes[s], edges, count, true, &pattern), CT_OK);
                const struct ct_call call = {
                    .size = sizes[s], .unit_bytes = 1, .commutative = true, .neighbors = pattern.ranks};
                if (ct_evaluate(evaluator, &method, &call, &model, CT_MODEL_LOGGP, NULL, &error,
                                &evaluation) != CT_OK)
                    fail_msg("%s", error.text);
                assert_int_equal(ct_grid_traffic(&grid, edges, count, 1, &model.links[CT_LINK_NETWORK],
                                                 CT_MODEL_LOGGP, &traffic),
                                 CT_OK);
                if (traffic.messages != evaluation.messages || traffic.units != evaluation.bytes)
                    fail_msg("%s, %d ranks, %s: %zu messages of %zu, %zu units of %zu", patterns[p], sizes[s],
                             spelling, traffic.messages, evaluation.messages, traffic.units,
                             evaluation.bytes);
                assert_true(evaluation.messages == 0 || (traffic.seconds < 2 * evaluation.seconds &&
                                                         traffic.seconds > 0.5 * evaluation.seconds));
                assert_true(traffic.most_messages <= (size_t)grid_neighbors(&grid));
                ct_pattern_free(&pattern);
                free(edges);
            }
    ct_evaluator_free(evaluator);
}

/* One message: the time of LogGP. Complete exchange: the closed form of Selvitopi and Aykanat, section 4. */
static void test_closed_forms(void **state)
{
    (void)state;
    enum { RANKS = 64 };
    static const struct ct_edge one = {0, 1, 100};
    const struct ct_model model = model_of();
    const struct ct_link *link = &model.links[CT_LINK_NETWORK];
    struct ct_rank_grid grid = ct_rank_grid_make(2, 1);
    struct ct_grid_traffic traffic;
    size_t count;
    struct ct_error error = {{0}};
    struct ct_edge *edges;
    assert_int_equal(ct_grid_traffic(&grid, &one, 1, 1, link, CT_MODEL_LOGGP, &traffic), CT_OK);
    assert_true(traffic.seconds > 0.999 * 4.099e-6 && traffic.seconds < 1.001 * 4.099e-6);
    assert_int_equal(ct_pattern_edges("random:density=1", RANKS, &error, &edges, &count), CT_OK);
    for (int dims = 1; dims <= 6; dims++) {
        size_t units = 0;
        grid = ct_rank_grid_make(RANKS, dims);
        for (int d = 0; d < dims; d++)
            units += RANKS * (size_t)(grid.length[d] - 1) / (size_t)grid.length[d];
        assert_int_equal(ct_grid_traffic(&grid, edges, count, 8, link, CT_MODEL_LOGGP, &traffic), CT_OK);
        assert_int_equal(traffic.units, RANKS * units);
        assert_int_equal(traffic.most_messages, grid_neighbors(&grid));
        assert_int_equal(traffic.messages, RANKS * (size_t)grid_neighbors(&grid));
    }
    free(edges);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_plans),
        cmocka_unit_test(test_closed_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
