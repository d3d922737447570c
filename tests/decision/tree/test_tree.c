/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/tree/tree.h"
#include "decision/tree/tree_build.h"
#include "decision/tree/tree_depth.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const char sample[] = "colltune-table 2\n"
                             "# a comment\n"
                             "collective bcast\n"
                             "comm_size <= 8\n"
                             "  msg_bytes <= 1448\n"
                             "    binomial\n"
                             "    split_binary:seg=8K\n"
                             "  native\n"
                             "collective allreduce\n"
                             "ring fallback recursive_doubling\n"
                             "collective barrier\n"
                             "comm_size <= 3\n"
                             "  linear\n"
                             "  dissemination\n"
                             "collective allgather\n"
                             "feature share=comm_size*msg_bytes/(nodes+1)\n"
                             "power_of_two <= 0\n"
                             "  total_bytes <= 80K\n"
                             "    bruck\n"
                             "    ring\n"
                             "  share <= 4096\n"
                             "    ppn <= 1\n"
                             "      linear\n"
                             "      native\n"
                             "    sparbit\n";

static struct ct_decisions read_sample(void)
{
    struct ct_decisions decisions;
    struct ct_error error = {""};
    int status = ct_decisions_read_text(sample, "sample", &error, &decisions);
    assert_string_equal(error.text, "");
    assert_int_equal(status, CT_OK);
    return decisions;
}

static void assert_decides(const struct ct_decision_tree *tree, size_t comm_size, size_t msg_bytes,
                           const char *expected)
{
    struct ct_features features = {{[CT_FEATURE_COMM_SIZE] = comm_size, [CT_FEATURE_MSG_BYTES] = msg_bytes}};
    char spelling[CT_METHOD_TEXT];
    const struct ct_tree_node *leaf = ct_tree_decide(tree, &features);
    assert_string_equal(ct_method_format(&tree->methods[leaf->method], false, spelling), expected);
}

/* Decisions on both sides of each threshold. */
static void test_decide(void **state)
{
    (void)state;
    struct ct_decisions decisions = read_sample();
    assert_int_equal(decisions.tree_count, 4);
    const struct ct_decision_tree *bcast = ct_decisions_find(&decisions, CT_COLLECTIVE_BCAST);
    assert_decides(bcast, 2, 0, "binomial");
    assert_decides(bcast, 8, 1448, "binomial");
    assert_decides(bcast, 8, 1449, "split_binary:seg=8K");
    assert_decides(bcast, 9, 1, "native");
    assert_decides(bcast, SIZE_MAX, SIZE_MAX, "native");
    assert_int_equal(ct_tree_leaf_count(bcast), 3);
    assert_int_equal(ct_tree_depth(bcast), 2);
    struct ct_tree_depths depths = ct_tree_depths(bcast);
    assert_int_equal(depths.least, 1);
    assert_int_equal(depths.most, 2);
    assert_true(depths.mean == 5 / 3.0);

    const struct ct_decision_tree *barrier = ct_decisions_find(&decisions, CT_COLLECTIVE_BARRIER);
    assert_decides(barrier, 3, 0, "linear");
    assert_decides(barrier, 4, 0, "dissemination");
    assert_null(ct_decisions_find(&decisions, CT_COLLECTIVE_REDUCE));

    const struct ct_decision_tree *allgather = ct_decisions_find(&decisions, CT_COLLECTIVE_ALLGATHER);
    assert_decides(allgather, 10, 8192, "bruck");
    assert_decides(allgather, 10, 8193, "ring");
    assert_decides(allgather, 11, 8192, "ring");
    assert_decides(allgather, 11, SIZE_MAX, "ring");
    assert_decides(allgather, 4, 1024, "linear");
    assert_decides(allgather, 4, 1025, "sparbit");
    assert_decides(allgather, 4, SIZE_MAX, "sparbit");

    const struct ct_decision_tree *allreduce = ct_decisions_find(&decisions, CT_COLLECTIVE_ALLREDUCE);
    depths = ct_tree_depths(allreduce);
    assert_true(depths.least == 0 && depths.most == 0 && depths.mean == 0);
    assert_string_equal(allreduce->methods[allreduce->nodes[0].fallback].algorithm->name,
                        "recursive_doubling");
    ct_decisions_free(&decisions);
}

/* What is written is what was read, without the comment. */
static void test_round_trip(void **state)
{
    (void)state;
    struct ct_decisions decisions = read_sample();
    struct ct_text text = {0};
    ct_decisions_write_text(&decisions, &text);
    char *expected = strdup(sample), *comment = strchr(expected, '#');
    memmove(comment, strchr(comment, '\n') + 1, strlen(strchr(comment, '\n')));
    assert_string_equal(text.data, expected);
    free(expected);
    ct_text_free(&text);
    ct_decisions_free(&decisions);
}

