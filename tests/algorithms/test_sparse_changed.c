/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans along routes that were made for other lengths: each block still arrives, whatever lengths have
 * changed, and ranks whose lengths have not changed write the usual plans. */
#include "algorithms/routing.h"
#include "plan/pattern.h"
#include "plan/verify/verifier_patterns.h"
#include "plan/verify/verifier_task_make.h"
#include "tests/plan/verify/concrete.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RANKS_MOST = 13, LENGTH = 3 };

static struct ct_method method_of(const char *spelling)
{
    struct ct_method method;
    struct ct_error error = {{0}};
    if (ct_method_parse(spelling, CT_COLLECTIVES, &error, &method) != CT_OK)
        fail_msg("%s", error.text);
    return method;
}

/* The same edges before and after their lengths have changed. */
struct trial {
    struct ct_pattern before, after;
    struct ct_call calls[2];                      /* of all ranks */
    size_t own[2][RANKS_MOST];                    /* in neighbor_allgatherv: each rank's block */
    size_t tables[2][2][RANKS_MOST * RANKS_MOST]; /* in a dense collective: what all send and receive */
    bool has_changed[RANKS_MOST];
};

/* Another length for every third edge, also from and to none; in gathers for all edges of some ranks. */
static size_t length_after(const struct ct_edge *edge, size_t index, bool gathers)
{
    const size_t number = gathers ? (size_t)edge->from : index;
    return number % 3 == 1 ? (edge->length + 1 + number % 4) % 6 : edge->length;
}

static void make_trial(struct trial *trial, const struct ct_method *method, int size, size_t index)
{
    const enum ct_collective collective = method->algorithm->collective;
    const bool gathers = ct_collectives[collective].input[0] == CT_CONTENTS_OWN;
    struct ct_edge *edges;
    size_t count;
    *trial = (struct trial){0};
    assert_int_equal(ct_pattern_tried(size, index, LENGTH, !gathers, &edges, &count), CT_OK);
    for (size_t i = 0; i < count && gathers; i++)
        edges[i].length = 1 + (size_t)edges[i].from % LENGTH;
    assert_int_equal(ct_pattern_make(size, edges, count, true, &trial->before), CT_OK);
    for (int rank = 0; rank < size; rank++)
        trial->own[0][rank] = trial->own[1][rank] = 1 + (size_t)rank % LENGTH;
    for (size_t i = 0; i < count; i++) {
        const size_t length = length_after(&edges[i], i, gathers);
        if (length != edges[i].length)
            trial->has_changed[edges[i].from] = trial->has_changed[edges[i].to] = true;
        edges[i].length = length;
        if (gathers)
            trial->own[1][edges[i].from] = length;
    }
    assert_int_equal(ct_pattern_make(size, edges, count, true, &trial->after), CT_OK);
    for (int i = 0; i < 2; i++)
        trial->calls[i] = (struct ct_call){.size = size,
                                           .unit_bytes = 1,
                                           .commutative = true,
                                           .neighbors = (i == 0 ? &trial->before : &trial->after)->ranks,
                                           .send_counts = gathers ? trial->own[i] : NULL};
    free(edges);
}

/* The same blocks in a dense collective, which has one from each rank to each. */
static void make_dense(struct trial *trial)
{
    const size_t size = (size_t)trial->calls[0].size;
    for (int i = 0; i < 2; i++) {
        size_t *sent = trial->tables[i][CT_BUFFER_SEND], *received = trial->tables[i][CT_BUFFER_RECV];
        for (size_t from = 0; from < size; from++) {
            const struct ct_neighbors *own = &trial->calls[i].neighbors[from];
            for (size_t k = 0; k < own->out_count; k++) {
                sent[from * size + (size_t)own->out[k]] += own->out_lengths[k];
                received[(size_t)own->out[k] * size + from] += own->out_lengths[k];
            }
        }
        trial->calls[i].neighbors = NULL;
        trial->calls[i].send_counts = sent;
        trial->calls[i].recv_counts = received;
    }
}

