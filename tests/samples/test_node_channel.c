/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "decision/table.h"
#include "samples/merge.h"
#include "samples/run_folder.h"
#include "tests/samples/run_fixture.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* How messages within a node travelled is one of the conditions of a run. */

/* Makes FOLDER/NAME with a sample of 4 ranks, and returns its path. NULL: the run does not say what its
 * channel was. */
static char *make_run(const char *folder, const char *name, const char *channel, unsigned ppn)
{
    struct ct_run run = {0};
    char *path = ct_format("%s/%s", folder, name);
    fixture_description(&run.description);
    free(run.description.backend);
    run.description.backend = strdup("real");
    run.description.node_channel = channel ? strdup(channel) : NULL;
    run.methods = run.description.methods;
    run.method_count = run.description.method_count;
    struct ct_sample sample = {.key = {.nodes = 4 / ppn, .ppn = ppn, .comm_size = 4}, .seconds = 1.0 / 3};
    struct ct_run_cell cell = ct_sample_cell(&sample, CT_COLLECTIVE_BARRIER);
    sample.datatype = sample.operation = UINT16_MAX;
    run.samples = &sample;
    run.cells = &cell;
    run.sample_count = run.cell_count = 1;
    struct ct_error error = {""};
    if (ct_run_write(path, &run, &error) != CT_OK)
        fail_msg("%s", error.text);
    ct_run_description_free(&run.description);
    return path;
}

static void test_merging(void **state)
{
    static const struct {
        const char *first, *second;
        enum ct_node_channel merged; /* CT_NODE_CHANNELS: refused */
    } cases[] = {
        {NULL, NULL, CT_NODE_CHANNEL_MPI},
        {NULL, "mpi", CT_NODE_CHANNEL_MPI},
        {"shared", "shared", CT_NODE_CHANNEL_SHARED},
        {"mpi", "shared", CT_NODE_CHANNELS},
        {"shared", NULL, CT_NODE_CHANNELS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *first = make_run(*state, "first", cases[i].first, 4);
        char *second = make_run(*state, "second", cases[i].second, 4);
        char *both = ct_format("%s/both", (char *)*state);
        const char *const runs[] = {first, second};
        struct ct_error error = {""};
        struct ct_run merged;
        size_t cells, samples;
        int status = ct_run_merge(both, runs, 2, &error, &cells, &samples);
        if (cases[i].merged == CT_NODE_CHANNELS) {
            assert_int_equal(status, CT_E_INPUT);
            assert_non_null(strstr(error.text, "how messages travel within a node is '"));
        } else {
            if (status != CT_OK || ct_run_read(both, false, &error, &merged) != CT_OK)
                fail_msg("case %zu: %s", i, error.text);
            assert_int_equal(ct_run_node_channel(&merged.description), cases[i].merged);
            ct_run_free(&merged);
        }
        const char *const made[] = {first, second, both};
        for (int k = 0; k < 3; k++)
            ct_remove_all(made[k], NULL);
        free(first);
        free(second);
        free(both);
    }
}

/* Tables name the channel among the properties of their runs, unless there was none. */
static void test_table(void **state)
{
    static const struct {
        const char *run, *table;
        unsigned ppn;
    } cases[] = {{"shared", "shared", 4}, {"mpi", "mpi", 4}, {NULL, "mpi", 4}, {NULL, NULL, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *path = make_run(*state, "run", cases[i].run, cases[i].ppn);
        struct ct_error error = {""};
        struct ct_table table = {0};
        struct ct_run run;
        size_t index;
        assert_int_equal(ct_run_read(path, false, &error, &run), CT_OK);
        assert_int_equal(ct_table_add_run(&table, &run, &error, &index), CT_OK);
        const struct ct_table_run *added = &table.runs[index];
        const char *channel = NULL;
        for (size_t k = 0; k < added->property_count; k++)
            if (strcmp(added->properties[k].name, CT_NODE_CHANNEL_PROPERTY) == 0)
                channel = added->properties[k].value;
        assert_int_equal(!channel, !cases[i].table);
        if (channel)
            assert_string_equal(channel, cases[i].table);
        ct_table_free(&table);
        ct_run_free(&run);
        ct_remove_all(path, NULL);
        free(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_merging, fixture_begin, fixture_end),
        cmocka_unit_test_setup_teardown(test_table, fixture_begin, fixture_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
