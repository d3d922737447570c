/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/samples/import/import_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* What OSU's and Intel's benchmarks print. */

#define FULL  "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
#define BCAST "# OSU MPI Broadcast Latency Test v7.0\n# Datatype: MPI_CHAR.\n"
#define SHORT "# Size       Avg Latency(us)\n"
#define INTEL                                                                                                \
    "#---------\n# Benchmarking Bcast \n# #processes = 4 \n# ( 4 additional processes waiting in "           \
    "MPI_Barrier)\n#---------\n"                                                                             \
    "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"

static const struct ct_import_request plain = {.slowest = false};

static const struct ct_import_source four = {.key = {.comm_size = 4}};

static void import(const char *format, const struct ct_import_request *request,
                   const struct ct_import_source *source, const char *text, struct ct_run *ret_run)
{
    struct ct_error error = {""};
    struct ct_import_summary summary;
    if (fixture_import(format, request, source, text, &error, &summary, ret_run) != CT_OK)
        fail_msg("%s", error.text);
}

/* Several runs one behind the other, with whatever a job prints before the first. */
static void test_osu(void **state)
{
    (void)state;
    struct ct_run run;
    import("osu", &plain, &four,
           "Loading modules 1 2 3\n\n" BCAST FULL "1            5.24      1.00     9.00   1000\n"
           "1024         8.00      1.00     9.50   100\n\n"
           "# OSU MPI Allreduce Latency Test v5.9\n" SHORT "4    6.50\n"
           "# OSU MPI Barrier Latency Test v5.9\n# Avg Latency(us)\n      1.25",
           &run);
    assert_int_equal(run.sample_count, 4);
    assert_int_equal(run.cell_count, 4);
    assert_true(fixture_seconds(&run, "bcast/native", 4, 1, 0) == 5.24e-6);
    assert_true(fixture_seconds(&run, "bcast/native", 4, 1024, 0) == 8e-6);
    assert_true(fixture_seconds(&run, "allreduce/native", 4, 4, 0) == 6.5e-6);
    assert_true(fixture_seconds(&run, "barrier/native", 4, 0, 0) == 1.25e-6);
    assert_int_equal(run.samples[0].key.nodes, 1);
    assert_int_equal(run.samples[0].key.ppn, 4);
    assert_int_equal(run.description.msg_size_count, 3);
    ct_run_free(&run);
}

/* What the file does not say comes from whoever imports it. */
static void test_settings(void **state)
{
    (void)state;
    struct ct_run run;
    const struct ct_import_source source = {.key = {.comm_size = 10, .ppn = 4}, .method = "binomial:seg=8K"};
    const struct ct_import_request slowest = {.slowest = true};
    import("osu", &slowest, &source, BCAST FULL "1            5.24      1.00     9.00   1000\n", &run);
    assert_true(fixture_seconds(&run, "bcast/binomial:seg=8K", 10, 1, 0) == 9e-6);
    assert_int_equal(run.samples[0].key.nodes, 3);
    assert_int_equal(run.samples[0].key.ppn, 4);
    ct_run_free(&run);

    /* ranks are dealt to no more nodes than there are ranks */
    const struct ct_import_source many_nodes = {.key = {.comm_size = 4, .nodes = 16}};
    import("osu", &plain, &many_nodes, BCAST SHORT "1 5.24\n", &run);
    assert_int_equal(run.samples[0].key.nodes, 4);
    assert_int_equal(run.samples[0].key.ppn, 1);
    ct_run_free(&run);

    import("imb", &slowest, NULL, INTEL "8 1000 1.00 3.00 2.00\n", &run);
    assert_true(fixture_seconds(&run, "bcast/native", 4, 8, 0) == 3e-6);
    ct_run_free(&run);
}

