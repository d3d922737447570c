/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages that share links, with times worked out by hand; and broken plans. */
#include "base/text.h"
#include "models/evaluate/timeline.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { RANKS = 8 };

/* A message takes 1 of the sender's CPU, 5 on its way, 1 a byte of its links, and 2 of the receiver's CPU.
 * From 100 bytes on the sender waits for the transfer. */
static struct ct_curve_point sends[] = {{0, 1}, {99, 1}, {100, 100}, {200, 200}},
                             takes[] = {{0, 2}, {99, 2}, {100, 0}},
                             gaps[] = {{0, 8}, {99, 107}, {100, 105}, {200, 205}};
static const struct ct_model model = {
    .links = {{.known = {[CT_MODEL_PLOGP] = true},
               .plogp = {.send_overhead = {sends, 4}, .receive_overhead = {takes, 3}, .gap = {gaps, 4}}}},
    .gamma = 2};

struct hand_made {
    struct ct_timeline *timeline;
    struct ct_plan plans[RANKS];
    struct ct_interconnect topology;
    struct ct_network_routes *routes; /* of the topology; or NULL */
    struct ct_timeline_terms terms;
    struct ct_timeline_result result;
    struct ct_error error;
    double leaves[RANKS];
};

static int set_up(void **state)
{
    static struct hand_made made;
    memset(&made, 0, sizeof made);
    made.timeline = ct_timeline_new();
    made.topology = ct_interconnect_switch(RANKS);
    made.terms = (struct ct_timeline_terms){.plans = made.plans,
                                            .size = RANKS,
                                            .unit_bytes = 1,
                                            .topology = &made.topology,
                                            .hops = 2,
                                            .model = &model,
                                            .kind = CT_MODEL_PLOGP,
                                            .most_messages = 100};
    *state = &made;
    return made.timeline ? 0 : -1;
}

static int tear_down(void **state)
{
    struct hand_made *made = *state;
    for (int i = 0; i < RANKS; i++)
        ct_plan_free(&made->plans[i]);
    ct_timeline_free(made->timeline);
    ct_network_routes_free(made->routes);
    return 0;
}

static int run(struct hand_made *made)
{
    for (int i = 0; i < RANKS; i++)
        ct_plan_finish(&made->plans[i]);
    return ct_timeline_run(made->timeline, &made->terms, made->leaves, &made->error, &made->result);
}

static void expect_leave(struct hand_made *made, int rank, double expected)
{
    if (fabs(made->leaves[rank] - expected) > 1e-9)
        fail_msg("rank %d leaves at %.17g, expected %g", rank, made->leaves[rank], expected);
}

static void send(struct hand_made *made, int from, int to, size_t bytes)
{
    ct_send(&made->plans[from], to, CT_BUFFER_SEND, 0, bytes);
}

static void receive(struct hand_made *made, int from, int to, size_t bytes)
{
    ct_receive(&made->plans[to], from, CT_BUFFER_RECV, 0, bytes);
}

static void message(struct hand_made *made, int from, int to, size_t bytes)
{
    send(made, from, to, bytes);
    receive(made, from, to, bytes);
}

static void a_short_message(void **state)
{
    struct hand_made *made = *state;
    message(made, 0, 1, 10);
    assert_int_equal(run(made), CT_OK);
    expect_leave(made, 0, 1);
    expect_leave(made, 1, 18);
    assert_int_equal(made->result.messages, 1);
    assert_int_equal(made->result.bytes, 10);
}

/* A blocking send has no work of its own; one that is waited for later costs that of shorter ones. */
static void a_sender_waits_for_a_long_message(void **state)
{
    struct hand_made *made = *state;
    message(made, 0, 1, 100);
    message(made, 2, 3, 100);
    receive(made, 4, 2, 0);
    ct_send_token(&made->plans[4], 2);
    ct_receive_token(&made->plans[2], 4);
    assert_int_equal(run(made), CT_OK);
    expect_leave(made, 0, 105);
    expect_leave(made, 1, 105);
    expect_leave(made, 2, 106);
    expect_leave(made, 3, 106);
}

