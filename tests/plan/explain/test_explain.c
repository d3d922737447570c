/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/explain/explain.h"
#include "plan/explain/explain_flow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static int explain(const char *spelling, struct ct_call call, int rank, enum ct_explain_format format,
                   struct ct_error *error, struct ct_text *text)
{
    struct ct_method method;
    assert_int_equal(ct_method_parse(spelling, CT_COLLECTIVES, error, &method), CT_OK);
    return ct_explain(&method, &call, rank, format, false, error, text);
}

static void test_words(void **state)
{
    (void)state;
    const struct ct_call call = {.size = 3, .root = 1, .count = 12288, .unit_bytes = 1, .commutative = true};
    struct ct_error error;
    struct ct_text text = {0};
    assert_int_equal(explain("bcast/pipeline:seg=8K", call, -1, CT_EXPLAIN_TEXT, &error, &text), CT_OK);
    assert_string_equal(text.data,
                        "bcast/pipeline:seg=8K, 3 ranks, root 1, 12K bytes\n"
                        "rank 0: 2 rounds, sends 0 messages, 0 bytes, holds 0 bytes\n"
                        "  round 0        0  receive       8K  into RECV[0..8192) from rank 2\n"
                        "  round 1        0  receive       4K  into RECV[8192..12288) from rank 2\n"
                        "rank 1: 2 rounds, sends 2 messages, 12K bytes, holds 0 bytes\n"
                        "  round 0        0  send          8K  RECV[0..8192) to rank 2\n"
                        "  round 1        0  send          4K  RECV[8192..12288) to rank 2\n"
                        "rank 2: 3 rounds, sends 2 messages, 12K bytes, holds 0 bytes\n"
                        "  round 0        0  receive       8K  into RECV[0..8192) from rank 1\n"
                        "  round 1        0  receive       4K  into RECV[8192..12288) from rank 1\n"
                        "                 1  send          8K  RECV[0..8192) to rank 0\n"
                        "  round 2        0  send          4K  RECV[8192..12288) to rank 0\n");
    ct_text_free(&text);
}

/* Lengths are bytes, also of elements; deferred steps say so. */
static void test_words_of_a_reduction(void **state)
{
    (void)state;
    const struct ct_call call = {.size = 3, .count = 4, .unit_bytes = 8, .commutative = true};
    struct ct_error error;
    struct ct_text text = {0};
    assert_int_equal(explain("reduce/pipeline:seg=16", call, 1, CT_EXPLAIN_TEXT, &error, &text), CT_OK);
    assert_non_null(strstr(text.data, "into TEMP0[16..32) from rank 2, held by slot 1\n"));
    assert_non_null(strstr(text.data, "reduce        16  SEND[0..16) op TEMP0[0..16) into the latter\n"));
    assert_non_null(strstr(text.data, "for what slot 1 holds"));
    assert_null(strstr(text.data, "rank 0:"));
    ct_text_free(&text);
    assert_int_equal(explain("barrier/linear", call, 1, CT_EXPLAIN_TEXT, &error, &text), CT_OK);
    assert_non_null(strstr(text.data, "send       token  to rank 0\n"));
    ct_text_free(&text);
}

static size_t count(const char *text, const char *word)
{
    size_t found = 0;
    for (; (text = strstr(text, word)); text += strlen(word))
        found++;
    return found;
}

/* Messages within a node travel another way than those between nodes. */
static void test_nodes(void **state)
{
    (void)state;
    static const int labels[] = {0, 0, 1, 1};
    static const char ways[] = "within nodes, through shared memory: 2 messages, 2K bytes; "
                               "between nodes, through MPI: 1 message, 1K bytes";
    struct ct_nodes nodes;
    struct ct_call call = {.size = 4, .count = 1024, .unit_bytes = 1, .commutative = true};
    struct ct_error error;
    struct ct_text text = {0};
    assert_int_equal(ct_nodes_make(labels, 4, &nodes), CT_OK);
    call.nodes = &nodes;
    assert_int_equal(explain("bcast/pipeline", call, 2, CT_EXPLAIN_TEXT, &error, &text), CT_OK);
    assert_non_null(strstr(text.data, ways));
    assert_non_null(strstr(text.data, "from rank 1\n"));
    assert_non_null(strstr(text.data, "to rank 3, within the node\n"));
    ct_text_free(&text);
    ct_nodes_free(&nodes);
    assert_int_equal(ct_nodes_make((int[]){0, 0, 0, 0}, 4, &nodes), CT_OK);
    call.count = 4096;
    assert_int_equal(explain("bcast/linear", call, 0, CT_EXPLAIN_TEXT, &error, &text), CT_OK);
    assert_int_equal(count(text.data, ", within the node, shared copy 1\n"), 3);
    ct_text_free(&text);
    ct_nodes_free(&nodes);
    assert_int_equal(ct_nodes_make(labels, 4, &nodes), CT_OK);
    call.count = 1024;
    assert_int_equal(explain("bcast/pipeline", call, -1, CT_EXPLAIN_SVG, &error, &text), CT_OK);
    assert_non_null(strstr(text.data, ways));
    assert_int_equal(count(text.data, "class=\"up leaves\""), 1);
    assert_int_equal(count(text.data, "class=\"up\""), 2);
    ct_text_free(&text);
    assert_int_equal(explain("bcast/pipeline", call, -1, CT_EXPLAIN_DOT, &error, &text), CT_OK);
    assert_non_null(strstr(text.data, ways));
    assert_int_equal(count(text.data, "style=bold"), 1);
    ct_text_free(&text);
    call.nodes = NULL;
    assert_int_equal(explain("bcast/pipeline", call, -1, CT_EXPLAIN_TEXT, &error, &text), CT_OK);
    assert_null(strstr(text.data, "node"));
    ct_text_free(&text);
    ct_nodes_free(&nodes);
}

