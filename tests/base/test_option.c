/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/option.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct settings {
    bool flag;
    const char *text;
    size_t whole, size;
    double number, percent, time;
    int colour;
    unsigned colours;
    char other;
    struct ct_texts texts;
};

static const char *colour(size_t index)
{
    static const char *const names[] = {"red", "green", "blue"};
    return index < 3 ? names[index] : NULL;
}

static int read_other(const struct ct_option *option, const char *word, void *settings,
                      struct ct_error *error)
{
    if (strlen(word) != 1)
        return ct_fail(error, CT_E_INPUT, "--%s '%s': expected one character", option->name, word);
    ((struct settings *)settings)->other = *word;
    return CT_OK;
}

#define AT(member) .offset = offsetof(struct settings, member)
static const struct ct_option options[] = {
    {"flag", 'f', NULL, CT_OPTION_FLAG, AT(flag), .text = "does something"},
    {"text", 0, "WORD", CT_OPTION_TEXT, AT(text), .text = "says something"},
    {"whole", 0, "N", CT_OPTION_WHOLE, AT(whole), .least = 1, .most = 10, .usual = "2", .text = "counts"},
    {"size", 0, "SIZE", CT_OPTION_SIZE, AT(size), .least = 1, .most = 1 << 20, .usual = "8K",
     .text = "measures"},
    {"number", 0, "X", CT_OPTION_NUMBER, AT(number), .above = true, .usual = "0.5", .text = "weighs"},
    {"percent", 0, "P", CT_OPTION_PERCENT, AT(percent), .most = 100, .usual = "5", .text = "shares"},
    {"time", 0, "TIME", CT_OPTION_TIME, AT(time), .usual = "30", .text = "waits"},
    {"colour", 0, "NAME", CT_OPTION_CHOICE, AT(colour), .choice = colour, .text = "paints"},
    {"colours", 0, "LIST", CT_OPTION_CHOICES, AT(colours), .choice = colour, .text = "mixes"},
    CT_HEADING("further ones"),
    {"texts", 0, "WORD", CT_OPTION_TEXTS, AT(texts), .usual_text = "none", .text = "repeats"},
    {"other", 0, "C", CT_OPTION_OTHER, .read = read_other, .text = "does what it likes"},
    {0},
};

static int give(struct settings *settings, const char *name, const char *word, struct ct_error *error)
{
    return ct_option_read(ct_option_find(options, name), word, settings, error);
}

/* One setting gets its default again, and its neighbours keep their values. */
static void test_one_default(void **state)
{
    (void)state;
    struct settings settings = {0};
    const char *const given[][2] = {{"flag", NULL}, {"text", "hi"},     {"whole", "3"},
                                    {"time", "1m"}, {"colour", "blue"}, {"colours", "red,blue"}};
    ct_options_default(options, &settings);
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
        assert_int_equal(give(&settings, given[i][0], given[i][1], NULL), CT_OK);
    ct_option_default(ct_option_find(options, "text"), &settings);
    assert_null(settings.text);
    assert_true(settings.flag);
    assert_int_equal(settings.whole, 3);
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
        ct_option_default(ct_option_find(options, given[i][0]), &settings);
    assert_false(settings.flag);
    assert_int_equal(settings.whole, 2);
    assert_true(settings.time == 30);
    assert_int_equal(settings.colour, 0);
    assert_int_equal(settings.colours, 0);
}

static void test_defaults(void **state)
{
    (void)state;
    struct settings settings = {0};
    ct_options_default(options, &settings);
    assert_false(settings.flag);
    assert_int_equal(settings.whole, 2);
    assert_int_equal(settings.size, 8192);
    assert_true(settings.number == 0.5 && settings.percent == 0.05 && settings.time == 30);
    struct ct_text text = {0};
    ct_options_spell(options, &settings, &text);
    assert_int_equal(text.length, 0);
    assert_null(ct_option_find(options, "nothing"));
}

