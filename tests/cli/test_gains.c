/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/gains.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *gains_of(const char *rows, size_t cpus)
{
    char csv[2048];
    struct ct_error error = {""};
    struct ct_validation validation;
    struct ct_text text = {0};
    const struct ct_sweep_grid grid = {.cell_count = 40, .cells_done = 10};
    const char *header = ct_validation_header(
        (struct ct_validation_form){.overlaps = strstr(rows, "blocking,") || strstr(rows, "persistent,"),
                                    .patterns = strstr(rows, "neighbor_")});
    int length = snprintf(csv, sizeof csv, "%s\n%s", header, rows);
    if (ct_validation_parse(csv, (size_t)length, "points", &error, &validation) != CT_OK)
        fail_msg("%s", error.text);
    ct_gains_tell(&validation, &grid, cpus, &text);
    ct_validation_free(&validation);
    assert_false(text.failed);
    return text.data;
}

static void each_size_has_a_line(void **state)
{
    (void)state;
    char *told = gains_of("barrier,2,0,linear,2e-6,1e-6,0.5,0.5,blocking\n"
                          "bcast,2,8,linear,1e-6,8e-6,8,8,blocking\n"
                          "bcast,4,8,linear,1e-6,8e-6,8,8,blocking\n",
                          2);
    assert_string_equal(
        told, "Tuned against native, geometric means (least to most):\n"
              "  2 ranks                          2.00 times as fast (0.50 to 8.00), 1 of 2 points slower\n"
              "  4 ranks, more than CPUs          8.00 times as fast (8.00 to 8.00), 0 of 1 point slower\n"
              "Slower than native: barrier on 2 ranks 0.50\n"
              "Measured: 10 of 40 cells (25 %).\n");
    free(told);
}

/* Nothing is left to choose there: to call native through the library takes longer. */
static void native_points_say_so(void **state)
{
    (void)state;
    char *told = gains_of("scatter,2,8,native,2e-6,1.9e-6,0.94,0.96,blocking\n"
                          "scatter,4,8,linear,2e-6,1.9e-6,0.94,0.96,blocking\n",
                          4);
    assert_non_null(strstr(told, "Slower than native: scatter of 8 bytes on 2 ranks 0.95 (native through the "
                                 "library), scatter of 8 bytes on 4 ranks 0.95\n"));
    free(told);
}

static void many_sizes_have_two_lines(void **state)
{
    (void)state;
    char *told = gains_of(
        "bcast,2,1024,linear,1e-6,1e-6,1,1,blocking\nbcast,3,1024,linear,1e-6,0.98e-6,0.98,0.98,blocking\n"
        "bcast,4,1024,linear,1e-6,4e-6,4,4,blocking\nbcast,5,1024,linear,1e-6,4e-6,4,4,blocking\n"
        "bcast,6,1024,linear,1e-6,4e-6,4,4,blocking\n",
        3);
    assert_non_null(strstr(told, "\n  2 to 3 ranks  "));
    assert_non_null(strstr(told, "\n  4 to 6 ranks, more than CPUs     4.00 times"));
    assert_non_null(
        strstr(told, "\nNo validated point is slower than native beyond its confidence interval.\n"));
    free(told);
    told = gains_of(
        "bcast,2,8,linear,9e-6,1e-6,0.111111111,0.111111111,blocking\nbcast,2,16,linear,8e-6,1e-6,0.125,0."
        "125,blocking\nbcast,2,32,linear,4e-6,1e-6,0.25,0.25,blocking\n"
        "bcast,2,64,linear,2e-6,1e-6,0.5,0.5,blocking\n",
        2);
    assert_non_null(strstr(told,
                           "Slower than native: bcast of 8 bytes on 2 ranks 0.11, bcast of 16 bytes on 2 "
                           "ranks 0.12, bcast of 32 bytes on 2 ranks 0.25, and 1 more\n"));
    free(told);
}

/* Modes have lines of their own, two at most where there are several. */
static void each_mode_has_lines(void **state)
{
    (void)state;
    char *told = gains_of("bcast,2,8,linear,1e-6,2e-6,2,2,blocking,,,,,,,\n"
                          "bcast,4,8,linear,1e-6,2e-6,2,2,blocking,,,,,,,\n"
                          "bcast,2,8,linear,1e-6,4e-6,4,4,persistent,1,1,1,0,1,1,0\n"
                          "bcast,2,64,linear,2e-6,1e-6,0.5,0.5,persistent,1,1,1,0,1,1,0\n"
                          "bcast,4,8,linear,1e-6,8e-6,8,8,persistent,1,1,1,0,1,1,0\n"
                          "bcast,8,8,linear,1e-6,8e-6,8,8,persistent,1,1,1,0,1,1,0\n",
                          2);
    assert_string_equal(
        told,
        "Tuned against native, geometric means (least to most):\n"
        "  2 ranks, blocking                              2.00 times as fast (2.00 to 2.00), 0 of 1 point "
        "slower\n"
        "  4 ranks, blocking, more than CPUs              2.00 times as fast (2.00 to 2.00), 0 of 1 point "
        "slower\n"
        "  2 ranks, persistent                            1.41 times as fast (0.50 to 4.00), 1 of 2 points "
        "slower\n"
        "  4 to 8 ranks, persistent, more than CPUs       8.00 times as fast (8.00 to 8.00), 0 of 2 points "
        "slower\n"
        "Slower than native: persistent bcast of 64 bytes on 2 ranks 0.50\n"
        "Measured: 10 of 40 cells (25 %).\n");
    free(told);
    told = gains_of("bcast,2,8,linear,1e-6,4e-6,4,4,nonblocking,1,1,1,0,1,1,0\n", 2);
    assert_non_null(strstr(told, "\n  2 ranks, nonblocking                           4.00 times as fast"));
    free(told);
}

static void nothing_validated_claims_nothing(void **state)
{
    (void)state;
    const struct ct_validation validation = {.count = 0};
    const struct ct_sweep_grid grid = {.cell_count = 40, .cells_done = 10};
    struct ct_text text = {0};
    ct_gains_tell(&validation, &grid, 2, &text);
    assert_string_equal(text.data, "Measured: 10 of 40 cells (25 %).\n");
    ct_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_size_has_a_line),
        cmocka_unit_test(native_points_say_so),
        cmocka_unit_test(many_sizes_have_two_lines),
        cmocka_unit_test(each_mode_has_lines),
        cmocka_unit_test(nothing_validated_claims_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