#define HEAD "colltune-table 2\n"

/* Each wrong text is refused at its line, with what was expected. */
static void test_wrong_text(void **state)
{
    (void)state;
    static const struct {
        const char *text, *where, *what;
    } wrong[] = {
        {"", "t:1: ", "expected the line 'colltune-table 2'"},
        {"colltune-table 1\n", "t:1: ", "expected the line 'colltune-table 2'"},
        {"colltune-table 21\n", "t:1: ", "expected the line"},
        {HEAD, "t:1: ", "expected 'collective NAME'"},
        {HEAD "linear\n", "t:2: ", "expected 'collective NAME'"},
        {HEAD "collective bcats\nlinear\n", "t:2: ", "unknown collective 'bcats'"},
        {HEAD "collective bcast\n", "t:2: ", "expected a test or a method"},
        {HEAD "collective bcast\nlinear\ncollective bcast\nlinear\n", "t:4: ", "second tree for bcast"},
        {HEAD "collective bcast\ncollective barrier\nlinear\n", "t:3: ", "expected a test or a method"},
        {HEAD "collective bcast\nlinaer\n", "t:3: ", "unknown algorithm 'linaer'"},
        {HEAD "collective bcast\nscatter_allgather:seg=1K\n", "t:3: ", "no parameter of that name"},
        {HEAD "collective bcast\nbarrier/linear\n", "t:3: ", "not one of bcast"},
        {HEAD "collective bcast\nlinear\nbinomial\n", "t:4: ", "the tree is whole"},
        {HEAD "collective bcast\n linear\n", "t:3: ", "indented by 1 spaces: expected 0"},
        {HEAD "collective bcast\ncomm_size <= 4\n linear\n  linear\n", "t:4: ", "expected 2"},
        {HEAD "collective bcast\ncomm_size <= 4\n  linear\nbinomial\n", "t:5: ", "expected 2"},
        {HEAD "collective bcast\ncomm_size <= 4\n  linear\n", "t:4: ", "the branch for comm_size > 4"},
        {HEAD "collective bcast\ncomm_size <= 4\n", "t:3: ", "the branch for comm_size <= 4"},
        {HEAD "collective bcast\ncomm_size <= \n", "t:3: ", "a whole number"},
        {HEAD "collective bcast\ncomm_size <= 4x\n", "t:3: ", "a whole number"},
        {HEAD "collective bcast\ncomm_size <= -4\n", "t:3: ", "a whole number"},
        {HEAD "collective bcast\ncomm_size <= 99999999999999999999999\n", "t:3: ", "a smaller number"},
        {HEAD "collective bcast\ncomm_size <= 18446744073709551615\n", "t:3: ", "always holds"},
        {HEAD "collective bcast\nsize <= 4\n", "t:3: ",
         "unknown feature 'size': expected comm_size, msg_bytes, nodes, ppn, yield, by, mode, root, "
         "degree, mean_degree, imbalance, on_node, total_bytes"},
        {HEAD "collective bcast\npower_of_two <= 1\n", "t:3: ", "power_of_two <= 1 always holds: expected"},
        {HEAD "collective barrier\ntotal_bytes <= 4\n", "t:3: ", "barrier has no message size"},
        {HEAD "collective barrier\nfeature a=nodes+msg_bytes\na <= 4\n", "t:4: ", "no message size"},
        {HEAD "collective bcast\nfeature a=comm_size/0\nlinear\n", "t:3: ", "divides by 0"},
        {HEAD "collective bcast\nfeature a=b\nlinear\n", "t:3: ", "unknown feature 'b'"},
        {HEAD "collective bcast\nfeature a\nlinear\n", "t:3: ", "expected NAME=FORMULA"},
        {HEAD "collective bcast\nfeature a=1\nfeature a=1\nlinear\n", "t:4: ", "a feature a already"},
        {HEAD "collective bcast\nfeature even=nodes\nlinear\n", "t:3: ", "a feature even already"},
        {HEAD "collective bcast\ncomm_size <= 4\nfeature a=1\n", "t:4: ", "expected 2"},
        {HEAD "collective bcast\ncomm_size <= 4\n  feature a=1\n", "t:4: ", "unknown algorithm"},
        {HEAD "collective bcast\nfeature a=nodes\n", "t:3: ", "expected a test or a method"},
        {HEAD "collective bcast\ncomm_size < 4\n", "t:3: ", "unknown algorithm"},
        {HEAD "collective barrier\nmsg_bytes <= 4\n", "t:3: ", "barrier has no message size"},
        {HEAD "collective bcast\ncomm_size <= 4\n  comm_size <= 4\n", "t:4: ", "always holds here"},
        {HEAD "collective bcast\ncomm_size <= 4\n  linear\n  comm_size <= 4\n", "t:5: ", "cannot hold here"},
        {HEAD "collective allreduce\nring\n", "t:3: ", "commutative operation; expected a fallback"},
        {HEAD "collective allreduce\nring fallback ring\n", "t:3: ", "expected one that always applies"},
        {HEAD "collective bcast\nlinear fallback binomial\n", "t:3: ", "no fallback expected"},
        {HEAD "collective bcast\nlinear fallback \n", "t:3: ", "unknown algorithm ''"},
        {HEAD "\ncollective bcast\nlinear\n", "t:2: ", "the line is empty"},
        {HEAD "collective bcast\r\nlinear\n", "t:2: ", "printable ASCII"},
        {HEAD "collective bcast\nlin\xc3\xa9"
              "ar\n",
         "t:3: ", "printable ASCII"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct ct_decisions decisions = {NULL, 77};
        struct ct_error error = {""};
        assert_int_equal(ct_decisions_read_text(wrong[i].text, "t", &error, &decisions), CT_E_INPUT);
        assert_int_equal(decisions.tree_count, 77);
        if (strncmp(error.text, wrong[i].where, strlen(wrong[i].where)) != 0 ||
            !strstr(error.text, wrong[i].what))
            fail_msg("text %zu: got '%s', expected '%s... %s'", i, error.text, wrong[i].where, wrong[i].what);
    }
}

/* A bound that a test sets is lifted behind it: neighbours may test the same again. */
static void test_bounds_are_lifted(void **state)
{
    (void)state;
    static const char text[] =
        HEAD "collective bcast\ncomm_size <= 16\n"
             "  comm_size <= 8\n    comm_size <= 4\n      linear\n      binary\n    chain\n"
             "  msg_bytes <= 8\n    comm_size <= 32\n      linear\n      chain\n"
             "    comm_size <= 24\n      comm_size <= 20\n        linear\n        chain\n"
             "      binary\n";
    struct ct_decisions decisions;
    struct ct_error error = {""};
    int status = ct_decisions_read_text(text, "t", &error, &decisions);
    assert_string_equal(error.text, "");
    assert_int_equal(status, CT_OK);
    assert_decides(&decisions.trees[0], 24, 9, "chain");
    assert_decides(&decisions.trees[0], 25, 9, "binary");
    ct_decisions_free(&decisions);
}

/* A tree of `depth` nested tests, as text. */
static void write_deep(size_t depth, struct ct_text *text)
{
    ct_text_append(text, HEAD "collective bcast\n");
    for (size_t i = 0; i < depth; i++)
        ct_text_append(text, "%*smsg_bytes <= %zu\n", (int)(2 * i), "", 1000000 - i);
    ct_text_append(text, "%*sbinomial\n", (int)(2 * depth), "");
    for (size_t i = depth; i > 0; i--)
        ct_text_append(text, "%*slinear\n", (int)(2 * i), "");
    assert_false(text->failed);
}

/* As deep as is allowed, and one more. */
static void test_depth(void **state)
{
    (void)state;
    struct ct_text text = {0};
    struct ct_decisions decisions;
    struct ct_error error = {""};
    write_deep(CT_TREE_DEPTH_MAX, &text);
    assert_int_equal(ct_decisions_read_text(text.data, "t", &error, &decisions), CT_OK);
    assert_int_equal(ct_tree_depth(&decisions.trees[0]), CT_TREE_DEPTH_MAX);
    assert_int_equal(ct_tree_leaf_count(&decisions.trees[0]), CT_TREE_DEPTH_MAX + 1);
    assert_decides(&decisions.trees[0], 2, 1, "binomial");
    assert_decides(&decisions.trees[0], 2, 1000000 - 4999, "linear");
    ct_decisions_free(&decisions);
    ct_text_free(&text);

    write_deep(CT_TREE_DEPTH_MAX + 1, &text);
    assert_int_equal(ct_decisions_read_text(text.data, "t", &error, &decisions), CT_E_INPUT);
    assert_non_null(strstr(error.text, "nested more than 10000 deep"));
    ct_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decide),     cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_wrong_text), cmocka_unit_test(test_bounds_are_lifted),
        cmocka_unit_test(test_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
