/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/mapping.h"
#include "codegen/ompi_rules.h"
#include "tests/codegen/tuning_tables.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { TABLES = 12, RANKS = 40 };

static int read_file(int release, const char *text, struct ct_error *error, struct ct_ompi_file *file)
{
    return release < 6 ? ct_ompi_read_text(text, "f", error, file)
                       : ct_ompi_read_json(text, "f", error, file);
}

/* What Open MPI counts of a call with our message size: told here anew, from its decision functions. */
static size_t counted(enum ct_collective collective, size_t ranks, size_t bytes)
{
    switch (collective) {
    case CT_COLLECTIVE_BCAST:
    case CT_COLLECTIVE_REDUCE:
    case CT_COLLECTIVE_ALLREDUCE:
    case CT_COLLECTIVE_ALLGATHERV: /* the sum of all blocks, divided by the ranks */
        return bytes;
    case CT_COLLECTIVE_ALLGATHER:
    case CT_COLLECTIVE_ALLTOALL:
    case CT_COLLECTIVE_GATHER:
    case CT_COLLECTIVE_SCATTER:
    case CT_COLLECTIVE_REDUCE_SCATTER:
    case CT_COLLECTIVE_REDUCE_SCATTER_BLOCK:
        return bytes * ranks;
    default:
        return 4 * ranks; /* scan and exscan: one element, here of 4 bytes; others 0 or nothing */
    }
}

/* What should stand for the leaf. */
static bool expected(const struct ct_decision_tree *tree, const struct ct_tree_node *leaf, int release,
                     bool commutative, struct ct_theirs *ret_theirs)
{
    const size_t candidates[] = {leaf->method, leaf->fallback};
    for (size_t i = 0; i < 2; i++) {
        const struct ct_method *method = &tree->methods[candidates[i]];
        if (ct_is_native(method->algorithm))
            return false;
        if (ct_mapping_find(&ct_ompi_mapping, release, method, ret_theirs) &&
            ((commutative && i == 0) || ret_theirs->mapping->needs == 0))
            return true;
    }
    return false;
}

static bool depends_on_size(const struct ct_decision_tree *tree, size_t ranks, int release, bool commutative)
{
    size_t count, *sizes = sizes_of(tree, &count);
    bool differs = false;
    int first = -1;
    for (size_t i = 0; i < count; i++) {
        struct ct_theirs theirs;
        int number = expected(tree, leaf_at(tree, ranks, sizes[i]), release, commutative, &theirs)
                         ? theirs.mapping->number
                         : 0;
        differs = differs || (first >= 0 && number != first);
        first = number;
    }
    free(sizes);
    return differs;
}

/* How many calls of the tree the file decides, and as the tree does. */
static size_t check_tree(const struct ct_decision_tree *tree, const struct ct_ompi_file *file, int release,
                         bool commutative)
{
    enum ct_collective collective = tree->collective;
    size_t size_count, *sizes = sizes_of(tree, &size_count), decided = 0;
    bool unseen = collective == CT_COLLECTIVE_SCAN || collective == CT_COLLECTIVE_EXSCAN;
    for (size_t p = 1; p < RANKS + 3; p++) {
        bool lost = unseen && depends_on_size(tree, p, release, commutative);
        for (size_t i = 0; i < size_count; i++) {
            struct ct_theirs theirs;
            bool found = ct_ompi_number(collective) >= 0 && !lost &&
                         expected(tree, leaf_at(tree, p, sizes[i]), release, commutative, &theirs);
            const struct ct_ompi_rule *rule =
                ct_ompi_decide(file, collective, p, counted(collective, p, sizes[i]));
            assert_int_equal(found, rule != NULL);
            if (!found)
                continue;
            decided++;
            assert_int_equal(rule->algorithm, theirs.mapping->number);
            assert_int_equal(rule->segment, theirs.segment);
            assert_int_equal(rule->fanout, theirs.fanout);
            assert_int_equal(rule->requests, release < 6 ? 0 : theirs.requests);
        }
    }
    free(sizes);
    return decided;
}

