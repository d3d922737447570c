/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/number.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The shortest spelling is written, and every double comes back. */
static void test_format(void **state)
{
    (void)state;
    static const struct {
        double number;
        const char *text;
    } cases[] = {{0.1, "0.1"},
                 {1e-6, "1e-06"},
                 {1.0 / 3, "0.3333333333333333"},
                 {0.1 + 0.2, "0.30000000000000004"},
                 {12, "12"},
                 {-2.5, "-2.5"},
                 {DBL_MAX, "1.7976931348623157e+308"}};
    char text[CT_NUMBER_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(ct_number_format(cases[i].number, text), cases[i].text);

    uint64_t bits = 88172645463325252u;
    for (int i = 0; i < 100000; i++) {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        double number, back;
        memcpy(&number, &bits, sizeof number);
        if (!isfinite(number))
            continue;
        assert_int_equal(ct_number_parse(ct_number_format(number, text), &back), CT_OK);
        assert_memory_equal(&number, &back, sizeof number);
    }
}

/* What strtod takes beyond plain decimals is refused, and the result not touched. */
static void test_parse_refuses(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",   " 1", "1 ",  "0x10", "inf", "nan",  "+1", ".5",
                                        "5.", "1e", "1e+", "--1",  "1,5", "1e5x", "-",  "infinity"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        double number = 7;
        assert_int_equal(ct_number_parse(wrong[i], &number), CT_E_INPUT);
        assert_true(number == 7);
    }
    double number = 7;
    assert_int_equal(ct_number_parse("1e999", &number), CT_E_LIMIT);
    assert_true(number == 7);
}

static void test_rounded(void **state)
{
    (void)state;
    static const struct {
        double number;
        int digits;
        const char *text;
    } rows[] = {{1.0636, 3, "1.06"}, {20, 3, "20"},    {99.96, 3, "100"}, {999.7, 3, "1000"},
                {1438.4, 3, "1438"}, {7.25, 2, "7.2"}, {120, 2, "120"},   {2e6, 2, "2000000"}};
    char text[CT_NUMBER_TEXT];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(ct_rounded_format(rows[i].number, rows[i].digits, text), rows[i].text);
}

static void test_whole(void **state)
{
    (void)state;
    size_t number = 7;
    assert_int_equal(ct_whole_parse("0", 10, &number), CT_OK);
    assert_int_equal(number, 0);
    assert_int_equal(ct_whole_parse("18446744073709551615", SIZE_MAX, &number), CT_OK);
    assert_true(number == SIZE_MAX);
    number = 7;
    assert_int_equal(ct_whole_parse("18446744073709551616", SIZE_MAX, &number), CT_E_LIMIT);
    assert_int_equal(ct_whole_parse("11", 10, &number), CT_E_LIMIT);
    static const char *const wrong[] = {"", "-1", "+1", " 1", "1 ", "1K", "0x1", "1.0"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(ct_whole_parse(wrong[i], 10, &number), CT_E_INPUT);
    assert_int_equal(number, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_format),
        cmocka_unit_test(test_parse_refuses),
        cmocka_unit_test(test_rounded),
        cmocka_unit_test(test_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
