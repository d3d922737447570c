/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "samples/merge.h"
#include "samples/run_folder.h"
#include "tests/samples/import/import_fixture.h"
#include "tests/samples/run_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define ROWS                                                                                                 \
    "0,barrier,native,2,1,2,0,0,,,0,0.5,ok\n"                                                                \
    "0,barrier,,2,1,2,,0,,,,,commit\n"                                                                       \
    "0,bcast,native,4,1,4,0,8192,byte,,3,2e-05,ok\n"                                                         \
    "0,bcast,\"chain:seg=1K,radix=4\",4,1,4,0,8192,byte,,0,,hung\n"                                          \
    "0,bcast,,4,1,4,,8192,,,,,commit\n"                                                                      \
    "0,bcast,binomial:seg=8K,4,1,4,1,8192,byte,,0,1.5e-05,ok\n"                                              \
    "0,bcast,binomial:seg=8K,4,1,4,1,8192,byte,,1,1.25e-05,ok\n"                                             \
    "0,bcast,,4,1,4,1,8192,,,,,commit\n"                                                                     \
    "1,bcast,,8,1,8,,1,,,,,commit\n"

static char *content(const char *folder, const char *name)
{
    char *path = ct_format("%s/%s", folder, name), *text;
    size_t length;
    assert_int_equal(ct_file_read(path, NULL, &text, &length), CT_OK);
    free(path);
    return text;
}

static void read_run(const char *folder, struct ct_run *ret_run)
{
    struct ct_error error = {""};
    if (ct_run_read(folder, false, &error, ret_run) != CT_OK)
        fail_msg("%s", error.text);
}

static void write_file(const char *path, const char *text)
{
    assert_int_equal(ct_file_create(path, text, strlen(text), NULL), CT_OK);
}

/* What is read is written the same: cells without samples, failures, gaps in numbers, roots and words too. */
static void test_write(void **state)
{
    char *from = fixture_run(*state, ROWS), *to = ct_format("%s/copy", (char *)*state);
    struct ct_run run;
    read_run(from, &run);
    assert_int_equal(ct_run_write(to, &run, NULL), CT_OK);
    static const char *const names[] = {"run.xml", "samples.csv"};
    for (int i = 0; i < 2; i++) {
        char *before = content(from, names[i]), *after = content(to, names[i]);
        assert_string_equal(before, after);
        free(before);
        free(after);
    }
    struct ct_error error = {""};
    assert_int_equal(ct_run_write(to, &run, &error), CT_E_INPUT);
    assert_non_null(strstr(error.text, "exists already"));

    /* a sample that lies in no cell, and one that no time can be: nothing is written */
    char *other = ct_format("%s/other", (char *)*state);
    run.samples[0].key.comm_size = 8;
    assert_int_equal(ct_run_write(other, &run, NULL), CT_E_INPUT);
    run.samples[0].key.comm_size = 2;
    run.samples[0].seconds = 0;
    assert_int_equal(ct_run_write(other, &run, NULL), CT_E_INPUT);
    assert_int_not_equal(access(other, F_OK), 0);
    ct_run_free(&run);
    free(other);
    free(from);
    free(to);
}

static void notice(void *context, const char *line)
{
    snprintf(context, 200, "%s", line);
}

/* Files into a run that reads back, with all that is known of it. */
static void test_import(void **state)
{
    char *first = ct_format("%s/a.txt", (char *)*state), *second = ct_format("%s/b.txt", (char *)*state);
    char *folder = ct_format("%s/run", (char *)*state);
    write_file(first, "# OSU MPI Broadcast Latency Test v5.9\n# Size       Avg\n");
    const struct ct_import_source sources[] = {{.path = first, .key = {.comm_size = 4}},
                                               {.path = second, .key = {.comm_size = 6}, .method = "linear"}};
    const struct ct_property property = {(char[]){"mpi.version"}, (char[]){"Some MPI 1.2"}};
    char said[200] = "";
    const struct ct_watch watch = {.notice = notice, .context = said};
    const struct ct_import_request request = {.folder = folder,
                                              .watch = &watch,
                                              .sources = sources,
                                              .source_count = 2,
                                              .properties = &property,
                                              .property_count = 1};
    struct ct_error error = {""};
    struct ct_import_summary summary;
    const struct ct_import_format *osu = ct_import_find("osu");
    assert_int_equal(ct_import(osu, &request, &error, &summary), CT_E_INPUT);
    assert_non_null(strstr(error.text, "a.txt:2: no column of the mean times"));
    ct_remove_all(first, NULL);
    write_file(first, "# OSU MPI Broadcast Latency Test v5.9\n# Size       Avg Latency(us)\n1 2.00\n"
                      "# OSU MPI Gatherv Latency Test v5.9\n# Size       Avg Latency(us)\n1 2.00\n");
    assert_int_equal(ct_import(osu, &request, &error, &summary), CT_E_SYSTEM); /* no second file */
    assert_int_not_equal(access(folder, F_OK), 0);

    write_file(second, "# OSU MPI Broadcast Latency Test v5.9\n"
                       "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
                       "4 3.00 1.00 4.00 100\n");
    if (ct_import(osu, &request, &error, &summary) != CT_OK)
        fail_msg("%s", error.text);
    assert_string_equal(said, "skipped: Gatherv has no message size that all ranks know (1 time)");
    assert_int_equal(summary.samples, 2);
    struct ct_run run;
    read_run(folder, &run);
    assert_string_equal(run.description.backend, "imported");
    assert_string_equal(run.description.launcher, "OSU micro-benchmarks");
    assert_string_equal(run.description.time, "mean");
    assert_string_equal(ct_run_property(&run.description, "mpi.version"), "Some MPI 1.2");
    assert_string_equal(ct_run_property(&run.description, "import.repetitions"), "100");
    assert_memory_equal(ct_run_property(&run.description, "import.file.2"), "b.txt sha256 ", 13);
    assert_true(fixture_seconds(&run, "bcast/native", 4, 1, 0) == 2e-6);
    assert_true(fixture_seconds(&run, "bcast/linear", 6, 4, 0) == 3e-6);
    ct_run_free(&run);

    assert_int_equal(ct_import(osu, &request, &error, &summary), CT_E_INPUT);
    assert_non_null(strstr(error.text, "exists already"));
    free(first);
    free(second);
    free(folder);
}