/* How many steps of the plan of rank 3 receive and reduce. */
static size_t count_fused(const char *spelling, struct ct_call call, bool plain)
{
    struct ct_method method;
    struct ct_error error;
    struct ct_text text = {0};
    assert_int_equal(ct_method_parse(spelling, CT_COLLECTIVES, &error, &method), CT_OK);
    assert_int_equal(ct_explain(&method, &call, 3, CT_EXPLAIN_TEXT, plain, &error, &text), CT_OK);
    size_t fused = count(text.data, "receive and reduce       1K  from rank 2 into RECV[");
    assert_int_equal(count(text.data, ", 6 of them reduced while they arrive"), fused > 0);
    assert_int_equal(count(text.data, "receive and reduce"), fused);
    ct_text_free(&text);
    return fused;
}

/* Within a node receives reduce. Between nodes, of short messages and by operations that do not commute, they
 * do not, nor if the plan is to be shown as it is written. */
static void test_fused(void **state)
{
    (void)state;
    static const int labels[] = {0, 0, 1, 1}, apart[] = {0, 1, 2, 3};
    struct ct_nodes nodes, alone;
    struct ct_call call = {.size = 4, .count = 512, .unit_bytes = 8, .commutative = true, .nodes = &nodes};
    assert_int_equal(ct_nodes_make(labels, 4, &nodes), CT_OK);
    assert_int_equal(ct_nodes_make(apart, 4, &alone), CT_OK);
    assert_int_equal(count_fused("allreduce/ring", call, false), 3);
    assert_int_equal(count_fused("allreduce/ring", call, true), 0);
    call.nodes = &alone;
    assert_int_equal(count_fused("allreduce/ring", call, false), 0);
    call.nodes = NULL;
    assert_int_equal(count_fused("allreduce/ring", call, false), 0);
    call.nodes = &nodes;
    call.count = 16;
    assert_int_equal(count_fused("allreduce/ring", call, false), 0);
    call.count = 128;
    call.commutative = false;
    assert_int_equal(count_fused("allreduce/recursive_doubling", call, false), 0);
    ct_nodes_free(&nodes);
    ct_nodes_free(&alone);
}

static void test_pictures(void **state)
{
    (void)state;
    struct ct_call call = {.size = 8, .count = 4096, .unit_bytes = 1, .commutative = true};
    struct ct_error error;
    struct ct_text text = {0};
    assert_int_equal(explain("bcast/binomial", call, -1, CT_EXPLAIN_SVG, &error, &text), CT_OK);
    assert_int_equal(strncmp(text.data, "<svg ", 5), 0);
    assert_int_equal(strcmp(text.data + text.length - 7, "</svg>\n"), 0);
    assert_int_equal(count(text.data, "class=\"up\""), 7);
    assert_int_equal(count(text.data, "class=\"down\""), 0);
    assert_int_equal(count(text.data, ">4K<"), 3); /* once a round, of which all messages are alike */
    assert_int_equal(count(text.data, "class=\"size\""), 0);
    ct_text_free(&text);
    assert_int_equal(explain("bcast/binomial", call, 1, CT_EXPLAIN_DOT, &error, &text), CT_OK);
    assert_int_equal(count(text.data, "[label=\"4K\""), 3); /* one in, two out */
    ct_text_free(&text);
    call.size = 40;
    assert_int_equal(explain("bcast/binomial", call, -1, CT_EXPLAIN_SVG, &error, &text), CT_OK);
    assert_int_equal(count(text.data, "class=\"up\""), 39);
    ct_text_free(&text);
    call.size = 1;
    assert_int_equal(explain("bcast/binomial", call, -1, CT_EXPLAIN_SVG, &error, &text), CT_OK);
    ct_text_free(&text);
    call.size = 300;
    call.count = 100000;
    assert_int_equal(explain("bcast/binomial:seg=1000", call, -1, CT_EXPLAIN_DOT, &error, &text), CT_E_LIMIT);
    assert_non_null(strstr(error.text, "too many messages"));
    ct_text_free(&text);
}

