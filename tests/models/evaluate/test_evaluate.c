/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans written by hand, with times worked out by hand; and broken ones. */
#include "models/evaluate/evaluate.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { RANKS = 3, BYTES = 3 };

/* A message of 3 bytes takes
 *   Hockney  13 until it is in; way out and way in are used as long
 *   LogGP     9 until it is in, 2 of them the sender's CPU; 2 more of the receiver's; ways 6
 *   PLogP    11 until it is in; 1 of the sender's CPU, 2 of the receiver's; ways 6
 * Within a node 1 instead. A reduction takes 2 a byte, a copy 1. */
static struct ct_curve_point one = {0, 1}, two = {0, 2}, gap[] = {{0, 3}, {1, 4}};
static const struct ct_model model = {
    .links = {{.known = {true, true, true},
               .hockney = {10, 1},
               .loggp = {.latency = 5, .overhead = 2, .gap = 4, .gap_per_byte = 1},
               .plogp = {.latency = 5,
                         .send_overhead = {&one, 1},
                         .receive_overhead = {&two, 1},
                         .gap = {gap, 2}}},
              {.known = {true, false, false}, .hockney = {1, 0}}},
    .gamma = 2,
    .delta = 1};

struct hand_made {
    struct ct_evaluator *evaluator;
    struct ct_plan plans[RANKS];
    struct ct_error error;
    struct ct_evaluation evaluation;
    struct ct_evaluation_options options;
    const struct ct_nodes *nodes;
};

static int set_up(void **state)
{
    static struct hand_made made;
    memset(&made, 0, sizeof made);
    made.evaluator = ct_evaluator_new();
    for (int i = 0; i < RANKS; i++)
        ct_plan_reset(&made.plans[i]);
    *state = &made;
    return made.evaluator ? 0 : -1;
}

static int tear_down(void **state)
{
    struct hand_made *made = *state;
    for (int i = 0; i < RANKS; i++)
        ct_plan_free(&made->plans[i]);
    ct_evaluator_free(made->evaluator);
    return 0;
}

static int evaluate(struct hand_made *made, enum ct_communication_model kind)
{
    const struct ct_call call = {.size = RANKS, .unit_bytes = 1, .nodes = made->nodes};
    for (int i = 0; i < RANKS; i++)
        ct_plan_finish(&made->plans[i]);
    return ct_evaluate_plans(made->evaluator, made->plans, &call, &model, kind, &made->options, &made->error,
                             &made->evaluation);
}

/* When each rank leaves under each model. */
static void expect_leaves(struct hand_made *made, const double expected[CT_COMMUNICATION_MODELS][RANKS])
{
    for (int kind = 0; kind < CT_COMMUNICATION_MODELS; kind++) {
        if (evaluate(made, (enum ct_communication_model)kind) != CT_OK)
            fail_msg("%s", made->error.text);
        for (int rank = 0; rank < RANKS; rank++)
            if (fabs(made->evaluation.leaves[rank] - expected[kind][rank]) > 1e-12)
                fail_msg("%s: rank %d leaves at %g, expected %g", ct_communication_model_names[kind], rank,
                         made->evaluation.leaves[rank], expected[kind][rank]);
    }
}

/* Without a word of that text, the line has missed the point. */
static void expect_error(struct hand_made *made, int expected, const char *text)
{
    for (int kind = 0; kind < CT_COMMUNICATION_MODELS; kind++) {
        int status = evaluate(made, (enum ct_communication_model)kind);
        if (!strstr(made->error.text, text))
            fail_msg("'%s': expected '%s'", made->error.text, text);
        assert_int_equal(status, expected);
    }
}

static void send(struct hand_made *made, int from, int to)
{
    ct_send(&made->plans[from], to, CT_BUFFER_RECV, 0, BYTES);
}

static void receive(struct hand_made *made, int from, int to)
{
    ct_receive(&made->plans[to], from, CT_BUFFER_RECV, 0, BYTES);
}

static void message(struct hand_made *made, int from, int to)
{
    send(made, from, to);
    receive(made, from, to);
}

/* Works for 20. */
static void work(struct hand_made *made, int rank)
{
    ct_reduce(&made->plans[rank], CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 0, 8);
    ct_copy(&made->plans[rank], CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 0, 4);
}

/* 0 -> 1 */
static void a_message(void **state)
{
    struct hand_made *made = *state;
    message(made, 0, 1);
    expect_leaves(made, (const double[][RANKS]){{13, 13, 0}, {2, 11, 0}, {1, 11, 0}});
    assert_int_equal(made->evaluation.messages, 1);
    assert_int_equal(made->evaluation.bytes, BYTES);
    assert_true(made->evaluation.seconds == 11);
}