/* A copy of the fixture's run whose description was changed. */
static char *changed_run(const char *folder, const char *name, void (*change)(struct ct_run *))
{
    char *from = fixture_run(folder, ROWS), *to = ct_format("%s/%s", folder, name);
    struct ct_run run;
    read_run(from, &run);
    if (change)
        change(&run);
    struct ct_error error = {""};
    if (ct_run_write(to, &run, &error) != CT_OK)
        fail_msg("%s", error.text);
    ct_run_free(&run);
    free(from);
    return to;
}

/* Two runs: launches, methods, sizes and what only one of them says. */
static void add_size(struct ct_run *run)
{
    run->description.comm_sizes[0] = 16; /* for 2 */
    run->samples[0].key.comm_size = 16;
    run->samples[0].key.nodes = 16;
    run->cells[0].key.comm_size = 16;
    run->cells[0].key.nodes = 16;
    qsort(run->cells, run->cell_count, sizeof *run->cells, ct_run_cell_compare);
    ct_run_add_property(&run->description, "weather", "fine");
}

static void test_merge(void **state)
{
    char *first = changed_run(*state, "first", NULL), *second = changed_run(*state, "second", add_size);
    char *both = ct_format("%s/both", (char *)*state);
    const char *const runs[] = {first, second};
    struct ct_error error = {""};
    size_t cells, samples;
    if (ct_run_merge(both, runs, 2, &error, &cells, &samples) != CT_OK)
        fail_msg("%s", error.text);
    struct ct_run run;
    read_run(both, &run);
    assert_int_equal(run.description.launches, 4);
    assert_int_equal(run.sample_count, 10);
    assert_int_equal(samples, 10);
    assert_int_equal(cells, 8);
    assert_int_equal(run.cell_count, 8);
    assert_int_equal(run.method_count, 5);
    assert_int_equal(run.description.comm_size_count, 4);
    assert_string_equal(ct_run_property(&run.description, "run.2.weather"), "fine");
    assert_string_equal(ct_run_property(&run.description, "machine.cpu"), "two\nlines\tand a tab");
    struct ct_run_cell cell = {
        .launch = 2, .collective = CT_COLLECTIVE_BCAST, .key = {.nodes = 4, .ppn = 1, .comm_size = 4}};
    cell.key.msg_bytes = 8192;
    assert_true(ct_run_has_cell(&run, &cell));
    cell = (struct ct_run_cell){
        .launch = 2, .collective = CT_COLLECTIVE_BARRIER, .key = {.nodes = 16, .ppn = 1, .comm_size = 16}};
    assert_true(ct_run_has_cell(&run, &cell));
    ct_run_free(&run);
    assert_int_equal(ct_run_merge(both, runs, 2, &error, &cells, &samples), CT_E_INPUT);
    free(first);
    free(second);
    free(both);
}

static void other_machine(struct ct_run *run)
{
    free(run->description.properties[0].value);
    run->description.properties[0].value = strdup("another");
}

static void more_machine(struct ct_run *run)
{
    ct_run_add_property(&run->description, "mpi.version", "2");
}

static void other_time(struct ct_run *run)
{
    free(run->description.time);
    run->description.time = strdup("local");
}

/* Runs of other conditions stay apart; neither order helps. */
static void test_unlike(void **state)
{
    static const struct {
        void (*change)(struct ct_run *);
        const char *words;
    } cases[] = {{other_machine, "machine.cpu is '"},
                 {more_machine, "mpi.version is '"},
                 {other_time, "the time that"}};
    char *first = changed_run(*state, "first", NULL), *both = ct_format("%s/both", (char *)*state);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *second = changed_run(*state, "second", cases[i].change);
        for (int swapped = 0; swapped < 2; swapped++) {
            const char *const runs[] = {swapped ? second : first, swapped ? first : second};
            struct ct_error error = {""};
            size_t cells, samples;
            assert_int_equal(ct_run_merge(both, runs, 2, &error, &cells, &samples), CT_E_INPUT);
            if (!strstr(error.text, cases[i].words) || access(both, F_OK) == 0)
                fail_msg("case %zu: '%s'", i, error.text);
        }
        ct_remove_all(second, NULL);
        free(second);
    }
    free(first);
    free(both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_write, fixture_begin, fixture_end),
        cmocka_unit_test_setup_teardown(test_import, fixture_begin, fixture_end),
        cmocka_unit_test_setup_teardown(test_merge, fixture_begin, fixture_end),
        cmocka_unit_test_setup_teardown(test_unlike, fixture_begin, fixture_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
