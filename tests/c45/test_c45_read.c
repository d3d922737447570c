/* SPDX-License-Identifier: BSD-3-Clause */
#include "c45/c45_files.h"
#include "c45/c45_program.h"
#include "tests/c45/random_cases.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Errors that are printed as 0.0 are none when they are read. */
static void drop_zeroes(char *text)
{
    for (char *zero; (zero = strstr(text, "/0.0)"));)
        memmove(zero, zero + 4, strlen(zero + 4) + 1);
}

/* A report of the cases; its pruned tree, read and printed again, must stand in it. */
static void check(const struct ct_c45_names *names, const struct ct_c45_cases *cases,
                  const struct ct_c45_program *program)
{
    struct ct_text report = {0}, printed = {0};
    struct ct_c45_pool pool = {0};
    struct ct_c45_node *root;
    struct ct_error error = {""};
    assert_int_equal(ct_c45_report(names, cases, NULL, program, &error, &report), CT_OK);
    int status = ct_c45_report_read(report.data, report.length, "report", names, &pool, &error, &root);
    assert_string_equal(error.text, "");
    assert_int_equal(status, CT_OK);
    ct_c45_print(names, root, &printed);
    drop_zeroes(report.data);
    assert_non_null(strstr(report.data, printed.data));

    /* cut anywhere in the tree it is refused, or has lost what stands behind the tree alone */
    size_t end = (size_t)(strstr(report.data, "ree saved") - report.data);
    for (size_t length = 0; length < end; length += 1 + end / 40)
        assert_int_equal(ct_c45_report_read(report.data, length, "report", names, &pool, &error, &root),
                         CT_E_INPUT);
    ct_c45_pool_free(&pool);
    ct_text_free(&report);
    ct_text_free(&printed);
}

static void test_read_back(void **state)
{
    unsigned long long seed = 3;
    enum { TRIALS = 60, MOST = 600 };
    (void)state;
    for (size_t trial = 0; trial < TRIALS; trial++) {
        struct ct_c45_names names;
        struct ct_c45_cases cases;
        random_cases(&seed, 1 + random_below(&seed, MOST), trial % 2 ? 10 : 0, &names, &cases);
        struct ct_c45_program program = {.stem = "x", .learn = ct_c45_standard};
        program.learn.gain_alone = random_below(&seed, 3) == 0;
        program.soft = random_below(&seed, 4) == 0;
        program.learn.least = 1 + random_below(&seed, 5);
        program.learn.confidence = 1 + (double)random_below(&seed, 99);
        check(&names, &cases, &program);
        ct_c45_cases_free(&cases);
        ct_c45_names_free(&names);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_read_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
