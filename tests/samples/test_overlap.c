/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "samples/merge.h"
#include "samples/run_folder.h"
#include "samples/samples_csv_read.h"
#include "samples/samples_csv_write.h"
#include "tests/samples/run_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Runs with calls that are in flight while their ranks compute. */

/* A description whose second launch has calls of this mode. */
static void describe(const char *mode, struct ct_run_description *ret_description)
{
    fixture_description(ret_description);
    ret_description->mode = strdup(mode);
}

/* Makes FOLDER/NAME with a sample of each launch, and returns its path. */
static char *make_run(const char *folder, const char *name, const char *mode,
                      const struct ct_overlap *overlap, int expected)
{
    struct ct_run_description description;
    struct ct_sample_writer writer;
    char *path = ct_format("%s/%s", folder, name);
    describe(mode, &description);
    assert_int_equal(ct_run_create(path, &description, NULL), CT_OK);
    assert_int_equal(ct_samples_open(path, &description, SIZE_MAX, NULL, &writer), CT_OK);
    for (uint32_t launch = 0; launch < description.launches; launch++) {
        struct ct_sample sample = {
            .launch = launch,
            .key = {.nodes = 1, .ppn = 4, .comm_size = 4, .msg_bytes = 8192},
            .seconds = 1.0 / 3,
        };
        sample.key.mode = ct_run_mode(&description, launch);
        bool overlaps = sample.key.mode != CT_MODE_BLOCKING;
        if (overlaps)
            sample.overlap = *overlap;
        assert_int_equal(ct_samples_add(&writer, &description.methods[2], &sample, "byte", NULL),
                         overlaps ? expected : CT_OK);
        sample.rep = 1;
        sample.status = CT_SAMPLE_WRONG;
        assert_int_equal(ct_samples_add(&writer, &description.methods[3], &sample, "byte", NULL), CT_OK);
        assert_int_equal(ct_samples_commit(&writer, CT_COLLECTIVE_BCAST, &sample), CT_OK);
    }
    assert_int_equal(ct_samples_close(&writer), CT_OK);
    ct_run_description_free(&description);
    return path;
}

static const struct ct_overlap an_overlap = {1.0 / 7, 0.1 + 0.2, 1.0 / 9, 2.0 / 3};

static void check_run(const char *path, const enum ct_call_mode *modes, size_t launches)
{
    struct ct_run run;
    struct ct_error error = {""};
    if (ct_run_read(path, false, &error, &run) != CT_OK)
        fail_msg("%s", error.text);
    assert_int_equal(run.sample_count, 2 * launches);
    assert_int_equal(run.cell_count, launches);
    for (size_t i = 0; i < run.sample_count; i++) {
        const struct ct_sample *sample = &run.samples[i];
        assert_int_equal(sample->key.mode, modes[sample->launch]);
        const bool has_overlap = sample->key.mode != CT_MODE_BLOCKING && sample->status == CT_SAMPLE_OK;
        const struct ct_overlap none = {0}, *expected = has_overlap ? &an_overlap : &none;
        assert_memory_equal(&sample->overlap, expected, sizeof *expected);
        assert_true(
            ct_run_has_cell(&run, &(struct ct_run_cell){sample->launch, CT_COLLECTIVE_BCAST, sample->key}));
    }
    ct_run_free(&run);
}

/* What is written comes back, to the last bit; also by way of a merged run. */
static void test_round_trip(void **state)
{
    static const enum ct_call_mode modes[] = {CT_MODE_BLOCKING, CT_MODE_NONBLOCKING, CT_MODE_PERSISTENT,
                                              CT_MODE_PERSISTENT};
    size_t cells, samples;
    struct ct_error error = {""};
    char *first = make_run(*state, "first", "blocking,nonblocking", &an_overlap, CT_OK);
    char *second = make_run(*state, "second", "persistent", &an_overlap, CT_OK);
    char *both = ct_format("%s/both", (char *)*state);
    const char *const runs[] = {first, second};
    check_run(first, modes, 2);
    check_run(second, modes + 2, 2);
    if (ct_run_merge(both, runs, 2, &error, &cells, &samples) != CT_OK)
        fail_msg("%s", error.text);
    check_run(both, modes, 4);
    free(first);
    free(second);
    free(both);
}

/* A run of a sweep with this computation beside its calls. */
static char *make_swept(const char *folder, const char *name, const char *mode, double compute, size_t tests)
{
    char *path = make_run(folder, name, mode, &an_overlap, CT_OK);
    const struct ct_sweep_state sweep = {.sync = (char *)"auto",
                                         .mpi = (char *)"mpich",
                                         .mpi_version = (char *)"1",
                                         .cc = (char *)"mpicc",
                                         .compute = compute,
                                         .tests = tests};
    struct ct_error error = {""};
    if (ct_run_set_sweep(path, &sweep, &error) != CT_OK)
        fail_msg("%s", error.text);
    return path;
}

