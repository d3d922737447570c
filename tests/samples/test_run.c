/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "samples/leave_out.h"
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

#include <cmocka.h>

#define GOOD                                                                                                 \
    "0,bcast,binomial:seg=8K,4,1,4,1,8192,byte,,0,1.5e-05,ok\n"                                              \
    "0,bcast,native,4,1,4,1,8192,byte,,0,2e-05,ok\n"                                                         \
    "0,bcast,\"chain:seg=1K,radix=4\",4,1,4,1,8192,byte,,0,,hung\n"                                          \
    "0,bcast,binomial:seg=8K,4,1,4,1,8192,byte,,1,1.25e-05,ok\n"                                             \
    "0,bcast,,4,1,4,1,8192,,,,,commit\n"                                                                     \
    "0,barrier,dissemination,2,1,2,0,0,,,0,0.000001,ok\n"                                                    \
    "0,barrier,,2,1,2,,0,,,,,commit\n"                                                                       \
    "1,barrier,,2,1,2,,0,,,,,commit\n"

enum { GOOD_LINES = 8 };

static void test_good(void **state)
{
    char *path = fixture_run(*state, GOOD);
    struct ct_run run;
    struct ct_error error = {""};
    if (ct_run_read(path, false, &error, &run) != CT_OK)
        fail_msg("%s", error.text);
    assert_int_equal(run.sample_count, 5);
    assert_int_equal(run.dropped, 0);
    assert_int_equal(run.method_count, 5);
    char spelling[CT_METHOD_TEXT];
    assert_string_equal(ct_method_format(&run.methods[run.samples[2].method], true, spelling),
                        "bcast/chain:seg=1K,radix=4");
    assert_int_equal(run.samples[2].status, CT_SAMPLE_HUNG);
    assert_true(isnan(run.samples[2].seconds));
    assert_int_equal(run.samples[0].key.root, 1);
    assert_int_equal(run.samples[3].rep, 1);
    assert_true(run.samples[3].seconds == 1.25e-5);
    assert_string_equal(run.words[run.samples[0].datatype], "byte");
    assert_string_equal(run.words[run.samples[0].operation], "");

    assert_int_equal(run.cell_count, 3);
    struct ct_run_cell cell = {
        .launch = 1, .collective = CT_COLLECTIVE_BARRIER, .key = {.nodes = 2, .ppn = 1, .comm_size = 2}};
    assert_true(ct_run_has_cell(&run, &cell));
    cell.key.comm_size = 4;
    assert_false(ct_run_has_cell(&run, &cell));
    ct_run_free(&run);
    free(path);
}

