/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "learners/learner.h"
#include "tests/learners/map_fixture.h"
#include "tests/samples/run_fixture.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define ROWS                                                                                                 \
    "0,bcast,native,4,1,4,0,1,byte,,0,2e-6,ok\n"                                                             \
    "0,bcast,binomial:seg=8K,4,1,4,0,1,byte,,0,1e-6,ok\n"                                                    \
    "0,bcast,,4,1,4,,1,,,,,commit\n"                                                                         \
    "0,bcast,native,4,1,4,0,8192,byte,,0,3e-6,ok\n"                                                          \
    "0,bcast,binomial:seg=8K,4,1,4,0,8192,byte,,0,6e-6,ok\n"                                                 \
    "0,bcast,,4,1,4,,8192,,,,,commit\n"

static int setup(void **state)
{
    *state = fixture_folder();
    return 0;
}

static int teardown(void **state)
{
    ct_remove_all(*state, NULL);
    free(*state);
    return 0;
}

/* A table of a run has its trees, where they come from, and survives its file. */
static void test_learn(void **state)
{
    char *path = fixture_run(*state, ROWS), *file = ct_format("%s/table.xml", (const char *)*state);
    struct ct_run run;
    struct ct_table table, again;
    struct ct_error error = {""};
    assert_int_equal(ct_run_read(path, false, &error, &run), CT_OK);
    struct ct_learn_options options = {
        .max_depth = 4, .threshold = 87.5, .keep_equal = true, .third = CT_FEATURE_PPN};
    int status = ct_learn_table(&run, ct_learner_find("quadtree"), &options, CT_COLLECTIVES, &error, &table);
    assert_string_equal(error.text, "");
    assert_int_equal(status, CT_OK);
    /* barrier is of the run, but nothing of it was measured */
    assert_int_equal(table.decisions.tree_count, 1);
    assert_string_equal(table.runs[0].name, "run");
    assert_int_equal(strlen(table.runs[0].samples_checksum), 64);
    assert_string_not_equal(table.runs[0].samples_checksum, table.runs[0].description_checksum);
    assert_string_equal(table.trees[0].options, "max-depth=4 threshold=87.5 no-merge third=ppn");
    assert_int_equal(table.trees[0].penalty.cells, 2);
    assert_true(table.trees[0].penalty.most == 0);
    assert_int_equal(ct_tree_leaf_count(&table.decisions.trees[0]), 2);

    bool learned_from = false;
    assert_int_equal(ct_table_learned_from(&table, &run, &error, &learned_from), CT_OK);
    assert_true(learned_from);
    table.runs[0].samples_checksum[0] ^= 1;
    assert_int_equal(ct_table_learned_from(&table, &run, &error, &learned_from), CT_OK);
    assert_false(learned_from);
    table.runs[0].samples_checksum[0] ^= 1;

    struct ct_text text = {0};
    ct_table_write(&table, &text);
    assert_int_equal(ct_file_create(file, text.data, text.length, &error), CT_OK);
    status = ct_table_read(file, &error, &again);
    assert_string_equal(error.text, "");
    assert_int_equal(status, CT_OK);
    assert_int_equal(again.decisions.trees[0].node_count, 3);
    ct_table_free(&again);
    ct_text_free(&text);
    ct_table_free(&table);
    ct_run_free(&run);
    free(path);
    free(file);
}