/* Calls beside other computations stay apart, also where a merged run says what was computed; blocking calls
 * go with all. */
static void test_merging_compares_the_computation(void **state)
{
    static const struct {
        double compute;
        size_t tests;
        const char *refusal; /* NULL: merged */
    } cases[] = {
        {50e-6, 8, NULL},
        {5e-3, 8, "--compute, the computation beside calls, is '0.005', and '5e-05' in "},
        {0, 8, "is '0', and '5e-05' in "},
        {50e-6, 0, "--tests, how often MPI_Test is called meanwhile, is '0', and '8' in "},
    };
    size_t cells, samples;
    char *blocking = make_swept(*state, "blocking", "blocking", 0, 0);
    char *first = make_swept(*state, "first", "nonblocking", 50e-6, 8);
    char *merged = ct_format("%s/merged", (char *)*state), *both = ct_format("%s/both", (char *)*state);
    struct ct_error error = {""};
    const char *const parts[] = {blocking, first};
    if (ct_run_merge(merged, parts, 2, &error, &cells, &samples) != CT_OK)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *other = make_swept(*state, "other", "persistent", cases[i].compute, cases[i].tests);
        const char *const runs[][3] = {{first, other, blocking}, {blocking, first, other}, {merged, other}};
        for (size_t k = 0; k < 3; k++) {
            int status = ct_run_merge(both, runs[k], k < 2 ? 3 : 2, &error, &cells, &samples);
            assert_int_equal(status, cases[i].refusal ? CT_E_INPUT : CT_OK);
            if (cases[i].refusal && !strstr(error.text, cases[i].refusal))
                fail_msg("'%s' lacks '%s'", error.text, cases[i].refusal);
            assert_int_equal(ct_remove_all(both, NULL), CT_OK);
        }
        ct_remove_all(other, NULL);
        free(other);
    }
    free(blocking);
    free(first);
    free(merged);
    free(both);
}

/* A run of a sweep in which ranks yielded where a node had so many of them; both launches have 4 on one. */
static char *make_waiting(const char *folder, const char *name, size_t yield_from)
{
    char *path = make_run(folder, name, "blocking", &an_overlap, CT_OK);
    const struct ct_sweep_state sweep = {.sync = (char *)"auto",
                                         .mpi = (char *)"mpich",
                                         .mpi_version = (char *)"1",
                                         .cc = (char *)"mpicc",
                                         .yield_from = yield_from};
    assert_int_equal(ct_run_set_sweep(path, &sweep, NULL), CT_OK);
    return path;
}

/* Whether ranks yielded stays known of each launch, also where a merged run is merged again. */
static void test_merging_keeps_how_ranks_waited(void **state)
{
    static const uint32_t expected[] = {0, 0, 1, 1, 0, 0};
    char *spun = make_waiting(*state, "spun", 0), *yielded = make_waiting(*state, "yielded", 4);
    char *few = make_waiting(*state, "few", 5);
    char *both = ct_format("%s/both", (char *)*state), *all = ct_format("%s/all", (char *)*state);
    const char *const first[] = {spun, yielded}, *const second[] = {both, few};
    size_t cells, samples;
    struct ct_run run;
    struct ct_error error = {""};
    if (ct_run_merge(both, first, 2, &error, &cells, &samples) != CT_OK ||
        ct_run_merge(all, second, 2, &error, &cells, &samples) != CT_OK ||
        ct_run_read(all, false, &error, &run) != CT_OK)
        fail_msg("%s", error.text);
    assert_int_equal(run.sample_count, 12);
    for (size_t i = 0; i < run.sample_count; i++)
        assert_int_equal(run.samples[i].key.yield, expected[run.samples[i].launch]);
    ct_run_free(&run);
    free(spun);
    free(yielded);
    free(few);
    free(both);
    free(all);
}

