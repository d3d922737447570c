/* SPDX-License-Identifier: BSD-3-Clause */
/* The set-up of sparse exchanges, and what their plans send. */
#include "algorithms/routing.h"
#include "plan/pattern.h"
#include "plan/rank_grid.h"
#include "plan/verify/verifier.h"
#include "plan/verify/verifier_task_make.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct ct_method method_of(const char *spelling)
{
    struct ct_method method;
    struct ct_error error = {{0}};
    if (ct_method_parse(spelling, CT_COLLECTIVES, &error, &method) != CT_OK)
        fail_msg("%s", error.text);
    return method;
}

static struct ct_pattern pattern_of(const char *text, int size, bool has_lengths, size_t length)
{
    struct ct_error error = {{0}};
    struct ct_pattern pattern;
    struct ct_edge *edges;
    size_t count;
    if (ct_pattern_edges(text, size, &error, &edges, &count) != CT_OK)
        fail_msg("%s", error.text);
    ct_edges_lengthen(edges, count, length, false);
    assert_int_equal(ct_pattern_make(size, edges, count, has_lengths, &pattern), CT_OK);
    free(edges);
    return pattern;
}

static struct ct_call call_of(const struct ct_pattern *pattern, size_t count)
{
    return (struct ct_call){.size = pattern->size,
                            .count = count,
                            .unit_bytes = 1,
                            .commutative = true,
                            .neighbors = pattern->ranks};
}

/* Selvitopi and Aykanat 2019, section 4: in a complete exchange of s words a rank sends at most the sum of
 * k_d - 1 messages, and all send s K^2 times the sum of (k_d - 1) / k_d words. Table: messages by K and
 * dimensions from section 5. */
static void test_complete_exchange(void **state)
{
    (void)state;
    static const struct {
        int size, dimensions;
        size_t messages;
    } rows[] = {{16, 1, 15}, {16, 2, 6}, {16, 4, 4}, {64, 1, 63}, {64, 2, 14}, {64, 3, 9}, {64, 6, 6}};
    struct ct_verifier *verifier = ct_verifier_new();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char spelling[80];
        snprintf(spelling, sizeof spelling, "neighbor_alltoall/grid:dims=%d", rows[i].dimensions);
        const struct ct_method method = method_of(spelling);
        struct ct_pattern pattern = pattern_of("random:density=1", rows[i].size, false, 0);
        struct ct_call call = call_of(&pattern, 5);
        struct ct_error error = {{0}};
        struct ct_verdict verdict;
        if (ct_verify(verifier, &method, &call, &error, &verdict) != CT_OK)
            fail_msg("%s", error.text);
        struct ct_rank_grid grid = ct_rank_grid_make(rows[i].size, rows[i].dimensions);
        size_t units = 0;
        for (int d = 0; d < grid.dimensions; d++)
            units +=
                5 * (size_t)(rows[i].size / grid.length[d] * (grid.length[d] - 1)) * (size_t)rows[i].size;
        assert_int_equal(verdict.units, units);
        for (int rank = 0; rank < rows[i].size; rank++)
            assert_int_equal(verdict.traffic[rank].messages, rows[i].messages);
        ct_pattern_free(&pattern);
    }
    ct_verifier_free(verifier);
}

/* A block for many ranks behind one neighbor travels once. */
static void test_combined_blocks(void **state)
{
    (void)state;
    struct ct_verifier *verifier = ct_verifier_new();
    struct ct_pattern pattern = pattern_of("edges:0>4,0>5,0>6,0>7,1>6", 8, false, 0);
    static const int labels[] = {0, 0, 0, 0, 1, 1, 1, 1};
    struct ct_nodes nodes;
    assert_int_equal(ct_nodes_make(labels, 8, &nodes), CT_OK);
    struct ct_call call = call_of(&pattern, 10);
    call.nodes = &nodes;
    struct ct_error error = {{0}};
    struct ct_verdict verdict;
    const struct ct_method gather = method_of("neighbor_allgather/node_aware");
    assert_int_equal(ct_verify(verifier, &gather, &call, &error, &verdict), CT_OK);
    assert_int_equal(verdict.traffic[0].messages, 1); /* its own block and rank 1's, to rank 4 */
    assert_int_equal(verdict.traffic[0].units, 20);
    assert_int_equal(verdict.traffic[4].messages, 3); /* to 5, 6 and 7 */
    const struct ct_method all = method_of("neighbor_alltoall/node_aware");
    assert_int_equal(ct_verify(verifier, &all, &call, &error, &verdict), CT_OK);
    assert_int_equal(verdict.traffic[0].units, 50);
    ct_nodes_free(&nodes);
    ct_pattern_free(&pattern);
    ct_verifier_free(verifier);
}

