/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/samples/import/import_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* What SKaMPI prints. */

#define RESULT(name, rows)                                                                                   \
    "# begin result \"" name "\"\n" rows "# end result \"" name "\"\n# duration = 0.01 sec\n\n"
#define SCRIPT(name, what) "#> begin measurement \"" name "\"\n#>    " what "\n#> end measurement\n\n"
#define BCAST(rows)        RESULT("MPI_Bcast-procs-short", rows)
#define ROW                "procs= 2     1024       6.5       0.1       16       3.1       6.5\n"
#define TIMES_15           " 1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0"
#define QUANTILES          RESULT("MPI_Bcast-length", "count= 1 4 1.0 0.0 8 1.0" TIMES_15 "\n")

static const struct ct_import_request plain = {.slowest = false};

static int import(const struct ct_import_source *source, const char *text, struct ct_error *error,
                  struct ct_run *ret_run)
{
    struct ct_import_summary summary;
    return fixture_import("skampi", &plain, source, text, error, &summary, ret_run);
}

static const struct ct_import_source on_64 = {.key = {.comm_size = 64}};

/* What files give, sample by sample. */
static const struct {
    const char *text;
    const struct ct_import_source *source;
    struct {
        const char *method;
        size_t comm_size, msg_bytes;
        double seconds;
    } samples[6]; /* ended by zeroes */
} files[] = {
    /* Results by their names, among what a job prints. Where no loop counts ranks, their times do. */
    {"2 nodes selected\n# SKaMPI Version 5.0.4 rev. 355\n\n" BCAST(
         ROW
         "#P[0] a comment\n\nprocs= 3     1024       8.5       0.1        8       3.1       8.5     ---   \n")
         RESULT("MPI_Barrier-nodes", "nodes= 4 1.5 0.0 8 1.5 1.5 1.5 1.5\n")
             RESULT("MPI_Barrier-procs", "procs= 5 0 2.5 0.0 8 2.5 2.5 2.5 2.5 2.5\n")
                 RESULT("MPI_Scan-length", "count= 1 4 3.5 0.0 8 3.5 3.5 3.5\n"),
     NULL,
     {{"bcast/native", 2, 1024, 6.5e-6},
      {"bcast/native", 3, 1024, 8.5e-6},
      {"barrier/native", 4, 0, 1.5e-6},
      {"barrier/native", 5, 0, 2.5e-6},
      {"scan/native", 3, 4, 3.5e-6}}},
    /* Above 16 ranks there are 16 quantiles: 16 times may be of any number of ranks from 16 on. */
    {QUANTILES, &on_64, {{"bcast/native", 64, 4, 1e-6}}},
    {BCAST("procs= 32 4 1.0 0.0 8 1.0" TIMES_15 "\nprocs= 17 4 1.0 0.0 8" TIMES_15 " 1.0 1.0\n"),
     NULL,
     {{"bcast/native", 32, 4, 1e-6}, {"bcast/native", 17, 4, 1e-6}}},
    /* The number of ranks by another name. */
    {RESULT("MPI_Bcast-mine", "size= 2 4 1.0 0.0 8 1.0 1.0\nsize= 3 4 2.0 0.0 8 2.0 2.0 2.0\n"),
     NULL,
     {{"bcast/native", 2, 4, 1e-6}, {"bcast/native", 3, 4, 2e-6}}},
    /* No times of ranks at all, or as many as the script says. */
    {BCAST("procs= 6 4 1.0 0.0 8\n"), NULL, {{"bcast/native", 6, 4, 1e-6}}},
    {"#> set_max_nr_node_times( 4 )\n" BCAST("procs= 9 4 1.0 0.0 8 1.0 1.0 1.0 1.0\n"),
     NULL,
     {{"bcast/native", 9, 4, 1e-6}}},
    /* What the script says goes before names. */
    {"#> set_max_repetitions(32) # measure comm(x) : Reduce(1)\n#> #set_unit(1)\n" SCRIPT(
         "mine", "for p = 2 to 4 do measure comm(p) : Allreduce(n, MPI_INT, MPI_SUM) od")
         RESULT("mine", "procs= 7 p= 2 8 4.0 0.0 8 4.0 4.0\n")
             SCRIPT("procs", "measure comm_all : Alltoall(1, MPI_INT, 1, MPI_INT)")
                 RESULT("procs", "procs= 7 8 5.0 0.0 8 5.0 5.0 5.0\n"),
     NULL,
     {{"allreduce/native", 2, 8, 4e-6}, {"alltoall/native", 3, 8, 5e-6}}},
    /* The whole vector of reduce_scatter is divided. SKaMPI's own methods, and what has no size, are left
     * out. */
    {RESULT("MPI_Reduce_scatter-procs", "procs= 2 1025 4.0 0.0 8 4.0 4.0\nprocs= 2 1 4.0 0.0 8 4.0 4.0\n")
         RESULT("MPI_Gather-length", "count= 1 1024 5.0 0.0 8 5.0 5.0\n")
             RESULT("MPI_Gatherv-length", "count= 1 1024 5.0 0.0 8 5.0 5.0\n")
                 RESULT("MPI_Bcast-length", "count= 0 0 5.0 0.0 8 5.0 5.0\n")
                     RESULT("Bcast_using_Send_Recv-length", "count= 1 1024 5.0 0.0 8 5.0 5.0\n")
                         RESULT("Comm_dup", "0 5.0 0.0 8 5.0 5.0\n"),
     NULL,
     {{"reduce_scatter/native", 2, 512, 4e-6}, {"gather/native", 2, 1024, 5e-6}}},
};