/* Every flaw, alone behind the good rows: its line and what it is named by. Resuming excuses none of them. */
static void test_flaws(void **state)
{
    static const struct {
        const char *rows, *text;
        int line; /* behind the good ones, from 1 */
    } flaws[] = {
        {"0,bcast,native,4,1,4,0,1,byte,,0,1e-6\n", "12 fields", 1},
        {"0,bcast,native,4,1,4,0,1,byte,,0,1e-6,ok,more\n", "14 fields", 1},
        {"\n", "empty line", 1},
        {"0,bcast,native,4,1,4,0,1,byte,,0,1e-6,ok\r\n", "carriage return", 1},
        {"0,bcast,native,4,1,4,0,1,byte,,0,0,ok\n", "greater than 0", 1},
        {"0,bcast,native,4,1,4,0,1,byte,,0,-1e-6,ok\n", "greater than 0", 1},
        {"0,bcast,native,4,1,4,0,1,byte,,0,nan,ok\n", "seconds 'nan'", 1},
        {"0,bcast,native,4,1,4,0,1,byte,,0,inf,ok\n", "seconds 'inf'", 1},
        {"0,bcast,native,4,1,4,0,1,byte,,0,1e999,ok\n", "seconds '1e999'", 1},
        {"0,bcast,native,4,1,4,0,1,byte,,0,,ok\n", "seconds ''", 1},
        {"0,bcast,native,4,1,4,0,1,byte,,0, 1e-6,ok\n", "seconds ' 1e-6'", 1},
        {"0,bcast,native,4,1,4,0,1,byte,,0,1e-6,crashed\n", "expected nothing", 1},
        {"0,bcast,native,4,1,4,0,1,byte,,0,,predicted\n", "expected a finite decimal", 1},
        {"0,bcast,native,4,1,4,0,1,byte,,0,-1,predicted\n", "expected a finite decimal", 1},
        {"0,bcast,native,4,1,4,0,1,byte,,0,1e-6,fine\n",
         "status 'fine': expected ok, crashed, hung, wrong, predicted or commit", 1},
        {"0,bcst,native,4,1,4,0,1,byte,,0,1e-6,ok\n", "unknown collective 'bcst'", 1},
        {"0,reduce,native,4,1,4,0,1,byte,,0,1e-6,ok\n", "reduce is not in the grid", 1},
        {"0,bcast,nativ,4,1,4,0,1,byte,,0,1e-6,ok\n", "unknown algorithm 'nativ'", 1},
        {"0,bcast,linear,4,1,4,0,1,byte,,0,1e-6,ok\n", "'linear' of bcast is not in run.xml", 1},
        {"0,bcast,binomial:seg=8192,4,1,4,0,1,byte,,0,1e-6,ok\n", "is not in run.xml", 1},
        {"0,bcast,,4,1,4,0,1,byte,,0,1e-6,ok\n", "unknown algorithm ''", 1},
        {"0,bcast,native,3,1,3,0,1,byte,,0,1e-6,ok\n", "comm_size 3 is not in the grid", 1},
        {"0,bcast,native,4,1,4,0,2,byte,,0,1e-6,ok\n", "msg_bytes 2 is not in the grid", 1},
        {"0,barrier,native,4,1,4,0,1,,,0,1e-6,ok\n", "no message size", 1},
        {"0,bcast,native,4,1,4,4,1,byte,,0,1e-6,ok\n", "root 4: expected at most 3", 1},
        {"0,barrier,native,4,1,4,1,0,,,0,1e-6,ok\n", "root 1: expected at most 0", 1},
        {"2,bcast,native,4,1,4,0,1,byte,,0,1e-6,ok\n", "launch 2", 1},
        {"0,bcast,native,0,1,4,0,1,byte,,0,1e-6,ok\n", "nodes '0'", 1},
        {"0,bcast,native,1,3,4,0,1,byte,,0,1e-6,ok\n", "do not hold comm_size 4", 1},
        {"0,bcast,native,4,1,4,0,1,byte,,x,1e-6,ok\n", "rep 'x'", 1},
        {"0,bcast,native,4,1,99999999999,0,1,byte,,0,1e-6,ok\n", "comm_size '99999999999'", 1},
        {"0,bcast,native,4,1,4,0,1,by\tte,,0,1e-6,ok\n", "datatype or operation", 1},
        {"0,bcast,\"native,4,1,4,0,1,byte,,0,1e-6,ok\n", "quoted field", 1},
        {"0,bcast,nat\"ive,4,1,4,0,1,byte,,0,1e-6,ok\n", "quotation mark", 1},
        {"0,bcast,native,4,1,4,0,1,byte,,0,1e-6,ok\n"
         "0,bcast,native,4,1,4,0,1,byte,,0,1e-6,ok\n",
         "expected rising", 2},
        {"0,bcast,native,4,1,4,0,1,byte,,0,1e-6,ok\n"
         "0,bcast,native,4,1,4,0,8192,byte,,0,1e-6,ok\n",
         "no commit row yet", 2},
        {"0,bcast,native,4,1,4,0,1,byte,,0,1e-6,ok\n"
         "0,bcast,,2,1,2,,1,,,,,commit\n",
         "no commit row yet", 2},
        {"0,bcast,native,4,1,4,2,1,byte,,0,1e-6,ok\n"
         "0,bcast,native,4,1,4,3,1,byte,,1,1e-6,ok\n",
         "no commit row yet", 2},
        {"0,bcast,native,4,1,4,2,1,byte,,0,1e-6,ok\n"
         "0,bcast,,4,1,4,,1,,,,,commit\n",
         "1 per node), 1 byte, root 2, launch 0, has no commit row yet", 2},
        {"0,bcast,native,4,1,4,,1,,,,,commit\n", "expected nothing in a commit row", 1},
        {"0,bcast,,4,1,4,1,8192,,,,,commit\n", "a second commit row; line 6 closed it", 1},
        {"0,bcast,native,4,1,4,1,8192,byte,,0,1e-6,ok\n", "rows of a cell that is closed", 1},
        {"0,bcast,native,4,1,4,1,8192,byte,,0,1e-6,ok\n"
         "0,bcast,,4,1,4,1,8192,,,,,commit\n",
         "rows of a cell that is closed; line 6", 1},
        {"launch,collective,method,nodes,ppn,comm_size,root,msg_bytes,datatype,operation,rep,seconds,"
         "status\n",
         "status 'status': expected ok", 1},
    };
    for (size_t i = 0; i < sizeof flaws / sizeof flaws[0]; i++) {
        char *rows = ct_format("%s%s", GOOD, flaws[i].rows);
        char *path = fixture_run(*state, rows);
        char *place = ct_format("%s/samples.csv:%d: ", path, 1 + GOOD_LINES + flaws[i].line);
        for (int resuming = 0; resuming < 2; resuming++) {
            struct ct_run run;
            struct ct_error error = {""};
            if (ct_run_read(path, resuming, &error, &run) != CT_E_INPUT)
                fail_msg("flaw %zu (%s) passed", i, flaws[i].text);
            if (strncmp(error.text, place, strlen(place)) != 0 || !strstr(error.text, flaws[i].text))
                fail_msg("flaw %zu: expected '%s' at %s, got: %s", i, flaws[i].text, place, error.text);
            assert_null(strchr(error.text, '\n'));
        }
        free(place);
        free(path);
        free(rows);
    }
}

