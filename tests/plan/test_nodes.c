/* SPDX-License-Identifier: BSD-3-Clause */
/* Which ranks share a node. */
#include "base/error.h"
#include "plan/nodes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct ct_nodes make(const int *labels, int size)
{
    struct ct_nodes nodes;
    assert_int_equal(ct_nodes_make(labels, size, &nodes), CT_OK);
    return nodes;
}

/* Nodes are numbered by their lowest rank, whatever the labels. */
static void test_ranks_in_any_order(void **state)
{
    (void)state;
    const int labels[] = {7, -3, 7, 7, 0, -3}, members[] = {0, 2, 3, 1, 5, 4}, place[] = {0, 0, 1, 2, 0, 1};
    char text[CT_NODES_TEXT];
    struct ct_nodes nodes = make(labels, 6);
    assert_int_equal(nodes.count, 3);
    assert_memory_equal(nodes.members, members, sizeof members);
    assert_memory_equal(nodes.place, place, sizeof place);
    assert_int_equal(ct_node_size(&nodes, 0), 3);
    assert_int_equal(ct_node_size(&nodes, 2), 1);
    assert_int_equal(*ct_node_members(&nodes, 1), 1);
    assert_string_equal(ct_nodes_format(&nodes, text), "0 1 0 0 2 1");
    assert_false(nodes.in_order);
    ct_nodes_free(&nodes);
}

static void test_blocks_are_in_order(void **state)
{
    (void)state;
    const int labels[] = {4, 4, 4, 2, 1, 1};
    struct ct_nodes nodes = make(labels, 6);
    assert_true(nodes.in_order);
    assert_int_equal(ct_nodes_run(&nodes, 0), 6);
    ct_nodes_free(&nodes);
}

/* Members 0 2 3, 1, 4 5: a run may go on from node to node. */
static void test_runs_end_at_gaps(void **state)
{
    (void)state;
    const int labels[] = {0, 1, 0, 0, 2, 2}, ends[] = {1, 3, 3, 4, 6, 6};
    struct ct_nodes nodes = make(labels, 6);
    for (int i = 0; i < 6; i++)
        assert_int_equal(ct_nodes_run(&nodes, i), ends[i]);
    ct_nodes_free(&nodes);
}

static void test_many_ranks_are_cut_short(void **state)
{
    (void)state;
    static int labels[1000];
    char text[CT_NODES_TEXT];
    for (int rank = 0; rank < 1000; rank++)
        labels[rank] = rank;
    struct ct_nodes nodes = make(labels, 1000);
    ct_nodes_format(&nodes, text);
    assert_memory_equal(text, "0 1 2 ", 6);
    assert_string_equal(text + strlen(text) - 4, " ...");
    ct_nodes_free(&nodes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranks_in_any_order),
        cmocka_unit_test(test_blocks_are_in_order),
        cmocka_unit_test(test_runs_end_at_gaps),
        cmocka_unit_test(test_many_ranks_are_cut_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