static void check_format(const char *format, int release)
{
    unsigned seed = 7;
    for (int t = 0; t < TABLES; t++) {
        struct ct_table table = random_table(RANKS, &seed);
        const struct ct_generator_options options = {.commutative = t % 2 == 1};
        struct ct_text text = generated(format, &table, &options, NULL);
        struct ct_error error = {""};
        struct ct_ompi_file file;
        size_t decided = 0;
        read_file(release, text.data, &error, &file);
        assert_string_equal(error.text, "");
        for (size_t i = 0; i < table.decisions.tree_count; i++)
            decided += check_tree(&table.decisions.trees[i], &file, release, options.commutative);
        assert_true(decided > 1000);
        ct_ompi_file_free(&file);
        ct_text_free(&text);
        ct_table_free(&table);
    }
}

/* A random table's decisions are those of the file, as Open MPI would read it. */
static void test_text_decides(void **state)
{
    (void)state;
    check_format("ompi", 4);
}

static void test_json_decides(void **state)
{
    (void)state;
    check_format("ompi-json", 6);
}

/* What is left out is said, in the file and beside it. */
static void test_notes(void **state)
{
    (void)state;
    static const char source[] = "colltune-table 2\n"
                                 "collective bcast\ncomm_size <= 8\n  in_order_binary:seg=8K\n  knomial\n"
                                 "collective allreduce\nring fallback rabenseifner\n"
                                 "collective scatterv\nlinear\n"
                                 "collective scan\nmsg_bytes <= 8\n  linear\n  recursive_doubling\n";
    static const char *const lines[] = {
        "bcast: Open MPI has no algorithm like in_order_binary:seg=8K; replaced by its own choice\n",
        "bcast: knomial is Open MPI's knomial, which has radix 4",
        ("allreduce: Open MPI's ring is correct only for operations that commute, which its files cannot "
         "test; replaced by rabenseifner\n"),
        "scatterv: files of Open MPI have no rules for this collective\n",
        "scan: Open MPI ignores the message size",
    };
    struct ct_table table = table_of(source);
    struct ct_text notes = {0}, again = {0};
    struct ct_text text = generated("ompi", &table, &(struct ct_generator_options){0}, &notes);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        assert_non_null(strstr(notes.data, lines[i]));
        assert_non_null(strstr(text.data, lines[i]));
    }
    struct ct_text other =
        generated("ompi", &table, &(struct ct_generator_options){.commutative = true}, &again);
    assert_null(again.data ? strstr(again.data, "allreduce") : NULL);
    struct ct_ompi_file file;
    assert_int_equal(ct_ompi_read_text(other.data, "t", NULL, &file), CT_OK);
    assert_int_equal(ct_ompi_decide(&file, CT_COLLECTIVE_ALLREDUCE, 5, 5)->algorithm, 4);
    assert_null(ct_ompi_decide(&file, CT_COLLECTIVE_BCAST, 8, 0));
    assert_int_equal(ct_ompi_decide(&file, CT_COLLECTIVE_BCAST, 9, 0)->algorithm, 7);
    ct_ompi_file_free(&file);
    ct_text_free(&text);
    ct_text_free(&other);
    ct_text_free(&notes);
    ct_text_free(&again);
    ct_table_free(&table);
}

static void assert_refused(int release, const char *text, const char *expected)
{
    struct ct_error error = {""};
    struct ct_ompi_file file;
    assert_int_equal(read_file(release, text, &error, &file), CT_E_INPUT);
    if (!strstr(error.text, expected))
        fail_msg("'%s' does not say '%s'", error.text, expected);
}