/* Rows without a commit row, or half a line, at the end: for `--resume` alone. */
static void test_torn(void **state)
{
    static const struct {
        const char *rows;
        size_t dropped;
    } tails[] = {{"0,bcast,native,4,1,4,0,1,byte,,0,1e-6,ok\n", 1},
                 {"0,bcast,native,4,1,4,0,1,byte,,0,1e-6,ok\n0,bcast,native,4,1", 2},
                 {"0", 1},
                 {"0,bcast,,4,1,4,,1,,,,,commit", 1}};
    for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
        char *rows = ct_format("%s%s", GOOD, tails[i].rows);
        char *path = fixture_run(*state, rows);
        struct ct_run run;
        struct ct_error error = {""};
        assert_int_equal(ct_run_read(path, false, &error, &run), CT_E_INPUT);
        assert_non_null(strstr(error.text, "samples.csv:10: "));
        assert_non_null(strstr(error.text, "colltune measure --resume"));
        assert_int_equal(ct_run_read(path, true, &error, &run), CT_OK);
        assert_int_equal(run.dropped, tails[i].dropped);
        assert_int_equal(run.sample_count, 5);
        assert_int_equal(run.cell_count, 3);

        /* cut there, the run is whole again */
        struct ct_sample_writer writer;
        assert_int_equal(ct_samples_open(path, &fixture_blocking, run.whole_length, &error, &writer), CT_OK);
        assert_int_equal(ct_samples_close(&writer), CT_OK);
        ct_run_free(&run);
        assert_int_equal(ct_run_read(path, false, &error, &run), CT_OK);
        assert_int_equal(run.sample_count, 5);
        ct_run_free(&run);
        free(path);
        free(rows);
    }
}

/* Nothing measured yet is a run, too; and the whole of it may be torn. */
static void test_empty(void **state)
{
    char *path = fixture_run(*state, "");
    struct ct_run run;
    assert_int_equal(ct_run_read(path, false, NULL, &run), CT_OK);
    assert_int_equal(run.sample_count, 0);
    size_t header = run.whole_length;
    ct_run_free(&run);
    free(path);
    path = fixture_run(*state, "0,bcast,native,4,1,4,0,1,byte,,0,1e-6,ok\n");
    assert_int_equal(ct_run_read(path, true, NULL, &run), CT_OK);
    assert_int_equal(run.sample_count, 0);
    assert_int_equal(run.whole_length, header);
    ct_run_free(&run);
    free(path);
}

/* A header that is not ours, or not there, and files that are not there. */
static void test_header(void **state)
{
    static const char *const files[] = {
        "",
        "launch",
        "launch,collective\n",
        "\n",
        "launch,collective,method,nodes,ppn,comm_size,root,msg_bytes,datatype,operation,rep,status,seconds\n",
        "launch,collective,method,nodes,ppn,comm_size,root,msg_bytes,datatype,operation,rep,seconds,status"};
    char *path = fixture_run(*state, ""), *samples = ct_format("%s/samples.csv", path);
    struct ct_run run;
    struct ct_error error;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        assert_int_equal(ct_file_write(samples, files[i], strlen(files[i]), NULL), CT_OK);
        for (int resuming = 0; resuming < 2; resuming++) {
            assert_int_equal(ct_run_read(path, resuming, &error, &run), CT_E_INPUT);
            assert_non_null(strstr(error.text, "samples.csv:1: "));
            assert_non_null(strstr(error.text, "launch,collective,method"));
        }
    }
    assert_int_equal(ct_remove_all(samples, NULL), CT_OK);
    assert_int_equal(ct_run_read(path, false, &error, &run), CT_E_INPUT);
    assert_non_null(strstr(error.text, "samples.csv"));
    assert_int_equal(ct_run_read(*state, false, &error, &run), CT_E_INPUT);
    assert_non_null(strstr(error.text, "not a run"));
    free(samples);
    free(path);
}

/* Behind the launches of the sweep, every second one is a validation's, from the first on. */
static void test_without_validation(void **state)
{
    enum { SWEEP = 2, ALL = 6 };
    static const uint32_t left[] = {0, 1, 3, 5};
    const size_t count = sizeof left / sizeof left[0];
    struct ct_sample samples[ALL] = {{0}};
    struct ct_run_cell cells[ALL] = {{0}};
    struct ct_run run = {.description.launches = SWEEP,
                         .samples = samples,
                         .sample_count = ALL,
                         .cells = cells,
                         .cell_count = ALL};
    (void)state;
    for (uint32_t i = 0; i < ALL; i++)
        samples[i].launch = cells[i].launch = i;
    ct_run_leave_out_validation(&run);
    assert_int_equal(run.sample_count, count);
    assert_int_equal(run.cell_count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(samples[i].launch, left[i]);
        assert_int_equal(cells[i].launch, left[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_good, fixture_begin, fixture_end),
        cmocka_unit_test_setup_teardown(test_flaws, fixture_begin, fixture_end),
        cmocka_unit_test_setup_teardown(test_torn, fixture_begin, fixture_end),
        cmocka_unit_test_setup_teardown(test_empty, fixture_begin, fixture_end),
        cmocka_unit_test_setup_teardown(test_header, fixture_begin, fixture_end),
        cmocka_unit_test(test_without_validation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
