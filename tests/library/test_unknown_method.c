/* SPDX-License-Identifier: BSD-3-Clause */
/* Spellings of methods by which blocks come to ranks that do not know of them. */
#include "library/decide/unknown_method.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_spellings(void **state)
{
    static const struct {
        const char *read;
        const char *written;
    } spellings[] = {{"nbx", "exchange/nbx"},
                     {"exchange/personalized", "exchange/personalized"},
                     {"grid", "exchange/grid"},
                     {"grid:dims=2", "exchange/grid"},
                     {"exchange/grid:dims=31", "exchange/grid:dims=31"},
                     {"grid:dims=1", "exchange/grid:dims=1"}};
    (void)state;
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        struct ct_unknown_method method;
        struct ct_error error = {{0}};
        char text[CT_UNKNOWN_METHOD_TEXT];
        assert_int_equal(ct_unknown_method_parse(spellings[i].read, &error, &method), CT_OK);
        assert_string_equal(ct_unknown_method_format(&method, text), spellings[i].written);
    }
}

static void test_wrong_spellings(void **state)
{
    static const char *const spellings[] = {
        "",           "linear",       "nbx:dims=2",   "nbxx",
        "grid:",      "grid:dims=",   "grid:dims=0",  "grid:dims=32",
        "grid:seg=8", "grid:dims=2x", "grid:dims=-1", "bcast/grid",
        "exchange/",  "grid dims=2",  "grid:dims= 2", "grid:dims=99999999999999999999"};
    (void)state;
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        struct ct_unknown_method method = {.kind = CT_UNKNOWN_KINDS};
        struct ct_error error = {{0}};
        assert_int_equal(ct_unknown_method_parse(spellings[i], &error, &method), CT_E_INPUT);
        assert_non_null(strstr(error.text, "expected nbx, personalized"));
        assert_int_equal(method.kind, CT_UNKNOWN_KINDS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_spellings),
                                       cmocka_unit_test(test_wrong_spellings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