/* 0 -> 1, and the reduction of what comes, which takes 6: after the message, or while it arrives. */
static void a_message_that_is_reduced(void **state)
{
    struct hand_made *made = *state;
    message(made, 0, 1);
    ct_round_end(&made->plans[1]);
    ct_reduce(&made->plans[1], CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 0, BYTES);
    expect_leaves(made, (const double[][RANKS]){{13, 19, 0}, {2, 17, 0}, {1, 17, 0}});
    ct_plan_reset(&made->plans[1]);
    receive(made, 0, 1);
    made->plans[1].steps[0].kind = CT_STEP_RECEIVE_LOWER;
    expect_leaves(made, (const double[][RANKS]){{13, 13, 0}, {2, 11, 0}, {1, 11, 0}});
}

/* 0 -> 1, 0 -> 2 in one round: the second begins when the way out is free, at 13, 6, 6. */
static void two_sends(void **state)
{
    struct hand_made *made = *state;
    message(made, 0, 1);
    message(made, 0, 2);
    expect_leaves(made, (const double[][RANKS]){{26, 13, 26}, {8, 11, 17}, {7, 11, 17}});
}

/* 1 -> 0, 2 -> 0: the second is in when the way in has been free for it, at 26, 15, 17. */
static void two_receives(void **state)
{
    struct hand_made *made = *state;
    message(made, 1, 0);
    message(made, 2, 0);
    expect_leaves(made, (const double[][RANKS]){{26, 13, 13}, {17, 2, 2}, {17, 1, 1}});
}

/* 0 <-> 1: in and out at once. */
static void an_exchange(void **state)
{
    struct hand_made *made = *state;
    message(made, 0, 1);
    message(made, 1, 0);
    expect_leaves(made, (const double[][RANKS]){{13, 13, 0}, {11, 11, 0}, {11, 11, 0}});
}

/* Rank 1 works until 20 and then receives what has been in for long: that still takes its CPU 0, 2, 2. */
static void a_late_receive(void **state)
{
    struct hand_made *made = *state;
    send(made, 0, 1);
    work(made, 1);
    ct_round_end(&made->plans[1]);
    receive(made, 0, 1);
    expect_leaves(made, (const double[][RANKS]){{13, 20, 0}, {2, 22, 0}, {1, 22, 0}});
}

/* Rank 1 receives and works at once, until 20 and 13 (11): whatever CPU the message needs comes on top, but
 * under PLogP, which counts it to the time before the message is in. */
static void work_meanwhile(void **state)
{
    struct hand_made *made = *state;
    message(made, 0, 1);
    work(made, 1);
    expect_leaves(made, (const double[][RANKS]){{13, 20, 0}, {2, 22, 0}, {1, 22, 0}});
}

static struct ct_slice whole(void)
{
    return (struct ct_slice){.buffer = CT_BUFFER_RECV, .n = BYTES};
}

/* Rank 0 has posted a receive from 1 and waits for one from 2, which works until 20 first: what 1 sent is
 * dealt with by the way. */
static void what_comes_in_meanwhile(void **state)
{
    struct hand_made *made = *state;
    send(made, 1, 0);
    work(made, 2);
    ct_round_end(&made->plans[2]);
    message(made, 2, 0);
    ct_post(&made->plans[0], CT_STEP_RECEIVE, 1, whole(), CT_DEFERRAL_AT_END);
    expect_leaves(made, (const double[][RANKS]){{33, 13, 33}, {31, 2, 22}, {31, 1, 21}});
}

/* The same, but rank 0 works until 20 instead of waiting: nothing can be dealt with meanwhile. */
static void what_comes_in_at_work(void **state)
{
    struct hand_made *made = *state;
    send(made, 1, 0);
    unsigned slot = ct_post(&made->plans[0], CT_STEP_RECEIVE, 1, whole(), CT_DEFERRAL_LATER);
    work(made, 0);
    ct_round_end(&made->plans[0]);
    ct_wait(&made->plans[0], slot);
    expect_leaves(made, (const double[][RANKS]){{20, 13, 0}, {22, 2, 0}, {22, 1, 0}});
}

