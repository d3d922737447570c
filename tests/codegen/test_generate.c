/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/tree/tree_build.h"
#include "tests/codegen/find_generator.h"
#include "tests/codegen/golden/decisions.h"
#include "tests/codegen/golden_file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void assert_generates(const char *format, const char *name)
{
    struct ct_table table = golden_table();
    struct ct_text text = {0};
    struct ct_error error = {""};
    size_t length;
    char *expected = golden_text(name, &length);
    struct ct_text notes = {0};
    const struct ct_generator_options options = {0};
    assert_int_equal(find_generator(format)->generate(&table, &options, &error, &text, &notes), CT_OK);
    ct_text_free(&notes);
    assert_string_equal(text.data, expected);
    free(expected);
    ct_text_free(&text);
    ct_table_free(&table);
}

/* The exact text of what is written without looking at the machine. */
static void test_text(void **state)
{
    (void)state;
    assert_generates("c", "decisions.h");
    assert_generates("c-map", "decisions_map.h");
    assert_generates("c-source", "decisions_source.c");
    assert_generates("table", "decisions.table");
    assert_generates("text", "decisions.txt");
    assert_generates("ompi", "decisions.ompi");
    assert_generates("ompi-json", "decisions.ompi.json");
    assert_generates("mpich-cvar", "decisions.cvar");
    assert_generates("intel", "decisions.intel");
    assert_null(find_generator("cobol"));
}

/* The compact text reads back, comments and all. */
static void test_table_reads_back(void **state)
{
    (void)state;
    size_t length;
    char *text = golden_text("decisions.table", &length);
    struct ct_decisions decisions;
    assert_int_equal(ct_decisions_read_text(text, "t", NULL, &decisions), CT_OK);
    assert_int_equal(decisions.tree_count, 4);
    ct_decisions_free(&decisions);
    free(text);
}

static struct colltune_choice decide_barrier(size_t comm_size, size_t msg_bytes)
{
    (void)msg_bytes;
    return colltune_decide_barrier(comm_size);
}

/* The compiled functions choose as the trees do, on both sides of every threshold and far out. */
static void test_behaviour(void **state)
{
    (void)state;
    static struct colltune_choice (*const functions[])(size_t, size_t) = {
        [CT_COLLECTIVE_BARRIER] = decide_barrier,
        [CT_COLLECTIVE_BCAST] = colltune_decide_bcast,
        [CT_COLLECTIVE_REDUCE] = colltune_decide_reduce,
        [CT_COLLECTIVE_ALLREDUCE] = colltune_decide_allreduce,
    };
    struct ct_table table = golden_table();
    size_t values[200], count = 0;
    for (size_t i = 0; i <= 64; i++)
        values[count++] = i;
    values[count++] = SIZE_MAX;
    for (size_t t = 0; t < table.decisions.tree_count; t++) {
        for (size_t n = 0; n < table.decisions.trees[t].node_count; n++) {
            values[count++] = table.decisions.trees[t].nodes[n].threshold;
            values[count++] = table.decisions.trees[t].nodes[n].threshold + 1;
        }
    }
    for (size_t t = 0; t < table.decisions.tree_count; t++) {
        const struct ct_decision_tree *tree = &table.decisions.trees[t];
        for (size_t i = 0; i < count * count; i++) {
            struct ct_features features = {
                {[CT_FEATURE_COMM_SIZE] = values[i / count], [CT_FEATURE_MSG_BYTES] = values[i % count]}};
            const struct ct_tree_node *leaf = ct_tree_decide(tree, &features);
            struct colltune_choice choice = functions[tree->collective](values[i / count], values[i % count]);
            char spelling[CT_METHOD_TEXT];
            assert_string_equal(colltune_method_name(choice.method),
                                ct_method_format(&tree->methods[leaf->method], true, spelling));
            assert_string_equal(colltune_method_name(choice.fallback),
                                ct_method_format(&tree->methods[leaf->fallback], true, spelling));
        }
    }
    assert_null(colltune_method_name(COLLTUNE_METHODS));
    ct_table_free(&table);
}

/* A tree that nests deeper than C compilers need take is written as a map; one that is as deep on its other
 * side is flat in C. */
static void test_nesting(void **state)
{
    (void)state;
    enum { DEPTH = 200 };
    for (int in_low = 0; in_low < 2; in_low++) {
        struct ct_tree_builder builder;
        struct ct_method method;
        struct ct_decision_tree tree;
        assert_int_equal(ct_method_parse("linear", CT_COLLECTIVE_BCAST, NULL, &method), CT_OK);
        ct_tree_builder_begin(&builder, CT_COLLECTIVE_BCAST);
        for (size_t i = 0; i < DEPTH; i++) {
            assert_int_equal(
                ct_tree_builder_split(&builder, CT_FEATURE_MSG_BYTES, in_low ? 1000 - i : i, NULL), CT_OK);
            if (!in_low)
                assert_int_equal(ct_tree_builder_leaf(&builder, &method, NULL, NULL), CT_OK);
        }
        assert_int_equal(ct_tree_builder_leaf(&builder, &method, NULL, NULL), CT_OK);
        for (size_t i = 0; in_low && i < DEPTH; i++)
            assert_int_equal(ct_tree_builder_leaf(&builder, &method, NULL, NULL), CT_OK);
        assert_int_equal(ct_tree_builder_finish(&builder, NULL, &tree), CT_OK);
        ct_tree_builder_free(&builder);

        struct ct_table table = golden_table();
        ct_tree_free(&table.decisions.trees[1]);
        table.decisions.trees[1] = tree;
        struct ct_text text = {0};
        struct ct_error error = {""};
        assert_int_equal(ct_c_generator.generate(&table, NULL, &error, &text, NULL), CT_OK);
        assert_int_equal(strstr(text.data, " = colltune_interval(msg_bytes,") != NULL, in_low);
        ct_text_free(&text);
        ct_table_free(&table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_table_reads_back),
        cmocka_unit_test(test_behaviour),
        cmocka_unit_test(test_nesting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