/* A message meets its receive, or has come in before. */
static void a_message_that_comes_early(void **state)
{
    struct hand_made *made = *state;
    struct ct_curve_point quick[] = {{0, 2}, {99, 101}}; /* as long from rank to rank; a shorter gap */
    struct ct_model early = model;
    early.links[CT_LINK_NETWORK].plogp.latency = 6;
    early.links[CT_LINK_NETWORK].plogp.gap = (struct ct_curve){quick, 2};
    early.links[CT_LINK_NETWORK].plogp.send_overhead.count = 2;
    send(made, 1, 0, 10);
    ct_reduce(&made->plans[0], CT_BUFFER_RECV, 20, CT_BUFFER_RECV, 40, 20); /* 40 seconds */
    ct_round_end(&made->plans[0]);
    receive(made, 1, 0, 10);
    assert_int_equal(run(made), CT_OK);
    expect_leave(made, 0, 40 + 5 + 10 + 2);
    made->terms.model = &early;
    assert_int_equal(run(made), CT_OK);
    expect_leave(made, 0, 42);
    /* Two to one receiver leave one after the other: done at 16 and 26. */
    message(made, 2, 3, 10);
    message(made, 2, 3, 10);
    assert_int_equal(run(made), CT_OK);
    expect_leave(made, 3, 28);
}

/* Three messages, later two, then one. */
static void fair_shares(void **state)
{
    struct hand_made *made = *state;
    for (int i = 1; i <= 3; i++)
        message(made, i, 0, (size_t)(12 * i));
    assert_int_equal(run(made), CT_OK);
    /* Until 42 all are in transfer, until 66 two, until 78 one. */
    expect_leave(made, 0, 80);
}

/* Both messages go by the link between the groups; one from its router has three links, the other four. */
static void longer_ways_get_less(void **state)
{
    struct hand_made *made = *state;
    struct ct_error error;
    assert_int_equal(ct_interconnect_parse("dragonfly:2,1;1,1;2,1;2", &error, &made->topology), CT_OK);
    message(made, 2, 4, 40); /* local, blue, local */
    message(made, 0, 5, 30); /* local, green, blue, local */
    assert_int_equal(run(made), CT_OK);
    /* Shares 4/7 and 3/7: both are done after 70. */
    expect_leave(made, 4, 78);
    expect_leave(made, 5, 78);
}

static void each_link_takes_time(void **state)
{
    struct hand_made *made = *state;
    struct ct_error error;
    assert_int_equal(ct_interconnect_parse("torus:8", &error, &made->topology), CT_OK);
    made->terms.hop_latency = 0.5;
    made->terms.hops = 1;
    message(made, 0, 4, 10);
    assert_int_equal(run(made), CT_OK);
    expect_leave(made, 4, 19.5);
}

/* A star of links that take a second each and carry a byte in a second; those of the last node take three
 * seconds and carry half as much. The one before it has a CPU that takes three times as long. */
static void make_star(struct hand_made *made, const struct ct_network_factor *factors, size_t count)
{
    const struct ct_network_counts counts = {
        .nodes = RANKS, .links = 2 * RANKS, .factors = count, .steps = 2 * RANKS * RANKS};
    struct ct_network_routes *routes = made->routes = ct_network_routes_new(&counts);
    assert_non_null(routes);
    routes->measured = (struct ct_network_way){.latency = 2, .rate = 1};
    for (size_t i = 0; i < count; i++)
        routes->factors.all[i] = factors[i];
    for (int i = 0; i < RANKS; i++)
        routes->slowness[i] = i == RANKS - 2 ? 3 : 1;
    for (int i = 0; i < 2 * RANKS; i++)
        routes->all_links[i] = i % RANKS == RANKS - 1 ? (struct ct_network_link){0.5, 3, true}
                                                      : (struct ct_network_link){1, 1, true};
    for (uint32_t from = 0; from < RANKS; from++)
        for (uint32_t to = 0; to < RANKS; to++)
            if (from != to)
                ct_network_routes_add(routes, from, to, (const uint32_t[]){from, RANKS + to}, 2);
    made->topology = ct_interconnect_of_routes(routes);
}

static void links_may_differ(void **state)
{
    struct hand_made *made = *state;
    make_star(made, NULL, 0);
    message(made, 0, 1, 10);
    message(made, 2, 7, 10);
    assert_int_equal(run(made), CT_OK);
    expect_leave(made, 1, 18);
    expect_leave(made, 7, 18 + 2 + 10);
}

static void nodes_may_differ(void **state)
{
    struct hand_made *made = *state;
    make_star(made, NULL, 0);
    for (int rank = 5; rank < 7; rank++) {
        ct_reduce(&made->plans[rank], CT_BUFFER_RECV, 20, CT_BUFFER_RECV, 30, 10);
        ct_round_end(&made->plans[rank]);
    }
    message(made, 0, 1, 10);
    assert_int_equal(run(made), CT_OK);
    expect_leave(made, 5, 20);
    expect_leave(made, 6, 60);
}

