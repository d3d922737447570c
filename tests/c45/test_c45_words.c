/* SPDX-License-Identifier: BSD-3-Clause */
#include "c45/c45_files.h"

#include <stdio.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* The names of a text in brackets, each with what ended it; N is a newline, E the end. */
static void assert_names(const char *text, const char *expected)
{
    struct ct_c45_reader reader;
    char names[256] = "";
    bool found;
    ct_c45_reader_begin(&reader, text, strlen(text));
    while (ct_c45_reader_next(&reader, &found) == CT_OK && found) {
        int end = reader.delimiter == '\n' ? 'N' : reader.delimiter == EOF ? 'E' : reader.delimiter;
        size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "[%s]%c", reader.name.data, end);
    }
    ct_text_free(&reader.name);
    assert_string_equal(names, expected);
}

static void test_names(void **state)
{
    (void)state;
    assert_names("", "");
    assert_names(" \t\n| nothing\n", "");
    assert_names("a, b,c:d\ne", "[a],[b],[c]:[d]N[e]E");
    assert_names("Play, Don't  Play.\n", "[Play],[Don't Play]N");

    /* periods end a name before a blank, a comment and the end; others are kept, with what follows */
    assert_names("3.5,a.,b\n", "[3.5],[a.,b]N");
    assert_names("a. b.|c\nd.", "[a] [b]N[d]E");
    assert_names("a..\nb\n", "[a..]N[b]N");

    /* a backslash takes what follows as it is */
    assert_names("a\\,b\\:c\\|d\\.e\\\\,f\n", "[a,b:c|d.e\\],[f]N");
    assert_names("a.\\,b\n", "[a.,b]N");
    assert_names("a\\", "[a]E");

    /* comments and blanks behind a name */
    assert_names("a |b, c\nd\t \n", "[a]N[d]N");
    assert_names("a,, b", "[a],[],[b]E");
}

/* Lines are counted for error messages. */
static void test_lines(void **state)
{
    struct ct_c45_reader reader;
    bool found;
    const char *text = "a,\n\n| b\n c\nd";
    (void)state;
    ct_c45_reader_begin(&reader, text, strlen(text));
    const size_t lines[] = {1, 4, 5};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(ct_c45_reader_next(&reader, &found), CT_OK);
        assert_int_equal(reader.name_line, lines[i]);
    }
    ct_text_free(&reader.name);
    ct_c45_reader_begin(&reader, "a\0b", 3);
    assert_int_equal(ct_c45_reader_next(&reader, &found), CT_E_INPUT);
    ct_text_free(&reader.name);
    ct_c45_reader_begin(&reader, "a\\\nb", 4);
    assert_int_equal(ct_c45_reader_next(&reader, &found), CT_E_INPUT);
    ct_text_free(&reader.name);
}

/* Many words are found again, and no others. */
static void test_many(void **state)
{
    struct ct_text text = {0};
    struct ct_c45_names names;
    struct ct_error error = {""};
    enum { WORDS = 3000 };
    char word[16];
    (void)state;
    for (int i = 0; i < WORDS; i++)
        ct_text_append(&text, "%sw%d", i ? "," : "", i);
    ct_text_append(&text, ".\nx: continuous.\n");
    assert_int_equal(ct_c45_names_parse(text.data, text.length, "names", &error, &names), CT_OK);
    for (int i = 0; i < WORDS; i++) {
        int length = snprintf(word, sizeof word, "w%d", i);
        assert_int_equal(ct_c45_words_find(&names.classes, word, (size_t)length), i);
    }
    assert_true(ct_c45_words_find(&names.classes, "w3000", 5) == SIZE_MAX);
    assert_true(ct_c45_words_find(&names.classes, "w29990", 6) == SIZE_MAX);
    assert_int_equal(ct_c45_words_find(&names.classes, "w29990", 5), 2999);
    ct_c45_names_free(&names);
    ct_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
