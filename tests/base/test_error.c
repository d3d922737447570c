/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Whatever a message quotes, it stays one line. */
static void test_one_line(void **state)
{
    (void)state;
    struct ct_error error = {{0}};
    assert_int_equal(ct_fail(&error, CT_E_INPUT, "unknown pattern '%s'", "mo\nore\t\x1b[1m"), CT_E_INPUT);
    assert_string_equal(error.text, "unknown pattern 'mo?ore??[1m'");
    assert_int_equal(ct_fail_in(&error, CT_E_INPUT, "a\nfile"), CT_E_INPUT);
    assert_string_equal(error.text, "a?file: unknown pattern 'mo?ore??[1m'");
}

/* What does not fit is cut, and ends. */
static void test_long_line(void **state)
{
    (void)state;
    struct ct_error error;
    char text[2 * sizeof error.text];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    ct_fail(&error, CT_E_INPUT, "%s", text);
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
    ct_fail_in(&error, CT_E_INPUT, text);
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_line), cmocka_unit_test(test_long_line)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