/* The latency that long messages have more keeps no link busy: 4 of the 60 seconds of each. */
static void latency_may_grow_with_size(void **state)
{
    struct hand_made *made = *state;
    make_star(made, (const struct ct_network_factor[]){{0, 1}, {50, 3}}, 2);
    message(made, 0, 1, 60);
    message(made, 2, 3, 60);
    message(made, 4, 3, 60);
    assert_int_equal(run(made), CT_OK);
    expect_leave(made, 1, 68);
    expect_leave(made, 3, 1 + 5 + 4 + 2 * 56 + 2 + 2);
}

/* Ranks of a node share its links; the messages of different nodes do not meet. */
static void ranks_of_a_node_share_its_link(void **state)
{
    static const int node_of[RANKS] = {0, 0, 1, 2, 3, 3, 4, 4};
    struct hand_made *made = *state;
    made->terms.node_of = node_of;
    message(made, 0, 2, 10);
    message(made, 1, 3, 10);
    assert_int_equal(run(made), CT_OK);
    expect_leave(made, 2, 28);
    expect_leave(made, 3, 28);
}

/* Ranks of one node send to each other at once. From 2 MB on the receiver copies: the sender's CPU has no
 * more work for each than for a message without data, a second. Shorter ones of those that it waits for cost
 * what the curve of short messages, continued, says: a second for each 100 bytes. */
static void copies_out_of_memory(void **state)
{
    enum { LONG = CT_COPY_FROM, SHORTER = LONG - 100 };
    static const int node_of[RANKS] = {0};
    static struct ct_curve_point near_sends[] = {{0, 1}, {100, 2}, {200, 300}, {2 * LONG, 2 * LONG + 100}},
                                 near_takes[] = {{0, 2}, {100, 2}, {200, 0}},
                                 near_gaps[] = {{0, 8}, {100, 109}, {200, 305}, {2 * LONG, 2 * LONG + 105}};
    static const struct {
        enum ct_node_channel channel;
        size_t bytes;
        double posts;
    } cases[] = {{CT_NODE_CHANNEL_SHARED, LONG, 2 * 1},
                 {CT_NODE_CHANNEL_SHARED, SHORTER, 2 * (1 + SHORTER / 100.)},
                 {CT_NODE_CHANNEL_MPI, LONG, 2 * (1 + LONG / 100.)}};
    struct hand_made *made = *state;
    struct ct_model near = model;
    near.links[CT_LINK_NODE] = near.links[CT_LINK_NETWORK];
    near.links[CT_LINK_NODE].plogp = (struct ct_plogp){
        .send_overhead = {near_sends, 4}, .receive_overhead = {near_takes, 3}, .gap = {near_gaps, 4}};
    made->terms.model = &near;
    made->terms.node_of = node_of;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        near.node_channel = cases[i].channel;
        for (int rank = 0; rank < 3; rank++)
            ct_plan_reset(&made->plans[rank]);
        message(made, 0, 1, cases[i].bytes);
        message(made, 0, 2, cases[i].bytes);
        assert_int_equal(run(made), CT_OK);
        expect_leave(made, 2, cases[i].posts + 105 + (double)cases[i].bytes);
    }
}

/* What is deferred to the end of the plan is waited for in the order of the posts: rank 0 receives the
 * message of rank 2, which comes at 16, after that of rank 1, which comes at 56. */
static void the_end_of_a_plan(void **state)
{
    struct hand_made *made = *state;
    for (int from = 1; from < 3; from++)
        ct_post(&made->plans[0], CT_STEP_RECEIVE, from,
                (struct ct_slice){.buffer = CT_BUFFER_RECV, .offset = 10 * (size_t)from, .n = 10},
                CT_DEFERRAL_AT_END);
    ct_reduce(&made->plans[1], CT_BUFFER_RECV, 20, CT_BUFFER_RECV, 40, 20); /* 40 seconds */
    ct_round_end(&made->plans[1]);
    send(made, 1, 0, 10);
    send(made, 2, 0, 10);
    assert_int_equal(run(made), CT_OK);
    expect_leave(made, 0, 56 + 2 + 2);
}