static void test_values(void **state)
{
    (void)state;
    struct settings settings = {0};
    ct_options_default(options, &settings);
    static const char *const given[][2] = {
        {"flag", NULL},   {"text", "hello"}, {"whole", "10"},    {"size", "1M"},          {"number", "2.5"},
        {"percent", "7"}, {"time", "1.5h"},  {"colour", "blue"}, {"colours", "blue,red"}, {"other", "x"}};
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
        assert_int_equal(give(&settings, given[i][0], given[i][1], NULL), CT_OK);
    assert_true(settings.time == 5400 && settings.colour == 2 && settings.other == 'x');
    assert_int_equal(settings.colours, 1U << 0 | 1U << 2);
    struct ct_text text = {0};
    ct_options_spell(options, &settings, &text);
    assert_string_equal(text.data,
                        " flag text=hello whole=10 size=1M number=2.5 percent=7 time=5400 colour=blue"
                        " colours=red,blue");
    ct_text_free(&text);
}

static void test_repeated(void **state)
{
    (void)state;
    struct settings settings = {0};
    assert_int_equal(give(&settings, "texts", "one", NULL), CT_OK);
    assert_int_equal(give(&settings, "texts", "two", NULL), CT_OK);
    assert_int_equal(give(&settings, "time", "20us", NULL), CT_OK);
    assert_true(settings.time == 2e-05);
    assert_int_equal(give(&settings, "time", "2.5ms", NULL), CT_OK);
    assert_true(settings.time == 0.0025);
    assert_int_equal(settings.texts.count, 2);
    assert_string_equal(settings.texts.words[1], "two");
    ct_options_free(options, &settings);
    assert_int_equal(settings.texts.count, 0);
}

/* Nothing of a wrong word is taken, and the line says what was expected. */
static void test_wrong_words(void **state)
{
    (void)state;
    static const char *const wrong[][3] = {
        {"whole", "0", "--whole '0': expected a whole number from 1 to 10"},
        {"whole", "11", "--whole '11': expected a whole number from 1 to 10"},
        {"whole", "x", "--whole 'x': expected a whole number from 1 to 10"},
        {"size", "0", "--size '0': expected a size such as 8K from 1 to 1M"},
        {"number", "0", "--number '0': expected a number above 0"},
        {"number", "nan", "--number 'nan': expected a number above 0"},
        {"percent", "101", "--percent '101': expected a number of percent from 0 to 100"},
        {"time", "0", "--time '0': expected a time such as 50us, 0.3s, 10m or 1.5h"},
        {"time", "5ns", "--time '5ns': expected a time such as 50us, 0.3s, 10m or 1.5h"},
        {"time", "5d", "--time '5d': expected a time such as 50us, 0.3s, 10m or 1.5h"},
        {"colour", "pink", "--colour 'pink': expected red, green or blue"},
        {"colours", "pink", "--colours 'pink': expected red, green or blue, or several of these with commas"},
        {"colours", "red,", "--colours 'red,': expected red, green or blue, or several of these with commas"},
        {"colours", "red,red",
         "--colours 'red,red': expected red, green or blue, or several of these with commas"},
        {"colours", "", "--colours '': expected red, green or blue, or several of these with commas"},
        {"colour", "gren", "--colour 'gren': did you mean 'green'? expected red, green or blue"},
        {"other", "xx", "--other 'xx': expected one character"},
    };
    struct settings settings = {0}, before;
    ct_options_default(options, &settings);
    before = settings;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct ct_error error = {""};
        assert_int_equal(give(&settings, wrong[i][0], wrong[i][1], &error), CT_E_INPUT);
        assert_string_equal(error.text, wrong[i][2]);
        assert_memory_equal(&settings, &before, sizeof settings);
    }
}

static void test_help(void **state)
{
    (void)state;
    struct ct_text text = {0};
    ct_option_help(ct_option_find(options, "whole"), &text);
    ct_text_append(&text, "; ");
    ct_option_help(ct_option_find(options, "colour"), &text);
    ct_text_append(&text, "; ");
    ct_option_help(&(struct ct_option){.kind = CT_OPTION_CHOICE, .choice = colour, .text = "says: yes"},
                   &text);
    ct_text_append(&text, "; ");
    ct_option_help(ct_option_find(options, "texts"), &text);
    assert_string_equal(text.data, "counts (default: 2); paints: red, green or blue (default: red); "
                                   "says: yes. One of: red, green or blue (default: red); "
                                   "repeats (default: none)");
    ct_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_defaults),    cmocka_unit_test(test_one_default),
                                       cmocka_unit_test(test_values),      cmocka_unit_test(test_repeated),
                                       cmocka_unit_test(test_wrong_words), cmocka_unit_test(test_help)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
