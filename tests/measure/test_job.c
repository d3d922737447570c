/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/job.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char good[] =
    "colltune-job 5\nresults /a b/r\nstate /s\nalive /l\nhost here\nsupervisor 12\nseed 7\nsize 8\n"
    "warmup 1\nsync window\nmode nonblocking\ncompute 0.001\ntests 8\nleast 5\nmost 100\nprecision "
    "0.05\nseconds 0.25\nrace 0.05\nbudget 90.5\n"
    "datatype vector\noperation ordered\n"
    "method bcast/native\n"
    "method bcast/binomial:seg=8K\nmethod barrier/linear\nmethod neighbor_alltoall/grid\n"
    "pattern 3 0>1:7 2>2:0\ncell 4 bcast 8 1024 7 0 0 1\ncell 9 barrier 2 0 0 0 2\n"
    "cell 5 neighbor_alltoall 3 8 0 1 3\nend\n";

static void good_job_comes_back_as_written(void **state)
{
    (void)state;
    struct ct_job job;
    struct ct_text text = {0};
    assert_int_equal(ct_job_read(good, "job", NULL, &job), CT_OK);
    assert_string_equal(job.results, "/a b/r");
    assert_int_equal(job.sync, CT_SYNC_WINDOW);
    assert_int_equal(job.mode, CT_MODE_NONBLOCKING);
    assert_true(job.compute == 0.001);
    assert_int_equal(job.tests, 8);
    assert_int_equal(job.datatype, CT_DATA_VECTOR);
    assert_int_equal(job.operation, CT_OPERATION_ORDERED);
    assert_int_equal(job.method_count, 4);
    assert_int_equal(job.cell_count, 3);
    assert_int_equal(job.pattern_count, 1);
    assert_int_equal(job.patterns[0].count, 2);
    assert_int_equal(job.patterns[0].edges[0].to, 1);
    assert_int_equal(job.patterns[0].edges[0].length, 7);
    assert_int_equal(job.cells[0].pattern, 0);
    assert_int_equal(job.cells[2].pattern, 1);
    assert_int_equal(job.cells[0].id, 4);
    assert_int_equal(job.cells[0].key.root, 7);
    assert_int_equal(job.cells[0].method_count, 2);
    assert_int_equal(job.cells[1].key.msg_bytes, 0);
    assert_int_equal(job.indexes[job.cells[1].first], 2);
    ct_job_write(&job, &text);
    double precision = job.rule.precision;
    ct_job_free(&job);
    assert_int_equal(ct_job_read(text.data, "job", NULL, &job), CT_OK);
    assert_true(job.rule.precision == precision);
    assert_int_equal(job.datatype, CT_DATA_VECTOR);
    assert_int_equal(job.operation, CT_OPERATION_ORDERED);
    assert_int_equal(job.patterns[0].edges[1].from, 2);
    ct_job_free(&job);
    ct_text_free(&text);
}

/* `good` with one piece replaced must be refused, and say where. */
static void refuse(const char *piece, const char *by, const char *expected)
{
    char text[sizeof good + 100];
    const char *at = strstr(good, piece);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, by, at + strlen(piece));
    struct ct_job job;
    struct ct_error error = {""};
    assert_int_equal(ct_job_read(text, "job", &error, &job), CT_E_INPUT);
    if (!strstr(error.text, expected))
        fail_msg("'%s' lacks '%s'", error.text, expected);
}

static void bad_jobs_are_refused(void **state)
{
    (void)state;
    refuse("job 5", "job 4", "line 1: expected colltune-job 5");
    refuse("alive /l\n", "", "line 4: expected alive");
    refuse("race 0.05", "race -1", "line 18: expected a number of 0 or more");
    refuse("seed 7", "seed -7", "line 7: expected a whole number");
    refuse("seed 7", "seed 99999999999999999999", "line 7: expected a whole number");
    refuse("sync window", "sync widnow", "line 10: expected auto, barrier, common, window");
    refuse("mode nonblocking", "mode sleeping", "line 11: expected blocking, nonblocking or persistent");
    refuse("mode nonblocking\n", "", "line 11: expected mode");
    refuse("compute 0.001", "compute -1", "line 12: expected a number of 0 or more");
    refuse("tests 8", "tests 10001", "line 13: expected a whole number of at most 10000");
    refuse("precision 0.05", "precision nan", "line 16: expected a number");
    refuse("datatype vector", "datatype vectro", "line 20: expected the name of a datatype");
    refuse("operation ordered", "operation sum2", "line 21: expected the name of an operation");
    refuse("bcast/binomial", "bcast/binomal", "line 23");
    refuse("pattern 3", "pattern 9", "line 26: expected pattern SIZE");
    refuse("0>1:7", "0>3:7", "line 26: expected edges");
    refuse("0>1:7", "0>1", "line 26: expected edges");
    refuse("0>1:7", "0>-1:7", "line 26: expected edges");
    refuse("bcast 8 1024 7", "bcast 9 1024 7", "line 27: expected a communicator size");
    refuse("bcast 8 1024 7", "bcast 0 1024 7", "line 27: expected a communicator size");
    refuse("1024 7 0 0 1", "1024 8 0 0 1", "line 27: expected a root among");
    refuse("barrier 2 0 0", "barrier 2 0 1", "line 28: expected a root among");
    refuse("1024 7 0 0 1", "1024 7 1 0 1", "line 27: expected a pattern of the cell's ranks");
    refuse("1024 7 0 0 1", "1024 7 0 0 4", "line 27: expected numbers of methods");
    refuse("1024 7 0 0 1", "1024 7 0 0 2", "line 27: expected numbers of methods");
    refuse(" 1024 7 0 0 1", " 1024 7 0", "line 27: expected at least one method");
    refuse("bcast 8 1024", "bcats 8 1024", "line 27: expected cell ID");
    refuse("3 8 0 1 3", "3 8 0 0 3", "line 29: expected a pattern of the cell's ranks");
    refuse("3 8 0 1 3", "3 8 0 2 3", "line 29: expected cell ID");
    refuse("neighbor_alltoall 3 8", "neighbor_alltoall 4 8", "line 29: expected a pattern of the cell's");
    refuse("end\n", "", "line 30: expected method, pattern, cell or end");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_job_comes_back_as_written),
        cmocka_unit_test(bad_jobs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