/* Which launches hold a validation's times stays known, also where a merged run is merged again. */
static void test_merging_keeps_validations(void **state)
{
    static const bool expected[] = {false, false, true, false, false, false};
    char *once = make_swept(*state, "once", "nonblocking", 0, 8);
    char *again = make_swept(*state, "again", "nonblocking", 0, 8);
    char *both = ct_format("%s/both", (char *)*state), *all = ct_format("%s/all", (char *)*state);
    char *description = ct_format("%s/run.xml", again), *text;
    const char *const first[] = {again, once}, *const second[] = {both, once};
    size_t cells, samples, length;
    struct ct_run run;
    struct ct_error error = {""};
    assert_int_equal(ct_run_read(again, false, &error, &run), CT_OK);
    run.description.sweep.again = 2;
    assert_int_equal(ct_run_set_sweep(again, &run.description.sweep, &error), CT_OK);
    ct_run_free(&run);
    if (ct_run_merge(both, first, 2, &error, &cells, &samples) != CT_OK ||
        ct_run_merge(all, second, 2, &error, &cells, &samples) != CT_OK ||
        ct_run_read(all, false, &error, &run) != CT_OK)
        fail_msg("%s", error.text);
    assert_int_equal(run.description.launches, 2 + 2 + 2 + 2);
    for (uint32_t launch = 0; launch < run.description.launches; launch++)
        assert_int_equal(ct_run_is_validation(&run.description, launch),
                         launch < sizeof expected / sizeof expected[0] && expected[launch]);
    ct_run_free(&run);
    assert_int_equal(ct_file_read(description, &error, &text, &length), CT_OK);
    assert_null(strstr(text, "validation")); /* a run of its own counts its launches */
    free(text);
    free(once);
    free(again);
    free(both);
    free(all);
    free(description);
}

/* The writer refuses what the reader would. */
static void test_writer_refuses(void **state)
{
    static const struct ct_overlap wrong[] = {
        {0, 1, 1, 0.5},   {1, 0, 1, 0.5},      {1, 1, -1, 0.5}, {1, 1, 1, -0.5},
        {1, 1, 1, 1.001}, {INFINITY, 1, 1, 0}, {1, 1, NAN, 0},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char name[16];
        snprintf(name, sizeof name, "wrong%zu", i);
        free(make_run(*state, name, "nonblocking", &wrong[i], CT_E_INPUT));
    }
}

static void refuse(const char *mode, const char *header, const char *row, const char *expected)
{
    struct ct_run_description description;
    struct ct_run run = {0};
    struct ct_error error = {""};
    char *text = ct_format("launch,collective,method,nodes,ppn,comm_size,root,msg_bytes,datatype,operation,"
                           "rep,seconds,status%s\n%s\n",
                           header, row);
    FILE *file = fmemopen(text, strlen(text), "r");
    describe(mode, &description);
    run.description = description;
    run.methods = description.methods;
    run.method_count = description.method_count;
    assert_int_equal(ct_samples_read(file, "samples.csv", true, NULL, &error, &run), CT_E_INPUT);
    if (!strstr(error.text, expected))
        fail_msg("'%s' lacks '%s'", error.text, expected);
    fclose(file);
    free(text);
    ct_run_free(&run);
}

static void test_reader_refuses(void **state)
{
    (void)state;
    static const char more[] = ",completion,in_mpi,computation,hidden";
    static const char one[] = "1,bcast,native,4,1,4,0,8192,byte,,0,2e-05,ok";
    static const struct {
        const char *mode, *header, *numbers, *expected;
    } flaws[] = {
        {"nonblocking", "", "", "samples.csv:1: "},
        {"blocking", more, "", "samples.csv:1: "},
        {"nonblocking", more, ",1,1,1", "samples.csv:2: "},
        {"nonblocking", more, ",1,1,1,", "hidden '': expected a finite decimal number of at least 0"},
        {"nonblocking", more, ",0,1,1,1", "completion '0': expected a finite decimal number greater than 0"},
        {"nonblocking", more, ",1,-1,1,1", "in_mpi '-1': expected"},
        {"nonblocking", more, ",1,1,inf,1", "computation 'inf': expected"},
        {"nonblocking", more, ",1,1,1,1.5", "hidden '1.5': expected"},
        {"nonblocking", more, ",1,1,1,nan", "hidden 'nan': expected"},
        {"persistent,blocking", more, ",1,1,1,1", "expected nothing in a row with status 'ok' of a blocking"},
    };
    for (size_t i = 0; i < sizeof flaws / sizeof flaws[0]; i++) {
        char *row = ct_format("%s%s", one, flaws[i].numbers);
        refuse(flaws[i].mode, flaws[i].header, row, flaws[i].expected);
        free(row);
    }
    refuse("nonblocking", more, "1,bcast,native,4,1,4,0,8192,byte,,0,,wrong,1,1,1,1",
           "completion '1': expected nothing in a row with status 'wrong'");
    refuse("nonblocking", more, "1,bcast,,4,1,4,,8192,,,,,commit,1,1,1,1",
           "completion '1': expected nothing in a commit row");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, fixture_begin, fixture_end),
        cmocka_unit_test_setup_teardown(test_merging_compares_the_computation, fixture_begin, fixture_end),
        cmocka_unit_test_setup_teardown(test_merging_keeps_how_ranks_waited, fixture_begin, fixture_end),
        cmocka_unit_test_setup_teardown(test_merging_keeps_validations, fixture_begin, fixture_end),
        cmocka_unit_test_setup_teardown(test_writer_refuses, fixture_begin, fixture_end),
        cmocka_unit_test_setup_teardown(test_reader_refuses, fixture_begin, fixture_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