/* Memory grows with what passes through a rank, not with the number of ranks. */
static void test_many_ranks(void **state)
{
    (void)state;
    enum { RANKS = FEWER_CASES ? 1024 : 16384 };
    const struct ct_method method = method_of("neighbor_alltoall/grid:dims=4");
    struct ct_pattern pattern = pattern_of("moore:d=2,r=1", RANKS, false, 0);
    struct ct_call call = call_of(&pattern, 1);
    struct ct_error error = {{0}};
    struct ct_routes *routes;
    if (ct_routes_make(&method, &call, &error, &routes) != CT_OK)
        fail_msg("%s", error.text);
    size_t held = 0, most = 0;
    for (int rank = 0; rank < RANKS; rank++) {
        assert_int_equal(routes[rank].delivery_count, 8);
        assert_int_equal(routes[rank].own_count, 8);
        held += routes[rank].held_count;
        most = routes[rank].held_count > most ? routes[rank].held_count : most;
    }
    assert_true(held <= (size_t)RANKS * 8 * 5); /* each block has at most four hops */
    assert_true(most <= 200);
    ct_routes_free_all(routes, RANKS);
    ct_pattern_free(&pattern);
}

/* Ghazimirsaeed 2019, section 7.6.1: ranks in a periodic grid, 32 on a node. Mean number of messages that a
 * rank sends, as a greedy choice of groups gives them that knows all groups, computed apart. */
static void test_friends(void **state)
{
    (void)state;
    enum { RANKS = 4096, NODE = 32 };
    static const struct {
        const char *pattern, *method;
        double sends;
    } rows[] = {
        {"moore:d=2,r=1", "neighbor_allgather/common_neighbors:within=node,order=steps", 7.0},
        {"moore:d=2,r=1", "neighbor_allgather/common_neighbors:order=steps", 7.0},
        {"moore:d=2,r=1", "neighbor_allgather/common_neighbors:k=4,within=node,order=steps", 8.0},
        {"moore:d=2,r=2", "neighbor_allgather/common_neighbors:within=node,order=steps", 16.0},
        {"moore:d=2,r=2", "neighbor_allgather/common_neighbors:order=steps", 15.0},
        {"moore:d=2,r=2", "neighbor_allgather/common_neighbors:k=4,within=node,order=steps", 18.4},
        {"moore:d=2,r=3", "neighbor_allgather/common_neighbors:within=node,order=steps", 29.0},
        {"moore:d=2,r=3", "neighbor_allgather/common_neighbors:k=4,within=node,order=steps", 33.0},
        {"moore:d=2,r=4", "neighbor_allgather/common_neighbors:k=4,within=node,order=steps", 37.6},
        {"moore:d=3,r=1", "neighbor_allgather/common_neighbors:within=node,order=steps", 17.0},
        {"moore:d=3,r=1", "neighbor_allgather/common_neighbors:k=4,within=node,order=steps", 23.0},
        {"moore:d=4,r=1", "neighbor_allgather/common_neighbors:k=4,within=node,order=steps", 51.5},
        /* The usual threshold by its number, and one that no group exceeds. */
        {"moore:d=2,r=2", "neighbor_allgather/common_neighbors:within=node,order=steps,threshold=2", 16.0},
        {"moore:d=2,r=2", "neighbor_allgather/common_neighbors:within=node,order=steps,threshold=24", 24.0},
    };
    static int labels[RANKS];
    struct ct_nodes nodes;
    for (int rank = 0; rank < RANKS; rank++)
        labels[rank] = rank / NODE;
    assert_int_equal(ct_nodes_make(labels, RANKS, &nodes), CT_OK);
    for (size_t i = 0; i < (FEWER_CASES ? 2 : sizeof rows / sizeof rows[0]); i++) {
        const struct ct_method method = method_of(rows[i].method);
        struct ct_pattern pattern = pattern_of(rows[i].pattern, RANKS, false, 0);
        struct ct_call call = call_of(&pattern, 4);
        struct ct_error error = {{0}};
        struct ct_routes *routes;
        size_t sends = 0;
        call.nodes = &nodes;
        if (ct_routes_make(&method, &call, &error, &routes) != CT_OK)
            fail_msg("%s", error.text);
        for (int rank = 0; rank < RANKS; rank++)
            for (size_t m = 0; m < routes[rank].message_count; m++)
                sends += routes[rank].messages[m].is_sent;
        print_message("%s, %s: %g\n", rows[i].pattern, rows[i].method, (double)sends / RANKS);
        if (fabs((double)sends / RANKS - rows[i].sends) > 0.05)
            fail_msg("%s, %s: expected %g", rows[i].pattern, rows[i].method, rows[i].sends);
        ct_routes_free_all(routes, RANKS);
        ct_pattern_free(&pattern);
    }
    ct_nodes_free(&nodes);
}

