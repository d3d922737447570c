/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "base/text.h"
#include "decision/map.h"
#include "samples/run_folder.h"
#include "tests/samples/run_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* What comes of samples that are not as they should be: refused with a line that names them, or taken and the
 * method marked; nothing is averaged away. */

static char *folder;

static int setup(void **state)
{
    (void)state;
    folder = fixture_folder();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    ct_remove_all(folder, NULL);
    free(folder);
    return 0;
}

enum { LAUNCHES = 2 };

static const struct {
    const char *name;
    /* by launch: seconds, each perhaps a number of times, as "1 2*16"; or a status instead; NULL: none */
    const char *native[LAUNCHES];
    const char *binomial[LAUNCHES];
    const char *refused; /* what the line says; NULL where the samples are taken, and binomial is */
    enum ct_standing standing;
    double median;
    double spread;
    bool constant;
} cases[] = {
    {"zero", {"1"}, {"0"}, "expected a finite decimal number greater than 0", 0, 0, 0, false},
    {"negative", {"1"}, {"2 -1"}, "expected a finite decimal number greater than 0", 0, 0, 0, false},
    {"not a number", {"1"}, {"nan"}, "expected a finite decimal number greater than 0", 0, 0, 0, false},
    {"endless", {"1"}, {"inf"}, "expected a finite decimal number greater than 0", 0, 0, 0, false},
    {"a unit", {"1"}, {"5us"}, "expected a finite decimal number greater than 0", 0, 0, 0, false},
    {"a single sample", {"1"}, {"9"}, NULL, CT_STANDING_UNDECIDED, 9, 1, false},
    {"a single sample beside many", {"1*30"}, {"9"}, NULL, CT_STANDING_UNDECIDED, 9, 1, false},
    {"too few samples", {"1*3"}, {"9*3"}, NULL, CT_STANDING_UNDECIDED, 9, 1, true},
    {"constant and the same", {"1*16"}, {"1*16"}, NULL, CT_STANDING_EQUIVALENT, 1, 1, true},
    {"constant and apart", {"1*16"}, {"1.06*16"}, NULL, CT_STANDING_WORSE, 1.06, 1, true},
    {"constant and near", {"1*16"}, {"1.04*16"}, NULL, CT_STANDING_EQUIVALENT, 1.04, 1, true},
    {"an outlier", {"1*30"}, {"1*29 100"}, NULL, CT_STANDING_EQUIVALENT, 1, 1, false},
    {"outliers in half of the samples",
     {"1*30"},
     {"1*15 100*15"},
     NULL,
     CT_STANDING_UNDECIDED,
     50.5,
     1,
     false},
    {"a rank 100 times slower", {"1*30"}, {"100*30"}, NULL, CT_STANDING_WORSE, 100, 1, true},
    {"the same in one launch",
     {"1*30", "1*30"},
     {"1*30", "100*30"},
     NULL,
     CT_STANDING_UNDECIDED,
     50.5,
     100,
     false},
    {"constant in two launches", {"1*9", "1*9"}, {"2*9", "2*9"}, NULL, CT_STANDING_WORSE, 2, 1, true},
    {"a launch missing", {"1*30", "1*30"}, {"2*30"}, NULL, CT_STANDING_UNDECIDED, 2, 1, true},
    {"other launches", {"1*30"}, {NULL, "2*30"}, NULL, CT_STANDING_UNDECIDED, 2, 1, true},
    {"ragged launches", {"1*30", "1*2"}, {"2", "2*30"}, NULL, CT_STANDING_WORSE, 2, 1, true},
    {"not measured", {"1*30"}, {NULL}, NULL, CT_STANDING_UNMEASURED, 0, 0, false},
    {"crashed once", {"1*30", "1*30"}, {"1*30", "crashed"}, NULL, CT_STANDING_UNMEASURED, 0, 0, false},
    {"wrong", {"1*30"}, {"wrong"}, NULL, CT_STANDING_UNMEASURED, 0, 0, false},
};

/* The rows of one method in one launch. */
static void write_samples(struct ct_text *rows, size_t launch, const char *method, const char *samples)
{
    char copy[64], *rest = copy;
    size_t rep = 0;
    if (!samples)
        return;
    snprintf(copy, sizeof copy, "%s", samples);
    for (char *word; (word = strsep(&rest, " "));) {
        char *star = strchr(word, '*');
        size_t times = star ? strtoul(star + 1, NULL, 10) : 1;
        bool failed = strcmp(word, "crashed") == 0 || strcmp(word, "wrong") == 0;
        if (star)
            *star = '\0';
        for (size_t i = 0; i < times; i++)
            ct_text_append(rows, "%zu,bcast,%s,2,1,2,0,1,byte,,%zu,%s,%s\n", launch, method, rep++,
                           failed ? "" : word, failed ? word : "ok");
    }
}

static char *make_run(size_t index)
{
    struct ct_text rows = {0};
    for (size_t launch = 0; launch < LAUNCHES; launch++) {
        write_samples(&rows, launch, "native", cases[index].native[launch]);
        write_samples(&rows, launch, "binomial:seg=8K", cases[index].binomial[launch]);
        if (cases[index].native[launch] || cases[index].binomial[launch])
            ct_text_append(&rows, "%zu,bcast,,2,1,2,,1,,,,,commit\n", launch);
    }
    char *path = fixture_run(folder, rows.data);
    ct_text_free(&rows);
    return path;
}

static void check_map(size_t index, struct ct_run *run)
{
    struct ct_map map;
    struct ct_method method;
    free(run->description.backend);
    run->description.backend = strdup("real");
    assert_int_equal(ct_map_make(run, CT_COLLECTIVE_BCAST, NULL, &map), CT_OK);
    assert_int_equal(ct_method_parse("binomial:seg=8K", CT_COLLECTIVE_BCAST, NULL, &method), CT_OK);
    size_t binomial = ct_map_find_method(&map, &method);
    const struct ct_statistics *statistics = &map.cells[0].methods[binomial];
    if (map.cells[0].standings[binomial] != cases[index].standing ||
        statistics->median != cases[index].median)
        fail_msg("%s: %s, %g s", cases[index].name, ct_standing_names[map.cells[0].standings[binomial]],
                 statistics->median);
    if (statistics->constant != cases[index].constant)
        fail_msg("%s: constant %d", cases[index].name, statistics->constant);
    double spread = ct_cell_spread(&map.cells[0], binomial);
    assert_true(statistics->count > 0 ? spread == cases[index].spread : isnan(spread));
    ct_map_free(&map);
}

static void test_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ct_run run;
        struct ct_error error = {""};
        char *path = make_run(i);
        int status = ct_run_read(path, false, &error, &run);
        free(path);
        if (cases[i].refused) {
            assert_int_equal(status, CT_E_INPUT);
            assert_non_null(strstr(error.text, cases[i].refused));
            assert_non_null(strstr(error.text, "samples.csv:"));
            continue;
        }
        if (status != CT_OK)
            fail_msg("%s: %s", cases[i].name, error.text);
        check_map(i, &run);
        ct_run_free(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_cases, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