static void test_samples(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct ct_run run;
        struct ct_error error = {""};
        size_t count = 0;
        if (import(files[i].source, files[i].text, &error, &run) != CT_OK)
            fail_msg("file %zu: %s", i, error.text);
        for (; files[i].samples[count].method; count++) {
            const double seconds =
                fixture_seconds(&run, files[i].samples[count].method, files[i].samples[count].comm_size,
                                files[i].samples[count].msg_bytes, 0);
            if (seconds != files[i].samples[count].seconds)
                fail_msg("file %zu, sample %zu: %g s", i, count, seconds);
        }
        assert_int_equal(run.sample_count, count);
        ct_run_free(&run);
    }
}

static void test_flaws(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
        const struct ct_import_source *source;
    } flaws[] = {
        {BCAST("procs= 2 1024\n"), "given:2: '': expected microseconds", NULL},
        {BCAST("procs=\n"), "given:2: expected a value of procs", NULL},
        {BCAST("procs= two 1024 6.6 0.1 16 3.1 6.6\n"), "given:2: 'two': expected the number of ranks", NULL},
        {BCAST("procs= 0 1024 6.6 0.1 16\n"), "given:2: '0': expected the number of ranks", NULL},
        {BCAST("procs= 2 x 6.6 0.1 16 3.1 6.6\n"), "given:2: 'x': expected a number of bytes", NULL},
        {BCAST("procs= 2 8 -6.6 0.1 16 3.1 6.6\n"), "'-6.6': expected microseconds", NULL},
        {BCAST("procs= 2 8 6.6 nan 16 3.1 6.6\n"), "'nan': expected microseconds", NULL},
        {BCAST("procs= 2 8 6.6 0.1 1.5 3.1 6.6\n"), "'1.5': expected the number of repetitions", NULL},
        {BCAST("procs= 2 8 6.6 0.1 16 3.1 x\n"), "'x': expected microseconds", NULL},
        {BCAST("procs= 2 8 6.6 0.1 16 3.1\n"), "1 times of 2 ranks: expected one of each, or 16", NULL},
        {BCAST("procs= 2 8 6.6 0.1 16 3.1 3.1 3.1\n"), "3 times of 2 ranks", NULL},
        {RESULT("MPI_Bcast-length", "count= 1 4 3.5 0.0 8 3.5 3.5 3.5\ncount= 2 8 3.5 0.0 8 3.5 3.5\n"),
         "given:3: 2 times of ranks, 3 in the row before: expected as many", NULL},
        {BCAST("procs= 2 8 6.6 0.1 16 3.1 6.8\n"), "6.8 us is above that of the slowest, 6.6", NULL},
        {BCAST("procs= 2 8 0.0 0.0 16 0.0 0.0\n"), "given:2: a time of 0 s: expected more than 0", NULL},
        {BCAST("procs= 2 6.6 0.1 16 3.1 6.6\n"), "given:2: a row without bytes: Bcast has them", NULL},
        {BCAST(ROW), "2 ranks, where --comm-size says 64", &on_64},
        {QUANTILES, "given:2: the number of ranks is unknown: expected --comm-size", NULL},
        {BCAST("mpiexec: killed\n"), "'mpiexec:': expected a number of bytes", NULL},
        {"# begin result \"MPI_Bcast\"\n" ROW, "given:2: the end of the file within the result MPI_Bcast",
         NULL},
        {"# begin result \"MPI_Bcast\"\n" BCAST(ROW), "given:2: expected the line '# end result", NULL},
        {"# begin result \"\"\n", "given:1: expected the name of a result", NULL},
        {BCAST(ROW) "# end result \"x\"\n", "given:6: the end of the result 'x', which did not begin", NULL},
        {"#> set_unit(1e3)\n" BCAST(ROW), "given:1: set_unit: expected times in microseconds", NULL},
        {"#> set_max_nr_node_times(n)\n" BCAST(ROW), "given:1: set_max_nr_node_times: expected a number",
         NULL},
        {SCRIPT("a", "measure c : Bcast(1)") SCRIPT("a", "measure c : Reduce(1)") RESULT("a", ROW),
         "the result a is of 2 measurements: expected one", NULL},
        {ROW, "given: holds nothing to import: expected output of SKaMPI 5", NULL},
        {RESULT("Pingpong_Send_Recv", "count= 1 4 6.0 0.0 160 5.7 5.7\n"),
         "given: holds times of single messages, by SKaMPI, which `colltune fit` reads", NULL},
    };
    for (size_t i = 0; i < sizeof flaws / sizeof flaws[0]; i++) {
        struct ct_run run;
        struct ct_error error = {""};
        int status = import(flaws[i].source, flaws[i].text, &error, &run);
        if (status != CT_E_INPUT || !strstr(error.text, flaws[i].words))
            fail_msg("flaw %zu: expected '%s', got %d: '%s'", i, flaws[i].words, status, error.text);
    }
}

/* Files of single messages are not for import, whatever format is named. */
static void test_single_messages(void **state)
{
    (void)state;
    static const char netpipe[] = "       1 3.814697   0.00000200\n",
                      logp[] = "# LogP network performance data: x\n# Latency = 0.00001\n";
    for (size_t i = 0; ct_import_formats[i]; i++)
        for (int k = 0; k < 2; k++) {
            struct ct_run run;
            struct ct_error error = {""};
            struct ct_import_summary summary;
            const struct ct_import_source source = {.map = "comm_size=a,msg_bytes=b,seconds=c"};
            int status = fixture_import(ct_import_formats[i]->name, &plain, &source, k ? logp : netpipe,
                                        &error, &summary, &run);
            if (status != CT_E_INPUT || !strstr(error.text, "which `colltune fit` reads"))
                fail_msg("%s: got %d: '%s'", ct_import_formats[i]->name, status, error.text);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_flaws),
        cmocka_unit_test(test_single_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
