/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "decision/table.h"
#include "decision/tree/tree_build.h"
#include "decision/tree/tree_depth.h"
#include "tests/codegen/golden_file.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* What the golden table says is there. */
static void test_read(void **state)
{
    (void)state;
    struct ct_table table = golden_table();
    assert_int_equal(table.run_count, 1);
    assert_string_equal(table.runs[0].launcher, "ethernet-100 */ \"64\" /* nodes?\?/");
    assert_int_equal(table.runs[0].property_count, 2);
    assert_string_equal(table.runs[0].properties[0].value, "two cores & more");
    assert_int_equal(table.decisions.tree_count, 4);
    assert_int_equal(table.trees[1].penalty.cells, 640);
    assert_int_equal(table.trees[1].penalty.unmeasured, 8);
    assert_true(table.trees[1].penalty.mean == 0.012345678901234567);
    assert_true(table.trees[0].native.most == 3.1415926535897931);
    const struct ct_decision_tree *bcast = ct_decisions_find(&table.decisions, CT_COLLECTIVE_BCAST);
    assert_int_equal(ct_tree_leaf_count(bcast), 10);
    struct ct_features features = {{[CT_FEATURE_COMM_SIZE] = 99, [CT_FEATURE_MSG_BYTES] = 5368709121}};
    assert_string_equal(bcast->methods[ct_tree_decide(bcast, &features)->method].algorithm->name, "pipeline");
    ct_table_free(&table);
}

/* Written and read and written again it is the same, to the last digit. */
static void test_round_trip(void **state)
{
    (void)state;
    struct ct_table table = golden_table(), again;
    struct ct_text first = {0}, second = {0};
    ct_table_write(&table, &first);
    struct ct_error error = {""};
    int status = ct_table_parse(first.data, first.length, "first", &error, &again);
    assert_string_equal(error.text, "");
    assert_int_equal(status, CT_OK);
    ct_table_write(&again, &second);
    assert_string_equal(first.data, second.data);
    assert_true(again.trees[1].penalty.mean == table.trees[1].penalty.mean);
    ct_text_free(&first);
    ct_text_free(&second);
    ct_table_free(&table);
    ct_table_free(&again);
}

/* The text with the first `from` replaced by `to`. */
static char *replaced(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    assert_non_null(at);
    char *copy = malloc(strlen(text) + strlen(to) + 1);
    assert_non_null(copy);
    size_t before = (size_t)(at - text);
    memcpy(copy, text, before);
    strcpy(copy + before, to);
    strcat(copy, at + strlen(from));
    return copy;
}