static void test_bad_text(void **state)
{
    (void)state;
    assert_refused(4, "", "f:1: expected a number of collectives");
    assert_refused(4, "99", "expected at most");
    assert_refused(4, "1\n7 1\n010 1 0 0 0 0", "f:3: expected a communicator size");
    assert_refused(4, "1\n7 1\n2 1\n8 6 0 0", "the first message size is 8");
    assert_refused(4, "1\n7 1\n2 2\n0 6 0 0\n0 6 0 0", "message sizes must rise");
    assert_refused(4, "1\n7 2\n4 1\n0 6 0 0\n4 1\n0 6 0 0", "communicator sizes must rise");
    assert_refused(4, "1\n7 1\n2 1\n0 10 0 0", "no algorithm 10 of bcast");
    assert_refused(4, "1\n16 1\n2 1\n0 1 0 0", "collective 16 has no rules");
    assert_refused(4, "2\n7 0\n7 0", "stands here twice");
    assert_refused(4, "1\n7 1\n2 1\n0 6 0 x", "expected a segment size");
    assert_refused(4, "1\n7 1\n2 1\n0 6 0 0 5", "expected the end");
    assert_refused(4, "1\n7 1\n2 1\n0 6 0", "expected a segment size");
    assert_refused(4, "1\n7 1\n2 2\n0 6 0 0\n9223372036854775808 6 0 0", "expected at most");
    assert_refused(4, "1\n7 1\n2 0", "at least one message size");
    assert_refused(4, "1\n0 1\n2 1\n0 8 0 0", "Open MPI 4.1 has no algorithm 8 of allgather");
    assert_refused(4, "rule-file-version-2\n1\n0 1\n2 1\n0 9 0 0",
                   "Open MPI 6 has no algorithm 9 of allgather");
    assert_refused(4, "rule-file-version-3\n1\n7 1\n2 1\n0 6 0 0",
                   "f:1: the version is 3: expected at most 2");
    assert_refused(4, "rule-file-version-0\n0", "f:1: expected rule-file-version-1 or rule-file-version-2");
    assert_refused(4, "rule-file-version- 2\n0", "f:1: expected rule-file-version-1 or");
    assert_refused(4, "rule-file-version-2x\n0", "f:1: expected rule-file-version-1 or");
    assert_refused(4, "rule-file-version-1\n1\n7 1\n2 1\n0 6 0 0 4", "expected the end");
    assert_refused(4, "rule-file-version-2\n1\n7 1\n2 1\n0 6 0 0 4 4", "expected the end");
}

/* A rule of the second version of the text may end with a number of requests. */
static void test_second_version(void **state)
{
    (void)state;
    struct ct_ompi_file file;
    assert_int_equal(ct_ompi_read_text("rule-file-version-2 # form\n1\n3\n1\n2\n3\n0 4 0 0 64 # requests\n"
                                       "8 4 0 0\n512 8 0 0 1\n",
                                       "f", NULL, &file),
                     CT_E_INPUT); /* alltoall has no algorithm 8 */
    assert_int_equal(ct_ompi_read_text("rule-file-version-2 # form\n1\n3\n1\n2\n3\n0 4 0 0 64 # requests\n"
                                       "8 4 0 0\n512 2 0 0 1\n",
                                       "f", NULL, &file),
                     CT_OK);
    assert_int_equal(file.release, 6);
    assert_int_equal(file.rule_count, 3);
    assert_int_equal(file.rules[0].requests, 64);
    assert_int_equal(file.rules[1].requests, 0);
    assert_int_equal(file.rules[2].requests, 1);
    ct_ompi_file_free(&file);
    assert_int_equal(ct_ompi_read_text("rule-file-version-1\n1\n7 1\n2 1\n0 6 0 0", "f", NULL, &file), CT_OK);
    assert_int_equal(file.release, 4);
    ct_ompi_file_free(&file);
}

/* Release 6 takes names of algorithms, and a word for a size without bound. */
static void test_names(void **state)
{
    (void)state;
    struct ct_ompi_file file;
    assert_int_equal(
        ct_ompi_read_json(
            "{\"rule_file_version\": 3, \"collectives\": {\"allgather\": [{\"comm_size_max\": "
            "\"inf\", \"rules\": [{\"msg_size_max\": 8, \"alg\": \"ignore\"}, {\"msg_size_max\": "
            "16, \"alg\": \"two_proc\"}, {\"msg_size_max\": \"inf\", \"alg\": \"ring\"}]}]}}",
            "f", NULL, &file),
        CT_OK);
    assert_null(ct_ompi_decide(&file, CT_COLLECTIVE_ALLGATHER, 4, 8));
    assert_int_equal(ct_ompi_decide(&file, CT_COLLECTIVE_ALLGATHER, 4, 16)->algorithm, 6);
    assert_int_equal(ct_ompi_decide(&file, CT_COLLECTIVE_ALLGATHER, 1 << 20, SIZE_MAX)->algorithm, 4);
    ct_ompi_file_free(&file);
}

