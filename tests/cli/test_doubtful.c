/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/doubtful.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Which of the rows are to be measured again, as a word of 0 and 1; `cells` of the run have two usual
 * launches.
 */
static void expect(const char *rows, struct ct_run_cell *cells, size_t cell_count, size_t cpus, bool exact,
                   const char *expected)
{
    char csv[2048], found[64] = "";
    struct ct_error error = {""};
    struct ct_validation validation;
    struct ct_sweep_point *points;
    size_t again, count = 0;
    const struct ct_run run = {.cells = cells, .cell_count = cell_count, .description.launches = 2};
    int length = snprintf(
        csv, sizeof csv, "%s\n%s",
        ct_validation_header((struct ct_validation_form){.patterns = strstr(rows, "neighbor_")}), rows);
    if (ct_validation_parse(csv, (size_t)length, "points", &error, &validation) != CT_OK)
        fail_msg("%s", error.text);
    assert_int_equal(ct_doubtful_find(&validation, &run, cpus, exact, &points, &again), CT_OK);
    for (size_t i = 0; i < validation.count; i++) {
        strcat(found, points[i].again ? "1" : "0");
        count += points[i].again;
        assert_int_equal(points[i].key.comm_size, validation.points[i].key.comm_size);
        assert_true(points[i].tuned == validation.points[i].tuned);
    }
    assert_int_equal(again, count);
    assert_string_equal(found, expected);
    free(points);
    ct_validation_free(&validation);
}

static void slower_points_are(void **state)
{
    (void)state;
    expect("bcast,2,8,linear,1,0.9,0.89,0.96,blocking\n" /* significantly slower */
           "bcast,2,16,linear,1,0.9,0.8,0.98,blocking\n" /* within the noise */
           "bcast,2,32,linear,1,1.2,1.1,1.3,blocking\n",
           NULL, 0, 4, false, "100");
}

static void three_times_are_enough(void **state)
{
    (void)state;
    const char *row = "bcast,2,8,linear,1,0.5,0.5,0.5,blocking\n";
    struct ct_run_cell cells[8];
    for (uint32_t i = 0; i < 8; i++)
        cells[i] = (struct ct_run_cell){
            .launch = i, .collective = CT_COLLECTIVE_BCAST, .key = {.comm_size = 2, .msg_bytes = 8}};
    /* launches 3, 5 and 7 measured again; 2, 4 and 6 hold what validations found */
    expect(row, cells, 7, 4, false, "1");
    expect(row, cells, 8, 4, false, "0");
    expect(row, cells, 3, 4, true, "1");
    expect(row, cells, 4, 4, true, "0");
}

static void points_that_lag_are(void **state)
{
    (void)state;
    const char *rows = "bcast,4,8,native,1,1.09,1,1.2,blocking\n"
                       "bcast,4,1024,linear,1,100,81,120,blocking\n"
                       "bcast,4,4096,linear,1,9.5,9,10,blocking\n"      /* more than the root of 81 */
                       "bcast,8,8,native,1,1,1,1,blocking\n"            /* its neighbours gain nothing */
                       "bcast,8,4096,linear,1,1.45,1.4,1.5,blocking\n"; /* less than the root of 9 */
    struct ct_run_cell cells[] = {{3, CT_COLLECTIVE_BCAST, {.comm_size = 4, .msg_bytes = 8}}};
    expect(rows, NULL, 0, 16, false, "10001");
    expect(rows, NULL, 0, 4, false, "10000"); /* 8 ranks are oversubscribed */
    expect(rows, cells, 1, 4, false, "00000");
    cells[0].launch = 0;
    expect(rows, cells, 1, 4, false, "10000");
    expect(rows, cells, 1, 4, true, "00000"); /* measured exactly */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slower_points_are),
        cmocka_unit_test(three_times_are_enough),
        cmocka_unit_test(points_that_lag_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