/* One thing wrong at a time: refused at the line where it stands. */
static void test_wrong_tables(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *where, *what;
    } wrong[] = {
        {"version=\"2\"", "version=\"1\"", "g:3: ", "expected <decision-table version=\"2\""},
        {"tool-version=\"0.1.0\">", "tool-version=\"*/\">", "g:3: ", "expected"},
        {"samples-sha256=\"e3b0", "samples-sha256=\"e3\"", "g:", "expected"},
        {"samples-sha256=\"e3b0", "samples-sha256=\"xxxx", "g:6: ", "expected"},
        {"backend=\"simulated\"", "backend=\"dreamt\"", "g:6: ", "expected"},
        {"collective=\"barrier\"", "collective=\"bariere\"", "g:10: ", "unknown collective 'bariere'"},
        {"collective=\"bcast\"", "collective=\"barrier\"", "g:18: ", "second tree for barrier"},
        {"collective=\"reduce\"", "collective=\"bcast\"", "g:", "second tree for bcast"},
        {"run=\"ethernet\"", "run=\"token ring\"", "g:10: ", "'token ring' is not one of this table"},
        {"learner=\"", "modes=\"asleep\" learner=\"", "g:10: ", "expected"},
        {"learner=\"", "modes=\"\" learner=\"", "g:10: ", "expected"},
        {"of=\"tree\"", "of=\"native\"", "g:11: ", "penalty of=\"tree\""},
        {"cells=\"27\"", "cells=\"many\"", "g:11: ", "expected"},
        {"mean=\"0\"", "mean=\"nan\"", "g:11: ", "expected"},
        {"mean=\"0\"", "mean=\"-1\"", "g:11: ", "expected"},
        {"<split", "<feature name=\"a\" formula=\"1/0\"/><split", "g:13: ", "divides by 0"},
        {"<split", "<feature name=\"even\" formula=\"1\"/><split", "g:13: ", "a feature even already"},
        {"<split", "<feature name=\"a\"/><split", "g:13: ", "expected"},
        {"feature=\"comm_size\" at-most=\"5\"", "feature=\"even\" at-most=\"1\"", "g:13: ", "always holds"},
        {"feature=\"comm_size\"", "feature=\"total_bytes\"", "g:13: ", "barrier has no message size"},
        {"feature=\"comm_size\"", "feature=\"moon\"", "g:13: ", "unknown feature 'moon': expected comm_size"},
        {"feature=\"comm_size\"", "feature=\"msg_bytes\"", "g:13: ", "barrier has no message size"},
        {"at-most=\"5\"", "at-most=\"5.5\"", "g:13: ", "expected"},
        {"at-most=\"5\"", "at-most=\"99999999999999999999\"", "g:13: ", "expected a smaller number"},
        {"at-most=\"5\"", "at-most=\"18446744073709551615\"", "g:13: ", "always holds"},
        {"at-most=\"393216\"", "at-most=\"1448\"", "g:", "cannot hold here"},
        {"<leaf method=\"linear\"/>", "", "g:13: ", "expected"},
        {"<leaf method=\"linear\"/>", "<leaf method=\"linear\"/><leaf method=\"linear\"/>", "g:1",
         "expected"},
        {"<leaf method=\"linear\"/>", "<leaf method=\"linaer\"/>", "g:14: ", "unknown algorithm 'linaer'"},
        {"<leaf method=\"linear\"/>", "<leaf method=\"linear\" fallback=\"native\"/>",
         "g:14: ", "no fallback"},
        {" fallback=\"reduce_bcast\"", "", "g:", "commutative operation; expected a fallback"},
        {"fallback=\"reduce_bcast\"", "fallback=\"ring\"", "g:", "expected one that always applies"},
        {"fallback=\"reduce_bcast\"", "fallback=\"\"", "g:", "unknown algorithm ''"},
        {"<leaf method=\"native\"/>\n  </tree>", "</tree>", "g:", "expected"},
        {"</decision-table>", "", "g:", "well-formed"},
        {"<decision-table", "<!DOCTYPE a [<!ENTITY b \"c\">]><decision-table", "g:3: ", "document type"},
        {"<decision-table", "<decision-tabel", "g:", "expected"},
    };
    size_t length;
    char *golden = golden_text("decisions.xml", &length);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char *text = replaced(golden, wrong[i].from, wrong[i].to);
        struct ct_table table = {.run_count = 77};
        struct ct_error error = {""};
        int status = ct_table_parse(text, strlen(text), "g", &error, &table);
        if (status != CT_E_INPUT || table.run_count != 77 || strchr(error.text, '\n') ||
            strncmp(error.text, wrong[i].where, strlen(wrong[i].where)) != 0 ||
            !strstr(error.text, wrong[i].what))
            fail_msg("%zu, %s: %d '%s', expected '%s... %s'", i, wrong[i].to, status, error.text,
                     wrong[i].where, wrong[i].what);
        free(text);
    }
    free(golden);
}

/* Two runs of one name are refused; libxml2 says where a start tag ends. */
static void test_second_run(void **state)
{
    (void)state;
    size_t length;
    char *golden = golden_text("decisions.xml", &length);
    const char *begin = strstr(golden, "  <run"), *end = strstr(golden, "  <tree");
    char *twice = ct_format("%.*s%.*s%s", (int)(begin - golden), golden, (int)(end - begin), begin, begin);
    assert_non_null(twice);
    struct ct_table table;
    struct ct_error error = {""};
    assert_int_equal(ct_table_parse(twice, strlen(twice), "g", &error, &table), CT_E_INPUT);
    assert_string_equal(error.text, "g:12: a second run 'ethernet': expected different names");
    free(twice);
    free(golden);
}

/* As deep as is allowed, and one more. */
static void test_depth(void **state)
{
    (void)state;
    size_t length;
    char *golden = golden_text("decisions.xml", &length);
    const char *leaf = strstr(golden, "    <leaf method=\"native\"/>\n  </tree>");
    assert_non_null(leaf);
    for (size_t depth = CT_TREE_DEPTH_MAX; depth <= CT_TREE_DEPTH_MAX + 1; depth++) {
        struct ct_text text = {0};
        ct_text_append_bytes(&text, golden, (size_t)(leaf - golden));
        for (size_t i = 0; i < depth; i++)
            ct_text_append(&text, "<split feature=\"msg_bytes\" at-most=\"%zu\">", 1000000 - i);
        ct_text_append(&text, "<leaf method=\"native\"/>");
        for (size_t i = 0; i < depth; i++)
            ct_text_append(&text, "<leaf method=\"binomial\"/></split>");
        ct_text_append(&text, "%s", strstr(leaf, "  </tree>"));
        struct ct_table table;
        struct ct_error error = {""};
        int status = ct_table_parse(text.data, text.length, "g", &error, &table);
        if (depth == CT_TREE_DEPTH_MAX) {
            assert_int_equal(status, CT_OK);
            assert_int_equal(ct_tree_depth(ct_decisions_find(&table.decisions, CT_COLLECTIVE_REDUCE)), depth);
            ct_table_free(&table);
        } else {
            assert_int_equal(status, CT_E_INPUT);
            assert_non_null(strstr(error.text, "deep"));
        }
        ct_text_free(&text);
    }
    free(golden);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),         cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_wrong_tables), cmocka_unit_test(test_second_run),
        cmocka_unit_test(test_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