/* A segment that is larger than Open MPI can count is no segment of its. */
static void test_large_segments(void **state)
{
    (void)state;
    struct ct_table table = table_of("colltune-table 2\ncollective bcast\nbinomial:seg=8G\n");
    struct ct_text notes = {0};
    struct ct_text text = generated("ompi", &table, &(struct ct_generator_options){0}, &notes);
    assert_null(strstr(text.data, "8589934592"));
    assert_string_equal(
        notes.data, "bcast: Open MPI has no algorithm like binomial:seg=8G; replaced by its own choice\n");
    ct_text_free(&text);
    ct_text_free(&notes);
    ct_table_free(&table);
}

static void test_bad_json(void **state)
{
    (void)state;
#define FILE_OF(rest) "{\"rule_file_version\": 3, \"collectives\": {" rest "}}"
    assert_refused(6, "{", "too early");
    assert_refused(6, "[]", "rule_file_version");
    assert_refused(6, FILE_OF("") "x", "byte");
    assert_refused(6, FILE_OF("\"reducescatter\": []"), "reducescatter: unknown");
    assert_refused(6, FILE_OF("\"bcast\": {}"), "expected an array");
    assert_refused(6, FILE_OF("\"bcast\": [{}]"), "rules: expected");
    assert_refused(6, FILE_OF("\"bcast\": [{\"rules\": [{}]}]"), "alg: expected");
    assert_refused(6, FILE_OF("\"bcast\": [{\"rules\": [{\"alg\": 10}]}]"), "alg: expected");
    assert_refused(6, FILE_OF("\"bcast\": [{\"rules\": [{\"alg\": 1, \"msg_size_min\": -1}]}]"),
                   "msg_size_min");
    assert_refused(
        6, FILE_OF("\"bcast\": [{\"rules\": [{\"alg\": 1, \"msg_size_min\": 2, \"msg_size_max\": 1}]}]"),
        "at least msg_size_min");
    assert_refused(6,
                   FILE_OF("\"bcast\": [{\"rules\": [{\"alg\": 1, \"msg_size_min\": 9223372036854775808}]}]"),
                   "msg_size_min: expected a whole number that is not too large");
    assert_refused(
        6, FILE_OF("\"bcast\": [{\"rules\": [{\"alg\": 1, \"msg_size_max\": 99999999999999999999}]}]"),
        "msg_size_max: expected a whole number that is not too large");
    assert_refused(6, FILE_OF("\"bcast\": [{\"comm_size_max\": \"all\", \"rules\": []}]"), "comm_size_max");
    assert_refused(6, FILE_OF("\"bcast\": [{\"comm_size_min\": \"inf\", \"rules\": []}]"), "comm_size_min");
    assert_refused(6, FILE_OF("\"bcast\": [{\"rules\": [{\"alg\": \"fast\"}]}]"),
                   "alg: expected the number or");
    assert_refused(6, FILE_OF("\"bcast\": [{\"rules\": [{\"alg\": \"6\"}]}]"), "alg: expected the number or");
    assert_refused(6, FILE_OF("\"bcast\": [{\"rules\": [{\"alg\": \"two_proc\"}]}]"), "alg: expected");
#undef FILE_OF
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_decides),   cmocka_unit_test(test_json_decides),
        cmocka_unit_test(test_notes),          cmocka_unit_test(test_bad_text),
        cmocka_unit_test(test_second_version), cmocka_unit_test(test_names),
        cmocka_unit_test(test_bad_json),       cmocka_unit_test(test_large_segments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
