/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "samples/run_folder.h"
#include "samples/samples_csv_write.h"
#include "tests/samples/run_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static const struct ct_sample a_sample = {
    .key = {.nodes = 4, .ppn = 1, .comm_size = 4, .msg_bytes = 8192, .root = 3}, .seconds = 1.0 / 3};

/* What is written comes back, to the last bit. */
static void test_round_trip(void **state)
{
    char *path = fixture_run(*state, "");
    struct ct_run_description description;
    fixture_description(&description);
    const struct ct_method *chain = &description.methods[4];
    struct ct_sample_writer writer;
    assert_int_equal(ct_samples_open(path, &fixture_blocking, SIZE_MAX, NULL, &writer), CT_OK);
    double times[] = {1.0 / 3, 1e-9, 0.1 + 0.2, 12, 5e-324};
    enum { TIMES = sizeof times / sizeof times[0] };
    struct ct_sample sample = a_sample;
    for (uint32_t i = 0; i < TIMES; i++) {
        sample.rep = i;
        sample.seconds = times[i];
        assert_int_equal(ct_samples_add(&writer, chain, &sample, "two \"words\", really", NULL), CT_OK);
    }
    sample.status = CT_SAMPLE_WRONG;
    assert_int_equal(ct_samples_add(&writer, chain, &sample, NULL, "sum"), CT_OK);
    assert_int_equal(ct_samples_commit(&writer, CT_COLLECTIVE_BCAST, &sample), CT_OK);
    assert_int_equal(ct_samples_close(&writer), CT_OK);

    struct ct_run run;
    struct ct_error error = {""};
    if (ct_run_read(path, false, &error, &run) != CT_OK)
        fail_msg("%s", error.text);
    assert_int_equal(run.sample_count, TIMES + 1);
    assert_int_equal(run.cell_count, 1);
    for (uint32_t i = 0; i < TIMES; i++) {
        assert_true(run.samples[i].seconds == times[i]);
        assert_int_equal(run.samples[i].rep, i);
        assert_int_equal(run.samples[i].key.root, 3);
        assert_true(ct_method_equal(&run.methods[run.samples[i].method], chain));
        assert_string_equal(run.words[run.samples[i].datatype], "two \"words\", really");
    }
    assert_int_equal(run.samples[TIMES].status, CT_SAMPLE_WRONG);
    assert_string_equal(run.words[run.samples[TIMES].operation], "sum");
    ct_run_free(&run);
    ct_run_description_free(&description);
    free(path);
}

/* The writer refuses what the reader would. */
static void test_refuses(void **state)
{
    char *path = fixture_run(*state, "");
    struct ct_run_description description;
    fixture_description(&description);
    struct ct_sample_writer writer;
    assert_int_equal(ct_samples_open(path, &fixture_blocking, SIZE_MAX, NULL, &writer), CT_OK);
    const double wrong[] = {0, -1, NAN, INFINITY};
    struct ct_sample sample = a_sample;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        sample.seconds = wrong[i];
        assert_int_equal(ct_samples_add(&writer, &description.methods[2], &sample, NULL, NULL), CT_E_INPUT);
    }
    assert_int_equal(ct_samples_add(&writer, &description.methods[2], &a_sample, "a\nb", NULL), CT_E_INPUT);
    sample = a_sample;
    sample.status = CT_SAMPLE_COMMIT;
    assert_int_equal(ct_samples_add(&writer, &description.methods[2], &sample, NULL, NULL), CT_E_INPUT);
    assert_int_equal(ct_samples_close(&writer), CT_OK);
    struct ct_run run;
    assert_int_equal(ct_run_read(path, false, NULL, &run), CT_OK);
    ct_run_free(&run);
    ct_run_description_free(&description);
    free(path);
}

/* One writer at a time; a file shorter than what is to be kept is not the one that was read. */
static void test_open(void **state)
{
    char *path = fixture_run(*state, "");
    struct ct_error error = {""};
    struct ct_sample_writer writer, second;
    assert_int_equal(ct_samples_open(path, &fixture_blocking, 100000, &error, &writer), CT_E_INPUT);
    assert_non_null(strstr(error.text, "100000"));
    assert_int_equal(ct_samples_open(path, &fixture_blocking, SIZE_MAX, &error, &writer), CT_OK);
    assert_int_equal(ct_samples_open(path, &fixture_blocking, SIZE_MAX, &error, &second), CT_E_SYSTEM);
    assert_non_null(strstr(error.text, "another process"));
    assert_int_equal(ct_samples_close(&writer), CT_OK);
    assert_int_equal(ct_samples_open(path, &fixture_blocking, SIZE_MAX, &error, &writer), CT_OK);
    assert_int_equal(ct_samples_close(&writer), CT_OK);
    assert_int_equal(ct_samples_open(*state, &fixture_blocking, SIZE_MAX, &error, &writer), CT_E_SYSTEM);
    free(path);
}