/* A send that is waited for later: under Hockney until 13, of which the work hides what it lasts. */
static void a_deferred_send(void **state)
{
    struct hand_made *made = *state;
    receive(made, 0, 1);
    unsigned slot = ct_post(&made->plans[0], CT_STEP_SEND, 1, whole(), CT_DEFERRAL_LATER);
    ct_copy(&made->plans[0], CT_BUFFER_TEMPORARY, 0, CT_BUFFER_RECV, 0, 4);
    ct_round_end(&made->plans[0]);
    ct_wait(&made->plans[0], slot);
    ct_copy(&made->plans[0], CT_BUFFER_TEMPORARY, 0, CT_BUFFER_RECV, 0, 4);
    expect_leaves(made, (const double[][RANKS]){{17, 13, 0}, {10, 11, 0}, {9, 11, 0}});
}

/* A window of one: the send is posted once the receive before it is done. */
static void a_window(void **state)
{
    struct hand_made *made = *state;
    message(made, 1, 0);
    message(made, 0, 2);
    expect_leaves(made, (const double[][RANKS]){{13, 13, 13}, {11, 2, 11}, {11, 1, 11}});
    made->plans[0].rounds[0].window = 1;
    expect_leaves(made, (const double[][RANKS]){{26, 13, 26}, {13, 2, 22}, {12, 1, 22}});
}

/* Ranks 0 and 1 share a node, which only Hockney knows. */
static void a_node(void **state)
{
    struct hand_made *made = *state;
    struct ct_nodes nodes;
    assert_int_equal(ct_nodes_make((const int[]){5, 5, 6}, RANKS, &nodes), CT_OK);
    made->nodes = &nodes;
    message(made, 0, 1);
    message(made, 1, 2);
    expect_leaves(made, (const double[][RANKS]){{1, 13, 13}, {2, 11, 11}, {1, 11, 11}});
    ct_nodes_free(&nodes);
}

static void a_message_that_nobody_sends(void **state)
{
    receive(*state, 0, 1);
    expect_error(*state, CT_E_ANSWER, "rank 1 waits for a message of rank 0, which never sends it");
}

static void a_message_that_nobody_receives(void **state)
{
    struct hand_made *made = *state;
    message(made, 0, 1);
    send(made, 0, 1);
    expect_error(made, CT_E_ANSWER, "rank 0 sends rank 1 a message that it never receives");
    ct_plan_reset(&made->plans[0]); /* nothing of it is left behind */
    send(made, 0, 1);
    expect_leaves(made, (const double[][RANKS]){{13, 13, 0}, {2, 11, 0}, {1, 11, 0}});
}

static void ranks_that_wait_for_each_other(void **state)
{
    struct hand_made *made = *state;
    for (int rank = 0; rank < RANKS; rank++) {
        receive(made, (rank + 1) % RANKS, rank);
        ct_round_end(&made->plans[rank]);
    }
    for (int rank = 0; rank < RANKS; rank++)
        send(made, (rank + 1) % RANKS, rank);
    expect_error(made, CT_E_ANSWER, "rank 0 waits for a message of rank 1, which is waiting, too");
}

static void lengths_that_differ(void **state)
{
    struct hand_made *made = *state;
    ct_send(&made->plans[0], 1, CT_BUFFER_RECV, 0, BYTES + 1);
    receive(made, 0, 1);
    expect_error(made, CT_E_ANSWER, "rank 0 sends 4 bytes, of which rank 1 receives 3");
}

static void peers_that_do_not_exist(void **state)
{
    struct hand_made *made = *state;
    send(made, 0, RANKS);
    expect_error(made, CT_E_ANSWER, "rank 0 has a message with rank 3 of 3");
    ct_plan_reset(&made->plans[0]);
    receive(made, -1, 0);
    expect_error(made, CT_E_ANSWER, "rank 0 has a message with rank -1 of 3");
    ct_plan_reset(&made->plans[0]);
    send(made, 0, 0);
    expect_error(made, CT_E_ANSWER, "rank 0 has a message with rank 0 of 3");
}

static void slots_that_are_wrong(void **state)
{
    struct hand_made *made = *state;
    receive(made, 0, 1);
    ct_post(&made->plans[0], CT_STEP_SEND, 1, whole(), CT_DEFERRAL_LATER);
    expect_error(made, CT_E_ANSWER, "rank 0: slot 1 is never waited for");
    ct_plan_reset(&made->plans[0]);
    ct_wait(&made->plans[0], 1);
    expect_error(made, CT_E_ANSWER, "rank 0: slot 1 holds no step");
}

static void too_many_messages(void **state)
{
    struct hand_made *made = *state;
    message(made, 0, 1);
    message(made, 1, 2);
    made->options.most_messages = 1;
    expect_error(made, CT_E_LIMIT, "more than 1 messages");
    made->options.most_messages = 2;
    assert_int_equal(evaluate(made, CT_MODEL_HOCKNEY), CT_OK);
}