/* Ranks that disagree about an edge or its length are told so. */
static void test_disagreement(void **state)
{
    (void)state;
    static const char *const methods[] = {"neighbor_alltoallv/grid", "neighbor_alltoallv/grid:dims=1"};
    static const struct {
        size_t length;
        size_t in_count;
        int source;
        const char *text;
    } rows[] = {
        {7, 1, 0, "rank 0 sends 8 bytes to rank 5, which expects 7 bytes"},
        {8, 0, 0, "rank 0 sends 8 bytes to rank 5, which expects 0 bytes"},
        {0, 1, 0, "rank 0 sends 8 bytes to rank 5, which expects 0 bytes"},
        {8, 1, 3, "rank 0 sends 8 bytes to rank 5, which expects 0 bytes"},
    };
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++)
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            const struct ct_method method = method_of(methods[m]);
            struct ct_pattern pattern = pattern_of("edges:0>5", 6, true, 8);
            struct ct_call call = call_of(&pattern, 0);
            struct ct_error error = {{0}};
            struct ct_routes *routes = NULL;
            pattern.ranks[5].in_lengths = &rows[i].length;
            pattern.ranks[5].in_count = rows[i].in_count;
            pattern.ranks[5].in = &rows[i].source;
            assert_int_equal(ct_routes_make(&method, &call, &error, &routes), CT_E_INPUT);
            if (!strstr(error.text, rows[i].text))
                fail_msg("%s", error.text);
            assert_null(routes);
            ct_pattern_free(&pattern);
        }
}

/* A rank that waits for what nobody sends. */
static void test_missing_source(void **state)
{
    (void)state;
    const struct ct_method method = method_of("neighbor_allgather/grid");
    struct ct_pattern pattern = pattern_of("edges:0>3", 4, false, 0);
    struct ct_call call = call_of(&pattern, 3);
    struct ct_error error = {{0}};
    struct ct_routes *routes = NULL;
    pattern.ranks[2].in_count = 1;
    pattern.ranks[2].in = (const int[]){1};
    assert_int_equal(ct_routes_make(&method, &call, &error, &routes), CT_E_INPUT);
    assert_non_null(strstr(error.text, "rank 1 sends 0 to rank 2, which expects 1"));
    ct_pattern_free(&pattern);
}

/* Letters that no rank writes. */
static void test_broken_letters(void **state)
{
    (void)state;
    static const uint64_t letters[][5] = {
        {9, 1, 1, 1, 0},          /* an origin that is no rank */
        {0, 0, 1, 1, 0},          /* a block without data */
        {0, 1, 0, 1, 0},          /* without destinations */
        {0, 1, 1, 9, 0},          /* to no rank */
        {0, 1, 2, 1, UINT64_MAX}, /* nor here */
        {0, 1, 99, 1, 1},         /* fewer destinations than it says */
    };
    const struct ct_method method = method_of("exchange/grid");
    struct ct_pattern pattern = pattern_of("edges:0>1", 2, true, 8);
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++) {
        struct ct_call all = call_of(&pattern, 0), call = ct_call_of_rank(CT_COLLECTIVE_EXCHANGE, &all, 1);
        struct ct_routing *routing = NULL;
        struct ct_routes routes = {0};
        struct ct_letters inbox = {0}, outbox = {0};
        struct ct_error error = {{0}};
        enum ct_routing_state routing_state;
        assert_int_equal(ct_routing_begin(&method, &call, &routes, &routing), CT_OK);
        assert_int_equal(
            ct_routing_step(routing, CT_ROUTING_PREPARES, &inbox, &outbox, &routing_state, &error), CT_OK);
        assert_int_equal(routing_state, CT_ROUTING_WAITS);
        assert_int_equal(ct_letter_begin(&inbox, 0), CT_OK);
        assert_int_equal(ct_letter_write(&inbox, letters[i], 5), CT_OK);
        assert_int_equal(ct_routing_step(routing, CT_ROUTING_WAITS, &inbox, &outbox, &routing_state, &error),
                         CT_E_INPUT);
        assert_non_null(strstr(error.text, "rank 0 sent rank 1 a letter that is not understood"));
        ct_letters_free(&inbox);
        ct_letters_free(&outbox);
        ct_routing_free(routing);
        ct_routes_free(&routes);
    }
    ct_pattern_free(&pattern);
}