/* Sizes printed that count all blocks become those of one; allgather's is one block already. */
static void test_sizes(void **state)
{
    (void)state;
    struct ct_run run;
    import("osu", &plain, &four,
           "# OSU MPI Reduce_scatter Latency Test v7.0\n" SHORT "2 1.00\n4 2.00\n4096 3.00\n"
           "# OSU MPI Reduce_scatter_block Latency Test v7.5\n" SHORT "4096 4.00\n"
           "# OSU MPI Allgather Latency Test v7.0\n" SHORT "4096 5.00\n"
           "# OSU MPI All-to-All Personalized Exchange Latency Test v7.0\n" SHORT "4096 6.00\n",
           &run);
    assert_int_equal(run.sample_count, 5); /* 2 bytes are less than one each */
    assert_true(fixture_seconds(&run, "reduce_scatter/native", 4, 1, 0) == 2e-6);
    assert_true(fixture_seconds(&run, "reduce_scatter/native", 4, 1024, 0) == 3e-6);
    assert_true(fixture_seconds(&run, "reduce_scatter_block/native", 4, 1024, 0) == 4e-6);
    assert_true(fixture_seconds(&run, "allgather/native", 4, 4096, 0) == 5e-6);
    assert_true(fixture_seconds(&run, "alltoall/native", 4, 4096, 0) == 6e-6);
    ct_run_free(&run);

    static const char scatters[] =
        "# Benchmarking Reduce_scatter \n# #processes = 4 \n"
        " #bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n 4096 10 1.00 3.00 2.00\n\n"
        "# Benchmarking Reduce_scatter_block \n# #processes = 4 \n"
        " #bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n 4096 10 1.00 3.00 2.50\n";
    static const struct {
        const char *banner;
        size_t block;
    } versions[] = {
        {"#    Intel (R) MPI Benchmarks 4.1 Update 1, MPI-1 part\n", 1024},
        {"#    Intel(R) MPI Benchmarks 2018, MPI-1 part\n", 1024},
        {"#    Intel(R) MPI Benchmarks 2019 Update 6, MPI-1 part\n", 0}, /* passed over */
        {"#    Intel(R) MPI Benchmarks 2021.7, MPI-1 part\n", 4096},
        {"", 0},
    };
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text, "%s%s", versions[i].banner, scatters);
        import("imb", &plain, NULL, text, &run);
        assert_int_equal(run.sample_count, versions[i].block > 0 ? 2 : 1);
        if (versions[i].block > 0)
            assert_true(fixture_seconds(&run, "reduce_scatter/native", 4, versions[i].block, 0) == 2e-6);
        assert_true(fixture_seconds(&run, "reduce_scatter_block/native", 4, 4096, 0) == 2.5e-6);
        ct_run_free(&run);
    }
}

/* Two numbers of ranks, a table without sizes, rows given up, and what is no collective. */
static void test_imb(void **state)
{
    (void)state;
    struct ct_run run;
    import("imb", &plain, NULL,
           "# Benchmarking PingPong \n# #processes = 2 \n #bytes #repetitions t[usec] Mbytes/sec\n"
           " 1 1000 0.40 2.50\n\n" INTEL "            0         1000         0.00         0.00         0.00\n"
           "            8         1000         1.00         3.00         2.00\n"
           "      4194304 time-out.; Time limit is over\n\n"
           "# Benchmarking Bcast \n# #processes = 8 \n"
           " #bytes #repetitions t_min[usec] t_max[usec] t_avg[usec] defects\n 8 500 1.00 3.00 2.50 0.00\n\n"
           "# Benchmarking Barrier \n# #processes = 8 \n"
           " #repetitions t_min[usec] t_max[usec] t_avg[usec]\n 1000 1.00 3.00 2.00\n\n\n"
           "# All processes entering MPI_Finalize\n",
           &run);
    assert_int_equal(run.sample_count, 3);
    assert_true(fixture_seconds(&run, "bcast/native", 4, 8, 0) == 2e-6);
    assert_true(fixture_seconds(&run, "bcast/native", 8, 8, 0) == 2.5e-6);
    assert_true(fixture_seconds(&run, "barrier/native", 8, 0, 0) == 2e-6);
    ct_run_free(&run);
}

/* The same row twice is two samples. */
static void test_twice(void **state)
{
    (void)state;
    struct ct_run run;
    struct ct_error error;
    struct ct_import_summary summary;
    const char *text = BCAST SHORT "1 5.00\n2 1.00\n\n" BCAST SHORT "1 5.50\n2 2.00\n";
    assert_int_equal(fixture_import("osu", &plain, &four, text, &error, &summary, &run), CT_OK);
    assert_true(fixture_seconds(&run, "bcast/native", 4, 1, 0) == 5e-6);
    assert_true(fixture_seconds(&run, "bcast/native", 4, 1, 1) == 5.5e-6);
    assert_int_equal(run.description.most_repetitions, 2);
    assert_int_equal(summary.cells, 2);
    assert_int_equal(summary.samples, 4);
    assert_int_equal(summary.repeated, 2);
    assert_int_equal(summary.disagreeing, 1);
    assert_true(summary.most_ratio == 2);
    ct_run_free(&run);
}