/* A run is made once, folders above it too; nothing is overwritten and nothing left where that fails. */
static void test_create(void **state)
{
    struct ct_run_description description;
    fixture_description(&description);
    struct ct_error error = {""};
    char *path = ct_format("%s/a/b/run//", (char *)*state);
    assert_int_equal(ct_run_create(path, &description, &error), CT_OK);
    assert_int_equal(ct_run_create(path, &description, &error), CT_E_INPUT);
    assert_non_null(strstr(error.text, "exists already"));
    struct ct_run run;
    assert_int_equal(ct_run_read(path, false, &error, &run), CT_OK);
    ct_run_free(&run);
    free(path);

    char *empty = ct_format("%s/empty", (char *)*state);
    assert_int_equal(ct_folder_make(empty, NULL), CT_OK);
    assert_int_equal(ct_run_create(empty, &description, &error), CT_E_INPUT);
    free(empty);

    assert_int_equal(ct_run_create("", &description, &error), CT_E_INPUT);
    description.launches = 0;
    char *never = ct_format("%s/never", (char *)*state);
    struct stat what;
    assert_int_equal(ct_run_create(never, &description, &error), CT_E_INPUT);
    assert_int_not_equal(stat(never, &what), 0);
    free(never);
    ct_run_description_free(&description);
}

/* The state of a sweep is replaced as a whole, and all else stays as it was. A run that is flawed is left
 * alone. */
static void test_set_sweep(void **state)
{
    char *path = fixture_run(*state, ""), *file = ct_format("%s/run.xml", path), *before, *after;
    struct ct_error error = {""};
    size_t length;
    const struct ct_sweep_state first = {.sync = (char *)"window",
                                         .mpi = (char *)"mpich",
                                         .mpi_version = (char *)"4.2",
                                         .cc = (char *)"odd <name> \"&\"",
                                         .program = (char *)"late",
                                         .guided = true,
                                         .ppn = 3,
                                         .skew = 1e-06};
    struct ct_sweep_state second = first;
    second.skew = 2e-06;
    second.program = NULL;
    assert_int_equal(ct_file_read(file, NULL, &before, &length), CT_OK);
    assert_int_equal(ct_run_set_sweep(path, &first, &error), CT_OK);
    assert_int_equal(ct_run_set_sweep(path, &second, &error), CT_OK);
    struct ct_run run;
    assert_int_equal(ct_run_read(path, false, &error, &run), CT_OK);
    const struct ct_sweep_state *sweep = &run.description.sweep;
    assert_true(sweep->skew > 1.5e-06 && sweep->guided && sweep->ppn == 3 && !sweep->program);
    assert_string_equal(sweep->cc, "odd <name> \"&\"");
    assert_int_equal(ct_sweep_state_check(sweep, &second, "run", &error), CT_OK);
    assert_int_equal(ct_sweep_state_check(sweep, &first, "run", &error), CT_E_INPUT);
    assert_string_equal(error.text, "run: was begun with program '', not 'late': measure into a new folder");
    ct_run_free(&run);
    assert_int_equal(ct_file_read(file, NULL, &after, &length), CT_OK);
    const char *element = strstr(after, "  <sweep "), *end = element ? strchr(element, '\n') : NULL;
    assert_non_null(end);
    assert_memory_equal(before, after, (size_t)(element - after));
    assert_string_equal(before + (element - after), end + 1);

    after[length / 2] = '<';
    assert_int_equal(ct_file_write(file, after, length, NULL), CT_OK);
    assert_int_equal(ct_run_set_sweep(path, &second, &error), CT_E_INPUT);
    free(before);
    assert_int_equal(ct_file_read(file, NULL, &before, &length), CT_OK);
    assert_string_equal(before, after);
    free(before);
    free(after);
    free(file);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, fixture_begin, fixture_end),
        cmocka_unit_test_setup_teardown(test_refuses, fixture_begin, fixture_end),
        cmocka_unit_test_setup_teardown(test_open, fixture_begin, fixture_end),
        cmocka_unit_test_setup_teardown(test_create, fixture_begin, fixture_end),
        cmocka_unit_test_setup_teardown(test_set_sweep, fixture_begin, fixture_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