/* An exchange finds out who sends. */
static void test_found_sources(void **state)
{
    (void)state;
    const struct ct_method method = method_of("exchange/grid:dims=3");
    struct ct_pattern pattern = pattern_of("edges:6>2,0>2,6>2,2>2,5>1", 8, true, 40);
    struct ct_call call = call_of(&pattern, 0);
    struct ct_error error = {{0}};
    struct ct_routes *routes;
    static const int sources[] = {0, 2, 6, 6};
    assert_int_equal(ct_routes_make(&method, &call, &error, &routes), CT_OK);
    assert_int_equal(routes[2].source_count, 4);
    assert_memory_equal(routes[2].sources, sources, sizeof sources);
    assert_int_equal(routes[2].source_lengths[3], 40);
    assert_int_equal(routes[3].source_count, 0);
    ct_routes_free_all(routes, 8);
    ct_pattern_free(&pattern);
}

/* --- routes that are wrong must be found by the verifier --- */

static void lose_delivery(struct ct_routes *routes)
{
    routes->delivery_count--;
}

static void swap_deliveries(struct ct_routes *routes)
{
    size_t held = routes->deliveries[0].held;
    routes->deliveries[0].held = routes->deliveries[1].held;
    routes->deliveries[1].held = held;
}

static void swap_carried(struct ct_routes *routes)
{
    for (size_t i = 0; i < routes->message_count; i++) {
        struct ct_routed_message *message = &routes->messages[i];
        if (!message->is_sent || message->count < 2)
            continue;
        size_t *carried = routes->carried + message->begin, held = carried[0];
        carried[0] = carried[1];
        carried[1] = held;
        return;
    }
}

static void lose_message(struct ct_routes *routes)
{
    routes->message_count--;
}

static void send_early(struct ct_routes *routes)
{
    for (size_t i = 0; i < routes->message_count; i++)
        if (routes->messages[i].is_sent && routes->messages[i].stage == 0)
            routes->messages[i].peer ^= 1;
}

static void test_mutants(void **state)
{
    (void)state;
    void (*const mutants[])(struct ct_routes * routes) = {lose_delivery, swap_deliveries, swap_carried,
                                                          lose_message, send_early};
    const struct ct_method method = method_of("neighbor_alltoall/grid");
    struct ct_pattern pattern = pattern_of("random:density=0.7", 9, false, 0);
    struct ct_verifier *verifier = ct_verifier_new();
    struct ct_task_memory memory = {0};
    for (int m = -1; m < (int)(sizeof mutants / sizeof mutants[0]); m++) {
        struct ct_call call = call_of(&pattern, 2);
        struct ct_error error = {{0}};
        struct ct_routes *routes;
        struct ct_plan plans[9] = {{0}};
        struct ct_task task;
        struct ct_verdict verdict;
        assert_int_equal(ct_routes_make(&method, &call, &error, &routes), CT_OK);
        if (m >= 0)
            mutants[m](&routes[4]);
        call.routes = routes;
        for (int rank = 0; rank < 9; rank++) {
            struct ct_call own = ct_call_of_rank(CT_COLLECTIVE_NEIGHBOR_ALLTOALL, &call, rank);
            ct_plan_reset(&plans[rank]);
            assert_int_equal(ct_method_build(&method, &plans[rank], &own), CT_OK);
        }
        assert_int_equal(ct_task_make(CT_COLLECTIVE_NEIGHBOR_ALLTOALL, &call, &memory, &task), CT_OK);
        int status = ct_verify_plans(verifier, &task, plans, &error, &verdict);
        if (status != (m < 0 ? CT_OK : CT_E_ANSWER))
            fail_msg("mutant %d: status %d: %s", m, status, error.text);
        for (int rank = 0; rank < 9; rank++)
            ct_plan_free(&plans[rank]);
        ct_routes_free_all(routes, 9);
    }
    ct_task_memory_free(&memory);
    ct_verifier_free(verifier);
    ct_pattern_free(&pattern);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_complete_exchange), cmocka_unit_test(test_combined_blocks),
        cmocka_unit_test(test_many_ranks),        cmocka_unit_test(test_friends),
        cmocka_unit_test(test_disagreement),      cmocka_unit_test(test_missing_source),
        cmocka_unit_test(test_broken_letters),    cmocka_unit_test(test_found_sources),
        cmocka_unit_test(test_mutants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