/* The output of a script: lines between the outputs say what was run. */
static void test_headings(void **state)
{
    (void)state;
    static const struct ct_import_source script = {.collective = CT_COLLECTIVES,
                                                   .heading = "Run {comm_size} ranks, method {method}",
                                                   .methods = "1=linear,6=binomial,9=-"};
    static const struct ct_import_source any = {
        .collective = CT_COLLECTIVES, .key = {.comm_size = 4}, .heading = "*"};
    struct ct_run run;
    import("osu", &plain, &script,
           "hello\nRun 4 ranks, method 1\n" BCAST SHORT "1 1.00\n2 2.00\nRun 8 ranks, method 6\n"
           "```\n" BCAST SHORT "1 3.00\n---\nRun 8 ranks, method 9\n" BCAST "# Size   x\n7 x\n"
           "Run 16 ranks, method 1\n" BCAST SHORT "1 4.00\n",
           &run);
    assert_int_equal(run.sample_count, 4);
    assert_true(fixture_seconds(&run, "bcast/linear", 4, 2, 0) == 2e-6);
    assert_true(fixture_seconds(&run, "bcast/binomial", 8, 1, 0) == 3e-6);
    assert_true(fixture_seconds(&run, "bcast/linear", 16, 1, 0) == 4e-6);
    ct_run_free(&run);
    import("osu", &plain, &four, "\xef\xbb\xbf" BCAST SHORT "1 1.00\r\n", &run);
    assert_int_equal(run.sample_count, 1);
    ct_run_free(&run);
    import("osu", &plain, &any, "a\n" BCAST SHORT "1 1.00\nmpiexec: done\n" BCAST SHORT "2 2.00\n", &run);
    assert_int_equal(run.sample_count, 2);
    ct_run_free(&run);

    static const struct {
        const char *heading, *text, *words;
    } flaws[] = {
        {"Run {comm_size}", BCAST SHORT "1 1.00\n", "given:1: no line before this output matches --heading"},
        {"Run {comm_size}", "Run 0\n", "given:1: the line has comm_size=0: expected a whole number"},
        {"Run {method}", "Run tree\n", "given:1: the line has the method 'tree', which is not in --methods"},
        {"Run {collective}", "Run bcast\n", "the files say their collectives"},
        {"Run {msg_bytes}", "Run 1\n", "is for columns alone"},
        {"Run {ranks}", "Run 1\n", "--heading 'Run {ranks}': expected {collective}"},
    };
    for (size_t i = 0; i < sizeof flaws / sizeof flaws[0]; i++) {
        struct ct_error error = {""};
        struct ct_import_summary summary;
        struct ct_import_source source = script;
        source.heading = flaws[i].heading;
        assert_int_equal(fixture_import("osu", &plain, &source, flaws[i].text, &error, &summary, &run),
                         CT_E_INPUT);
        if (!strstr(error.text, flaws[i].words))
            fail_msg("flaw %zu: expected '%s', got '%s'", i, flaws[i].words, error.text);
    }
}

