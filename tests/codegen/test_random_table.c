/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/generator.h"
#include "tests/codegen/random_table.h"
#include "tests/learners/map_fixture.h"

/* The generated header. */
#include DECISIONS

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define VALUE(feature) at->value[feature]

static struct colltune_choice decide_barrier(const struct ct_features *at)
{
    return colltune_decide_barrier(VALUE(CT_FEATURE_COMM_SIZE), VALUE(CT_FEATURE_NODES),
                                   VALUE(CT_FEATURE_PPN));
}

static struct colltune_choice decide_bcast(const struct ct_features *at)
{
    return colltune_decide_bcast(VALUE(CT_FEATURE_COMM_SIZE), VALUE(CT_FEATURE_MSG_BYTES),
                                 VALUE(CT_FEATURE_NODES), VALUE(CT_FEATURE_PPN));
}

static struct colltune_choice decide_allgather(const struct ct_features *at)
{
    return colltune_decide_allgather(VALUE(CT_FEATURE_COMM_SIZE), VALUE(CT_FEATURE_MSG_BYTES),
                                     VALUE(CT_FEATURE_NODES), VALUE(CT_FEATURE_PPN));
}

static struct colltune_choice decide_reduce_scatter_block(const struct ct_features *at)
{
    return colltune_decide_reduce_scatter_block(VALUE(CT_FEATURE_COMM_SIZE), VALUE(CT_FEATURE_MSG_BYTES),
                                                VALUE(CT_FEATURE_NODES), VALUE(CT_FEATURE_PPN));
}

static struct colltune_choice decide_scatter(const struct ct_features *at)
{
    return colltune_decide_scatter(VALUE(CT_FEATURE_COMM_SIZE), VALUE(CT_FEATURE_MSG_BYTES));
}

static struct colltune_choice (*const functions[CT_COLLECTIVES])(const struct ct_features *) = {
    [CT_COLLECTIVE_BARRIER] = decide_barrier,
    [CT_COLLECTIVE_BCAST] = decide_bcast,
    [CT_COLLECTIVE_ALLGATHER] = decide_allgather,
    [CT_COLLECTIVE_REDUCE_SCATTER_BLOCK] = decide_reduce_scatter_block,
    [CT_COLLECTIVE_SCATTER] = decide_scatter,
};

/* Near the tree's own thresholds, small, or at the end of what there is. */
static struct ct_features random_call(const struct ct_decision_tree *tree, unsigned *seed)
{
    struct ct_features features;
    for (int i = 0; i < CT_FEATURES; i++) {
        size_t near = tree->nodes[fixture_random(seed, (unsigned)tree->node_count)].threshold;
        size_t small = fixture_random(seed, 70), shift = fixture_random(seed, 30),
               offset = fixture_random(seed, 3);
        const size_t values[] = {near + offset, small, small << shift, SIZE_MAX - offset};
        features.value[i] = values[fixture_random(seed, 13) / 4];
    }
    return features;
}

/* What was compiled decides as the tree does; on so many paths that this shows something. */
static void test_compiled(void **state)
{
    (void)state;
    struct ct_table table;
    random_table(&table);
    unsigned seed = 3;
    for (size_t t = 0; t < table.decisions.tree_count; t++) {
        const struct ct_decision_tree *tree = &table.decisions.trees[t];
        bool *reached = calloc(tree->node_count, sizeof *reached);
        size_t leaves = 0;
        for (int i = 0; i < 200000; i++) {
            struct ct_features features = random_call(tree, &seed);
            const struct ct_tree_node *leaf = ct_tree_decide(tree, &features);
            struct colltune_choice choice = functions[tree->collective](&features);
            char spelling[CT_METHOD_TEXT];
            assert_string_equal(colltune_method_name(choice.method),
                                ct_method_format(&tree->methods[leaf->method], true, spelling));
            leaves += !reached[leaf - tree->nodes];
            reached[leaf - tree->nodes] = true;
        }
        assert_true(leaves >= 15);
        free(reached);
    }
    ct_table_free(&table);
}

/* Both forms of a table come back as they were written, and so do the decisions. */
static void test_round_trip(void **state)
{
    (void)state;
    struct ct_table table, again;
    struct ct_decisions decisions;
    struct ct_text xml = {0}, xml_again = {0}, text = {0}, text_again = {0};
    struct ct_error error = {""};
    random_table(&table);
    ct_table_write(&table, &xml);
    int status = ct_table_parse(xml.data, xml.length, "t", &error, &again);
    assert_string_equal(error.text, "");
    assert_int_equal(status, CT_OK);
    ct_table_write(&again, &xml_again);
    assert_string_equal(xml.data, xml_again.data);
    assert_non_null(strstr(xml.data, "<feature name=\"int\" formula=\"min(comm_size,nodes*3)"));
    assert_null(strstr(xml.data, "<feature name=\"even\""));

    ct_decisions_write_text(&table.decisions, &text);
    assert_int_equal(ct_decisions_read_text(text.data, "t", &error, &decisions), CT_OK);
    ct_decisions_write_text(&decisions, &text_again);
    assert_string_equal(text.data, text_again.data);
    unsigned seed = 5;
    for (size_t t = 0; t < table.decisions.tree_count; t++) {
        for (int i = 0; i < 5000; i++) {
            const struct ct_decision_tree *tree = &table.decisions.trees[t];
            struct ct_features features = random_call(tree, &seed);
            size_t leaf = (size_t)(ct_tree_decide(tree, &features) - tree->nodes);
            tree = &again.decisions.trees[t];
            assert_int_equal(leaf, ct_tree_decide(tree, &features) - tree->nodes);
            tree = &decisions.trees[t];
            assert_int_equal(leaf, ct_tree_decide(tree, &features) - tree->nodes);
        }
    }
    ct_text_free(&xml);
    ct_text_free(&xml_again);
    ct_text_free(&text);
    ct_text_free(&text_again);
    ct_decisions_free(&decisions);
    ct_table_free(&again);
    ct_table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compiled),
        cmocka_unit_test(test_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
