/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "learners/all_learners.h"
#include "learners/learn_settings.h"
#include "learners/learn_table.h"
#include "samples/run_folder.h"
#include "tests/learners/learner_fixture.h"
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

/* A table of a run has its trees, where they come from, and survives its file. */
static void test_learn(void **state)
{
    char *path = fixture_run(*state, ROWS), *file = ct_format("%s/table.xml", (const char *)*state);
    struct ct_run run;
    struct ct_table table, again;
    struct ct_error error = {""};
    assert_int_equal(ct_run_read(path, false, &error, &run), CT_OK);
    struct ct_learn_settings *settings =
        fixture_settings("quadtree", "third=ppn max-depth=4 no-merge threshold=87.5");
    int status = ct_learn_table(&run, settings, CT_COLLECTIVES, &error, &table);
    ct_learn_settings_free(settings);
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
    struct ct_feature_columns columns;
    size_t values[CT_FEATURES_MAX];
    struct ct_text spelled = {0};
    struct ct_error error = {""};
    fixture_map(CT_COLLECTIVE_BCAST, "3,4", "1,8K", "native,linear", &map);
    columns = ct_feature_columns_of(&map, NULL);
    assert_int_equal(columns.count, 2);
    struct ct_features call = ct_key_features(&map.cells[3].key);
    ct_feature_columns_take(&columns, &call, values);
    assert_int_equal(values[CT_FEATURE_COMM_SIZE], 4);
    assert_int_equal(values[CT_FEATURE_MSG_BYTES], 8192);

    assert_int_equal(ct_learn_features_list(&features, "nodes,even,comm_size,even", &error), CT_OK);
    assert_int_equal(ct_learn_features_define(&features, "blocks=total_bytes / 8K", &error), CT_OK);
    assert_int_equal(ct_learn_features_define(&features, "same = 5", &error), CT_E_INPUT);
    assert_int_equal(ct_learn_features_define(&features, "same=0*blocks", &error), CT_OK);
    ct_learn_features_spell(&features, &spelled);
    assert_string_equal(spelled.data, " features=nodes,even,comm_size feature=blocks=comm_size*msg_bytes/8K "
                                      "feature=same=0*(comm_size*msg_bytes/8K)");
    columns = ct_feature_columns_of(&map, &features);
    assert_int_equal(columns.count, 3); /* one node, and 0 times whatever */
    static const size_t expected[4][3] = {{0, 3, 0}, {0, 3, 3}, {1, 4, 0}, {1, 4, 4}};
    for (size_t c = 0; c < 4; c++) {
        call = ct_key_features(&map.cells[c].key);
        ct_feature_columns_take(&columns, &call, values);
        assert_memory_equal(values, expected[c], sizeof expected[c]);
    }
    assert_string_equal(ct_feature_name(columns.set, columns.numbers[2]), "blocks");

    map.collective = CT_COLLECTIVE_BARRIER;
    assert_int_equal(ct_feature_columns_of(&map, &features).count, 2);
    ct_text_free(&spelled);
    ct_learn_features_free(&features);
    map.collective = CT_COLLECTIVE_BCAST;
    ct_map_free(&map);
}