/* A learner sees the features asked for that tell cells apart, and the table says which were asked for. */
static void test_features(void **state)
{
    (void)state;
    struct ct_map map;
    struct ct_learn_features features = {0};
    struct ct_feature_matrix matrix;
    struct ct_text spelled = {0};
    struct ct_error error = {""};
    fixture_map(CT_COLLECTIVE_BCAST, "3,4", "1,8K", "native,linear", &map);
    assert_int_equal(ct_feature_matrix_make(&map, NULL, &matrix), CT_OK);
    assert_int_equal(matrix.count, 2);
    assert_int_equal(matrix.values[3 * 2 + CT_FEATURE_COMM_SIZE], 4);
    assert_int_equal(matrix.values[3 * 2 + CT_FEATURE_MSG_BYTES], 8192);
    ct_feature_matrix_free(&matrix);

    assert_int_equal(ct_learn_features_list(&features, "nodes,even,comm_size,even", &error), CT_OK);
    assert_int_equal(ct_learn_features_define(&features, "blocks=total_bytes / 8K", &error), CT_OK);
    assert_int_equal(ct_learn_features_define(&features, "same = 5", &error), CT_E_INPUT);
    assert_int_equal(ct_learn_features_define(&features, "same=0*blocks", &error), CT_OK);
    ct_learn_features_spell(&features, &spelled);
    assert_string_equal(spelled.data, " features=nodes,even,comm_size feature=blocks=comm_size*msg_bytes/8K "
                                      "feature=same=0*(comm_size*msg_bytes/8K)");
    assert_int_equal(ct_feature_matrix_make(&map, &features, &matrix), CT_OK);
    assert_int_equal(matrix.count, 3); /* one node, and 0 times whatever */
    static const size_t expected[4][3] = {{0, 3, 0}, {0, 3, 3}, {1, 4, 0}, {1, 4, 4}};
    assert_memory_equal(matrix.values, expected, sizeof expected);
    assert_string_equal(ct_feature_name(matrix.set, matrix.numbers[2]), "blocks");
    ct_feature_matrix_free(&matrix);

    map.collective = CT_COLLECTIVE_BARRIER;
    assert_int_equal(ct_feature_matrix_make(&map, &features, &matrix), CT_OK);
    assert_int_equal(matrix.count, 2);
    ct_feature_matrix_free(&matrix);
    ct_text_free(&spelled);
    ct_learn_features_free(&features);
    map.collective = CT_COLLECTIVE_BCAST;
    ct_map_free(&map);
}

/* What cannot be learned says why. */
static void test_refusals(void **state)
{
    char *path = fixture_run(*state, ROWS);
    struct ct_run run;
    struct ct_learn_features features = {0};
    assert_int_equal(ct_run_read(path, false, NULL, &run), CT_OK);
    struct {
        struct ct_learn_options options;
        enum ct_collective collective;
        const char *what;
    } wrong[] = {
        {{.max_depth = 1, .threshold = 0}, CT_COLLECTIVE_BCAST, "percentage"},
        {{.max_depth = 1, .threshold = 100.5}, CT_COLLECTIVE_BCAST, "percentage"},
        {ct_learn_standard, CT_COLLECTIVE_BARRIER, "no samples of barrier"},
        {ct_learn_standard, CT_COLLECTIVE_ALLREDUCE, "no samples of allreduce"},
        {{.max_depth = 1, .threshold = 100, .exclude = "native,binomial"},
         CT_COLLECTIVE_BCAST,
         "no allowed method"},
        {{.max_depth = 1, .threshold = 100, .exclude = "binomail"},
         CT_COLLECTIVE_BCAST,
         "not a method of any collective"},
        {{.max_depth = 1, .threshold = 100, .features = &features},
         CT_COLLECTIVE_BCAST,
         "quadtree tests comm_size,msg_bytes alone"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct ct_table table = {.run_count = 77};
        struct ct_error error = {""};
        assert_int_equal(ct_learn_table(&run, ct_learner_find("quadtree"), &wrong[i].options,
                                        wrong[i].collective, &error, &table),
                         CT_E_INPUT);
        assert_int_equal(table.run_count, 77);
        if (!strstr(error.text, wrong[i].what))
            fail_msg("%zu: got '%s', expected '%s'", i, error.text, wrong[i].what);
    }
    struct ct_learn_options third = ct_learn_standard, unmerged = ct_learn_standard;
    third.third = CT_FEATURE_NODES;
    unmerged.keep_equal = true;
    const struct ct_learner *lists = ct_learner_find("run_lengths");
    assert_int_equal(ct_learn_check(lists, &ct_learn_standard, NULL), CT_OK);
    assert_int_equal(ct_learn_check(lists, &third, NULL), CT_E_INPUT);
    assert_int_equal(ct_learn_check(lists, &unmerged, NULL), CT_E_INPUT);
    ct_run_free(&run);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_learn, setup, teardown),
        cmocka_unit_test(test_features),
        cmocka_unit_test_setup_teardown(test_refusals, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