static void make_plans(const struct trial *trial, const struct ct_method *method,
                       const struct ct_routes *routes, bool forgets, struct ct_plan *plans)
{
    const enum ct_collective collective = method->algorithm->collective;
    struct ct_call before = trial->calls[0], after = trial->calls[1];
    before.routes = after.routes = routes;
    for (int rank = 0; rank < after.size; rank++) {
        const struct ct_call old = ct_call_of_rank(collective, &before, rank);
        const struct ct_lengths lengths = {old.count, {old.send_counts, old.recv_counts}};
        struct ct_call own = ct_call_of_rank(collective, &after, rank);
        if (trial->has_changed[rank] && !forgets)
            own.routed = &lengths;
        ct_plan_reset(&plans[rank]);
        assert_int_equal(ct_method_build(method, &plans[rank], &own), CT_OK);
    }
}

static size_t try_all(const char *spelling, const int *labels, bool forgets)
{
    static const int sizes[] = {1, 2, 3, 5, 8, RANKS_MOST};
    const struct ct_method method = method_of(spelling);
    struct ct_plan plans[RANKS_MOST] = {{0}};
    struct ct_task_memory memory = {0};
    struct concrete *concrete = concrete_new();
    struct ct_error error = {""};
    static struct trial trial;
    size_t wrong = 0;
    assert_non_null(concrete);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        struct ct_nodes nodes;
        assert_int_equal(ct_nodes_make(labels, sizes[s], &nodes), CT_OK);
        for (size_t index = 0; index < ct_patterns_tried(sizes[s]); index++) {
            struct ct_routes *routes;
            struct ct_task task;
            make_trial(&trial, &method, sizes[s], index);
            trial.calls[0].nodes = trial.calls[1].nodes = &nodes;
            if (!ct_collectives[method.algorithm->collective].is_sparse)
                make_dense(&trial);
            if (ct_routes_make(&method, &trial.calls[0], &error, &routes) != CT_OK)
                fail_msg("%s", error.text);
            make_plans(&trial, &method, routes, forgets, plans);
            assert_int_equal(ct_task_make(method.algorithm->collective, &trial.calls[1], &memory, &task),
                             CT_OK);
            concrete_prepare(concrete, &task, plans);
            wrong += !concrete_is_right(concrete, plans);
            if (wrong > 0 && !forgets)
                fail_msg("%s: %d ranks, pattern %zu", spelling, sizes[s], index);
            ct_routes_free_all(routes, sizes[s]);
            ct_pattern_free(&trial.before);
            ct_pattern_free(&trial.after);
        }
        ct_nodes_free(&nodes);
    }
    for (int rank = 0; rank < RANKS_MOST; rank++)
        ct_plan_free(&plans[rank]);
    concrete_free(concrete);
    ct_task_memory_free(&memory);
    return wrong;
}

static void test_changed_lengths(void **state)
{
    (void)state;
    static const char *const methods[] = {"neighbor_alltoallv/grid",
                                          "neighbor_alltoallv/grid:dims=1",
                                          "neighbor_alltoallv/node_aware",
                                          "neighbor_alltoallv/locality",
                                          "neighbor_alltoallw/grid",
                                          "neighbor_allgatherv/grid",
                                          "neighbor_allgatherv/node_aware",
                                          "neighbor_allgatherv/common_neighbors",
                                          "neighbor_alltoallv/common_neighbors",
                                          "alltoallv/grid",
                                          "alltoallv/node_aware",
                                          "alltoallv/locality"};
    static const int labels[RANKS_MOST] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        assert_int_equal(try_all(methods[i], labels, false), 0);
    /* plans that do not allow for the change are wrong, so that the test can fail */
    assert_true(try_all("neighbor_alltoallv/grid", labels, true) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_changed_lengths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