/* Wrong options say why, and so does what cannot be learned. */
static void test_refusals(void **state)
{
    char *path = fixture_run(*state, ROWS);
    struct ct_run run;
    assert_int_equal(ct_run_read(path, false, NULL, &run), CT_OK);
    static const struct {
        const char *learner, *words, *what;
    } wrong[] = {
        {"quadtree", "threshold=0", "--threshold '0': expected a number above 0, at most 100"},
        {"quadtree", "threshold=100.5", "--threshold '100.5': expected a number above 0, at most 100"},
        {"quadtree", "third=comm_size", "--third 'comm_size': expected none, nodes or ppn"},
        {"quadtree", "features=even",
         "--features: not an option of the learner quadtree; "
         "expected the learner surrogate, interpolate, penalty, c45"},
        {"run_lengths", "third=nodes",
         "--third: not an option of the learner run_lengths; expected the learner quadtree"},
        {"run_lengths", "no-merge",
         "--no-merge: not an option of the learner run_lengths; expected the learner quadtree"},
        {"penalty", "max-leaves=0", "--max-leaves '0': expected a whole number of at least 1"},
        {"penalty", "max-slowdown=0", "--max-slowdown '0': expected a number of percent above 0"},
        {"penalty", "features=moon", "--features: unknown feature 'moon'"},
        {"penalty", "by=formulas",
         "--by: not an option of the learner penalty; expected the learner interpolate"},
        {"interpolate", "by=formulas", "--by and --no-share-links: expected --model, too"},
        {"interpolate", "moon", "--moon: not an option of any learner"},
        {"c45", "min-cases=1000001", "--min-cases '1000001': expected a whole number from 1 to 1000000"},
        {"c45", "confidence=0", "--confidence '0': expected a number from 0.001 to 100"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct ct_error error = {""};
        assert_int_equal(fixture_settings_fail(wrong[i].learner, wrong[i].words, &error), CT_E_INPUT);
        if (strncmp(error.text, wrong[i].what, strlen(wrong[i].what)) != 0)
            fail_msg("got '%s', expected '%s'", error.text, wrong[i].what);
    }
    static const struct {
        const char *learner, *words;
        enum ct_collective collective;
        const char *what;
    } none[] = {
        {"quadtree", "", CT_COLLECTIVE_BARRIER, "no samples of barrier"},
        {"quadtree", "", CT_COLLECTIVE_ALLREDUCE, "no samples of allreduce"},
        {"quadtree", "exclude=native,binomial", CT_COLLECTIVE_BCAST, "no allowed method"},
        {"quadtree", "exclude=binomail", CT_COLLECTIVE_BCAST, "not a method of any collective"},
        {"c45", "joint", CT_COLLECTIVE_BCAST, "--joint: cannot be combined with --collective"},
        {"c45", "joint", CT_COLLECTIVES, "expected two collectives with a message size"},
    };
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        struct ct_table table = {.run_count = 77};
        struct ct_error error = {""};
        struct ct_learn_settings *settings = fixture_settings(none[i].learner, none[i].words);
        assert_int_equal(ct_learn_table(&run, settings, none[i].collective, &error, &table), CT_E_INPUT);
        ct_learn_settings_free(settings);
        assert_int_equal(table.run_count, 77);
        if (!strstr(error.text, none[i].what))
            fail_msg("got '%s', expected '%s'", error.text, none[i].what);
    }
    ct_run_free(&run);
    free(path);
}

struct reports {
    size_t whole, parts;
    double share; /* of the last part */
};

static void count_report(void *context, const struct ct_progress *progress)
{
    struct reports *reports = context;
    reports->whole += progress->what != NULL;
    if (progress->what)
        return;
    const double share = (double)progress->done / (double)progress->total;
    assert_true(share > reports->share && share < 1);
    reports->share = share;
    reports->parts++;
}

/* Estimating the calls of one collective takes long, so that it is reported in parts. */
static void test_progress(void **state)
{
    char *path = fixture_run(*state, ROWS);
    struct ct_run run;
    struct ct_table table;
    struct ct_error error = {""};
    struct reports reports = {.parts = 0};
    const struct ct_watch watch = {.progress = count_report, .context = &reports};
    struct ct_learn_settings *settings;
    assert_int_equal(ct_run_read(path, false, &error, &run), CT_OK);
    assert_int_equal(ct_learn_settings_new(ct_learner_find("surrogate"), NULL, 0, &watch, &error, &settings),
                     CT_OK);
    assert_int_equal(ct_learn_table(&run, settings, CT_COLLECTIVE_BCAST, &error, &table), CT_OK);
    assert_int_equal(reports.whole, 1);
    assert_true(reports.parts > 2);
    ct_learn_settings_free(settings);
    ct_table_free(&table);
    ct_run_free(&run);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_learn, fixture_begin, fixture_end),
        cmocka_unit_test(test_features),
        cmocka_unit_test_setup_teardown(test_progress, fixture_begin, fixture_end),
        cmocka_unit_test_setup_teardown(test_refusals, fixture_begin, fixture_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