/* Every flaw, and the line and the words by which it is named. */
static void test_flaws(void **state)
{
    (void)state;
    static const struct ct_import_source wrong_method = {.key = {.comm_size = 4}, .method = "binomal"};
    static const struct ct_import_source eight = {.key = {.comm_size = 8}};
    static const struct ct_import_source nowhere = {.key = {.comm_size = 0}};
    static const struct ct_import_source no_room = {.key = {.comm_size = 4, .nodes = 1, .ppn = 3}};
    static const struct {
        const char *format, *text, *words;
        const struct ct_import_source *source;
    } flaws[] = {
        {"osu", BCAST SHORT "1 0.00\n", "given:4: a time of 0 s: expected more than 0", &four},
        {"osu", BCAST SHORT "1 -2.00\n", "given:4: a time of -2e-06 s", &four},
        {"osu", BCAST SHORT "1 nan\n", "given:4: 'nan': expected a time in microseconds", &four},
        {"osu", BCAST SHORT "1 1e20\n", "given:4: a time of 1e+14 s", &four},
        {"osu", BCAST SHORT "1 1.00 2.00\n", "given:4: 3 words: expected a row of the 2 columns", &four},
        {"osu", BCAST SHORT "1\n", "given:4: 1 words", &four},
        {"osu", BCAST SHORT "1K 1.00\n", "given:4: '1K': expected a whole number", &four},
        {"osu", BCAST SHORT "1 1.00\nmpiexec: killed\n", "given:5: 'mpiexec:': expected a whole number",
         &four},
        {"osu", BCAST SHORT "1 1.00\n\n2 1.00\n", "given:6: a row outside of a table", &four},
        {"osu", BCAST "1 1.00\n", "given:3: a row outside of a table", &four},
        {"osu", BCAST "# Avg Latency(us)\n1.00\n", "given:3: a table without message sizes", &four},
        {"osu", BCAST "# Size       Min Latency(us)\n1 1.00\n", "given:3: no column of the mean", &four},
        {"osu", BCAST "# Size       Avg Latency(ms)\n1 1.00\n", "expected one in microseconds", &four},
        {"osu", BCAST "# Size    Avg Latency(us)   Validation\n1 1.00 Fail\n", "given:4: 'Fail'", &four},
        {"osu", BCAST SHORT "1 1.00\n", "given:4: the number of ranks is unknown", &nowhere},
        {"osu", BCAST SHORT "1 1.00\n", "given:1: results of bcast: unknown algorithm 'binomal'",
         &wrong_method},
        {"osu", BCAST SHORT "1 1.00\n", "given:4: 1 node with 3 ranks on each", &no_room},
        {"osu", BCAST SHORT, "given: holds nothing to import: expected output of the OSU", &four},
        {"osu", "# OSU MPI Gatherv Latency Test v5.9\n" SHORT "1 1.00\n", "nothing to import", &four},
        {"osu", "", "nothing to import", &four},
        {"imb", INTEL "8 1000 1.00 3.00\n", "given:7: 4 words: expected a row of the 5", NULL},
        {"imb", INTEL "8 x 1.00 3.00 2.00\n", "given:7: 'x': expected a whole number", NULL},
        {"imb", INTEL "9223372036854775808 1000 1.00 3.00 2.00\n",
         "given:7: 9223372036854775808 bytes: expected at most 9223372036854775807", NULL},
        {"imb", INTEL "8 1000 1.00 3.00 0.00\n", "given:7: a time of 0 s", NULL},
        {"imb", INTEL "8 1000 1.00 3.00 3.50\n", "given:7: the longest time, 3, is below the mean, 3.5",
         NULL},
        {"imb", INTEL "8 1000 2.00 3.00 1.50\n", "given:7: the mean, 1.5, is below the shortest time, 2",
         NULL},
        {"imb", INTEL "8 1000 x 3.00 1.50\n", "given:7: 'x': expected a time in microseconds", NULL},
        {"imb", INTEL "8 1000 1.00 3.00 2.00\n", "given:7: 4 ranks, where --comm-size says 8", &eight},
        {"osu", BCAST FULL "1  9.50  1.00  9.00  10\n", "given:4: the longest time, 9, is below", &four},
        {"imb", "# Benchmarking Bcast\n# #processes = 0\n", "given:2: '0': expected the number", NULL},
        {"imb", "# Benchmarking \n", "given:1: expected the name of a benchmark", NULL},
        {"imb", "# Benchmarking Bcast\n #bytes t_avg[usec]\n8 1.00\n", "given:3: the number of ranks", NULL},
        /* cut within the last number, which is still one */
        {"osu", BCAST SHORT "1 1.00\n2 1",
         "given:5: the file ends within this row, which is shorter than the one", &four},
        {"osu", BCAST FULL "1  9.50  9.00  9.90  1000\n2  9.50  9.00  9.90  10",
         "given:5: the file ends within this row", &four},
        {"imb", INTEL "4 1000 1.00 3.00 2.00\n8 1000 1.00 3.00 2.0", "given:8: the file ends within this row",
         NULL},
        {"imb", "# Benchmarking Barrier\n # #bytes t_avg[usec]\n8 1.00\n", "given:3: a row outside", NULL},
    };
    for (size_t i = 0; i < sizeof flaws / sizeof flaws[0]; i++) {
        struct ct_run run;
        struct ct_error error = {""};
        struct ct_import_summary summary;
        int status =
            fixture_import(flaws[i].format, &plain, flaws[i].source, flaws[i].text, &error, &summary, &run);
        if (status != CT_E_INPUT || !strstr(error.text, flaws[i].words))
            fail_msg("flaw %zu: expected '%s', got %d: '%s'", i, flaws[i].words, status, error.text);
    }
}

/* --slowest needs the column of it. */
static void test_no_slowest(void **state)
{
    (void)state;
    struct ct_run run;
    struct ct_error error = {""};
    struct ct_import_summary summary;
    const struct ct_import_request slowest = {.slowest = true};
    assert_int_equal(fixture_import("osu", &slowest, &four, BCAST SHORT "1 1.00\n", &error, &summary, &run),
                     CT_E_INPUT);
    assert_non_null(strstr(error.text, "given:3: no column of the slowest rank's times"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_osu),        cmocka_unit_test(test_settings), cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_imb),        cmocka_unit_test(test_twice),    cmocka_unit_test(test_flaws),
        cmocka_unit_test(test_no_slowest), cmocka_unit_test(test_headings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