/* Also where a single rank's plan is too long, and what is written behind the limit is thrown away. */
static void a_method_of_too_many_messages(void **state)
{
    struct hand_made *made = *state;
    struct ct_method method;
    const struct ct_call call = {.size = 100000, .count = 1 << 20, .unit_bytes = 1, .commutative = true};
    made->options.most_messages = 100;
    assert_int_equal(ct_method_parse("bcast/pipeline:seg=1K", CT_COLLECTIVES, NULL, &method), CT_OK);
    assert_int_equal(ct_evaluate(made->evaluator, &method, &call, &model, CT_MODEL_LOGGP, &made->options,
                                 &made->error, &made->evaluation),
                     CT_E_LIMIT);
    assert_string_equal(made->error.text, "bcast/pipeline:seg=1K: more than 100 messages");
}

static void what_cannot_be_evaluated(void **state)
{
    struct hand_made *made = *state;
    struct ct_method method;
    struct ct_model unknown = model;
    const struct ct_call call = {.size = 2, .count = 1, .unit_bytes = 1, .commutative = true};
    assert_int_equal(ct_method_parse("bcast/native", CT_COLLECTIVES, NULL, &method), CT_OK);
    assert_int_equal(ct_evaluate(made->evaluator, &method, &call, &model, CT_MODEL_LOGGP, NULL, &made->error,
                                 &made->evaluation),
                     CT_E_INPUT);
    assert_non_null(strstr(made->error.text, "bcast/native has no plan"));
    unknown.links[CT_LINK_NETWORK].known[CT_MODEL_PLOGP] = false;
    assert_int_equal(ct_method_parse("bcast/binomial", CT_COLLECTIVES, NULL, &method), CT_OK);
    assert_int_equal(ct_evaluate(made->evaluator, &method, &call, &unknown, CT_MODEL_PLOGP, NULL,
                                 &made->error, &made->evaluation),
                     CT_E_INPUT);
    assert_non_null(strstr(made->error.text, "no PLogP parameters for messages between nodes"));
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

/* --- shared links --- */

/* Alone a transfer takes 3, 2 and 3. Hockney: both begin at 10. LogGP: they begin at 7 and 9. PLogP: at 6 and
 * 7, done at 11 and 12. */
static void messages_share_the_way_out(void **state)
{
    struct hand_made *made = *state;
    made->options.shares_links = true;
    message(made, 0, 1);
    message(made, 0, 2);
    static const double expected[][RANKS] = {{0, 16, 16}, {4, 11, 13}, {2, 13, 14}};
    expect_leaves(made, expected);
}

/* Rank 1 works for 20 seconds before it posts its receive. The gap is short, so the transfer does not wait.
 */
static void a_transfer_does_not_wait_for_its_receive(void **state)
{
    struct hand_made *made = *state;
    made->options.shares_links = true;
    send(made, 0, 1);
    work(made, 1);
    ct_round_end(&made->plans[1]);
    receive(made, 0, 1);
    static const double expected[][RANKS] = {{0, 20, 0}, {2, 22, 0}, {1, 22, 0}};
    expect_leaves(made, expected);
}

/* Both begin at 10, 7 and 6 and are done together; then the CPU receives one after the other. */
static void messages_share_the_way_in(void **state)
{
    struct hand_made *made = *state;
    made->options.shares_links = true;
    message(made, 0, 2);
    message(made, 1, 2);
    static const double expected[][RANKS] = {{0, 0, 16}, {2, 2, 15}, {1, 1, 16}};
    expect_leaves(made, expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {CASE(a_message),
                                       CASE(a_message_that_is_reduced),
                                       CASE(two_sends),
                                       CASE(two_receives),
                                       CASE(an_exchange),
                                       CASE(a_late_receive),
                                       CASE(work_meanwhile),
                                       CASE(what_comes_in_meanwhile),
                                       CASE(what_comes_in_at_work),
                                       CASE(a_deferred_send),
                                       CASE(a_window),
                                       CASE(a_node),
                                       CASE(a_message_that_nobody_sends),
                                       CASE(a_message_that_nobody_receives),
                                       CASE(ranks_that_wait_for_each_other),
                                       CASE(lengths_that_differ),
                                       CASE(peers_that_do_not_exist),
                                       CASE(slots_that_are_wrong),
                                       CASE(too_many_messages),
                                       CASE(a_method_of_too_many_messages),
                                       CASE(what_cannot_be_evaluated),
                                       CASE(messages_share_the_way_out),
                                       CASE(a_transfer_does_not_wait_for_its_receive),
                                       CASE(messages_share_the_way_in)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