/* Where lengths differ each arrow says its own; tokens are dashed. */
static void test_picture_of_lengths(void **state)
{
    (void)state;
    const struct ct_call call = {.size = 16, .count = 4096, .unit_bytes = 1, .commutative = true};
    struct ct_error error;
    struct ct_text text = {0};
    assert_int_equal(explain("scatter/binomial", call, -1, CT_EXPLAIN_SVG, &error, &text), CT_OK);
    assert_int_equal(count(text.data, "class=\"up\""), 15);
    assert_int_equal(count(text.data, ">4K - 32K<"), 1);
    assert_int_equal(count(text.data, "class=\"size\""), 14); /* all but the last round's only one */
    ct_text_free(&text);
    assert_int_equal(explain("gather/linear_sync", call, 3, CT_EXPLAIN_SVG, &error, &text), CT_OK);
    assert_int_equal(count(text.data, "class=\"up token\""), 1);
    assert_int_equal(count(text.data, "class=\"down\""), 2);
    assert_int_equal(count(text.data, ">token<"), 1);
    ct_text_free(&text);
}

/* In v and w forms, slices lie in blocks. */
static void test_blocks(void **state)
{
    (void)state;
    const size_t counts[] = {0, 1, 2, 4, 0, 2, 0, 3, 5}, transposed[] = {0, 4, 0, 1, 0, 3, 2, 2, 5};
    struct ct_call call = {.size = 3, .unit_bytes = 1, .commutative = true};
    struct ct_error error;
    struct ct_text text = {0};
    call.send_counts = counts;
    call.recv_counts = transposed;
    assert_int_equal(explain("alltoallv/linear", call, 1, CT_EXPLAIN_TEXT, &error, &text), CT_OK);
    assert_int_equal(count(text.data, "alltoallv/linear, 3 ranks, blocks of 0 to 5 bytes\n"), 1);
    assert_int_equal(count(text.data, "4  SEND#0[0..4) to rank 0\n"), 1);
    assert_int_equal(count(text.data, "3  into RECV#2[0..3) from rank 2\n"), 1);
    ct_text_free(&text);
    call.send_counts = NULL;
    call.recv_counts = counts + 3;
    assert_int_equal(explain("gatherv/linear", call, 0, CT_EXPLAIN_TEXT, &error, &text), CT_OK);
    assert_int_equal(count(text.data, "gatherv/linear, 3 ranks, root 0, blocks of 0 to 4 bytes\n"), 1);
    assert_int_equal(count(text.data, "4  SEND[0..4) to RECV#0[0..4)\n"), 1);
    ct_text_free(&text);
    call.recv_counts = NULL;
    call.count = 6;
    assert_int_equal(explain("allgather/ring", call, 0, CT_EXPLAIN_TEXT, &error, &text), CT_OK);
    assert_int_equal(count(text.data, "#"), 0);
    ct_text_free(&text);
}

/* Bands are time: a message moves once both its ends can be posted. */
static void test_flow(void **state)
{
    (void)state;
    struct ct_plan plans[3] = {{0}};
    for (int i = 0; i < 3; i++)
        ct_plan_reset(&plans[i]);
    /* 0 -> 1 -> 2, while 2 -> 0 waits in round 0 of rank 0 for rank 2's second round */
    ct_send(&plans[0], 1, CT_BUFFER_SEND, 0, 3);
    ct_receive(&plans[0], 2, CT_BUFFER_RECV, 0, 5);
    ct_receive(&plans[1], 0, CT_BUFFER_RECV, 0, 3);
    ct_round_end(&plans[1]);
    ct_send(&plans[1], 2, CT_BUFFER_RECV, 0, 4);
    ct_receive(&plans[2], 1, CT_BUFFER_RECV, 0, 4);
    ct_round_end(&plans[2]);
    ct_send(&plans[2], 0, CT_BUFFER_RECV, 0, 5);
    for (int i = 0; i < 3; i++)
        ct_plan_finish(&plans[i]);
    struct ct_flow flow;
    assert_int_equal(ct_flow_of(plans, 3, CT_ARROWS_MAX, &flow), CT_OK);
    assert_int_equal(flow.count, 3);
    assert_int_equal(flow.bands, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(flow.arrows[i].from, i);
        assert_int_equal(flow.arrows[i].to, (i + 1) % 3);
        assert_int_equal(flow.arrows[i].n, 3 + i);
        assert_int_equal(flow.arrows[i].band, i);
    }
    ct_flow_free(&flow);
    for (int i = 0; i < 3; i++)
        ct_plan_free(&plans[i]);
}

static void test_what_cannot_be_explained(void **state)
{
    (void)state;
    const struct ct_call call = {.size = 3, .count = 4, .unit_bytes = 1};
    struct ct_error error;
    struct ct_text text = {0};
    assert_int_equal(explain("bcast/native", call, -1, CT_EXPLAIN_TEXT, &error, &text), CT_E_ANSWER);
    assert_non_null(strstr(error.text, "has no plan"));
    assert_int_equal(explain("reduce/binary", call, -1, CT_EXPLAIN_TEXT, &error, &text), CT_E_INPUT);
    assert_non_null(strstr(error.text, "commut"));
    assert_int_equal(text.length, 0);
    ct_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_words_of_a_reduction),
        cmocka_unit_test(test_nodes),
        cmocka_unit_test(test_fused),
        cmocka_unit_test(test_pictures),
        cmocka_unit_test(test_picture_of_lengths),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_flow),
        cmocka_unit_test(test_what_cannot_be_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