/* The second message is posted when the first is done, and the work of the CPU for it. */
static void a_window(void **state)
{
    struct hand_made *made = *state;
    ct_window(&made->plans[0], 1);
    receive(made, 1, 0, 10);
    receive(made, 2, 0, 10);
    send(made, 1, 0, 10);
    send(made, 2, 0, 10);
    assert_int_equal(run(made), CT_OK);
    expect_leave(made, 0, 18 + 5 + 10 + 2);
}

static void a_deferred_receive(void **state)
{
    struct hand_made *made = *state;
    struct ct_plan *plan = &made->plans[0];
    unsigned slot = ct_post(plan, CT_STEP_RECEIVE, 1, (struct ct_slice){.buffer = CT_BUFFER_RECV, .n = 10},
                            CT_DEFERRAL_LATER);
    ct_round_end(plan);
    ct_reduce(plan, CT_BUFFER_RECV, 20, CT_BUFFER_RECV, 30, 10); /* 20 seconds */
    ct_round_end(plan);
    ct_wait(plan, slot);
    ct_round_end(plan);
    send(made, 1, 0, 10);
    assert_int_equal(run(made), CT_OK);
    expect_leave(made, 0, 22);
}

/* The sizes that were measured do not show where a sender begins to wait, only that it does at 100 bytes. Up
 * to there it does not, and its CPU does not work for the transfer, which keeps the receiver's link busy. */
static void before_senders_wait(void **state)
{
    static struct ct_curve_point few_sends[] = {{0, 1}, {50, 1}, {100, 100}, {200, 200}},
                                 few_takes[] = {{0, 2}, {50, 2}, {100, 0}};
    struct hand_made *made = *state;
    struct ct_model coarse = model;
    coarse.links[CT_LINK_NETWORK].plogp.send_overhead = (struct ct_curve){few_sends, 4};
    coarse.links[CT_LINK_NETWORK].plogp.receive_overhead = (struct ct_curve){few_takes, 3};
    made->terms.model = &coarse;
    message(made, 0, 2, 90);
    message(made, 1, 2, 90);
    assert_int_equal(run(made), CT_OK);
    expect_leave(made, 0, 1);
    expect_leave(made, 2, 1 + 5 + 2 * 90 + 2 + 2);
}

static void broken_plans(void **state)
{
    struct hand_made *made = *state;
    receive(made, 1, 0, 10);
    assert_int_equal(run(made), CT_E_ANSWER);
    assert_string_equal(made->error.text, "rank 0 waits for a message of rank 1, which never sends it");
    send(made, 1, 0, 11);
    assert_int_equal(run(made), CT_E_ANSWER);
    assert_string_equal(made->error.text, "rank 1 sends 11 bytes, of which rank 0 receives 10");
}

static void a_message_that_nobody_receives(void **state)
{
    struct hand_made *made = *state;
    message(made, 1, 0, 10);
    send(made, 1, 0, 10);
    assert_int_equal(run(made), CT_E_ANSWER);
    assert_string_equal(made->error.text, "rank 1 sends rank 0 a message that it never receives");
}

static void ranks_that_wait_for_each_other(void **state)
{
    struct hand_made *made = *state;
    for (int rank = 0; rank < 2; rank++) {
        send(made, rank, 1 - rank, 100);
        ct_round_end(&made->plans[rank]);
        receive(made, 1 - rank, rank, 100);
    }
    assert_int_equal(run(made), CT_E_ANSWER);
    assert_string_equal(made->error.text, "rank 0 waits in round 1 for ranks that are waiting, too");
}

static void too_many_messages(void **state)
{
    struct hand_made *made = *state;
    made->terms.most_messages = 1;
    message(made, 1, 0, 10);
    message(made, 2, 3, 10);
    assert_int_equal(run(made), CT_E_LIMIT);
    assert_string_equal(made->error.text, "more than 1 messages");
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {CASE(a_short_message),
                                       CASE(a_sender_waits_for_a_long_message),
                                       CASE(a_message_that_comes_early),
                                       CASE(fair_shares),
                                       CASE(longer_ways_get_less),
                                       CASE(each_link_takes_time),
                                       CASE(links_may_differ),
                                       CASE(nodes_may_differ),
                                       CASE(latency_may_grow_with_size),
                                       CASE(ranks_of_a_node_share_its_link),
                                       CASE(copies_out_of_memory),
                                       CASE(the_end_of_a_plan),
                                       CASE(a_window),
                                       CASE(a_deferred_receive),
                                       CASE(before_senders_wait),
                                       CASE(broken_plans),
                                       CASE(a_message_that_nobody_receives),
                                       CASE(ranks_that_wait_for_each_other),
                                       CASE(too_many_messages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
