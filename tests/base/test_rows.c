/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const columns[] = {"name", "count", "seconds"};

/* Reads header and rows of a text; the last status, with its line in `error`. */
static int read_all(const char *text, size_t length, struct ct_error *error, size_t *ret_rows, bool *ret_torn)
{
    struct ct_rows rows = {.name = "t", .columns = columns, .column_count = 3, .error = error};
    size_t count = 0, number;
    double seconds;
    bool found = true;
    int status = ct_rows_begin_text(&rows, text, length);
    if (status == CT_OK)
        status = ct_rows_header(&rows);
    while (status == CT_OK && (status = ct_rows_next(&rows, &found)) == CT_OK && found) {
        count++;
        status = ct_rows_whole(&rows, 1, 1, 9, &number);
        if (status == CT_OK)
            status = ct_rows_number(&rows, 2, &seconds);
    }
    *ret_torn = rows.torn;
    *ret_rows = count;
    ct_rows_close(&rows);
    return status;
}

#define HEADER "name,count,seconds\n"

static void test_whole(void **state)
{
    (void)state;
    static const char text[] = HEADER "a,1,0.5\n\"b, \"\"c\"\"\",9,1e-3\n d ,2,3\n";
    struct ct_rows rows = {.name = "t", .columns = columns, .column_count = 3};
    bool found;
    assert_int_equal(ct_rows_begin_text(&rows, text, strlen(text)), CT_OK);
    assert_int_equal(ct_rows_header(&rows), CT_OK);
    static const char *const names[] = {"a", "b, \"c\"", " d "};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(ct_rows_next(&rows, &found), CT_OK);
        assert_true(found);
        assert_string_equal(rows.fields[0], names[i]);
    }
    assert_int_equal(ct_rows_next(&rows, &found), CT_OK);
    assert_false(found);
    assert_false(rows.torn);
    assert_int_equal(rows.whole_length, strlen(text));
    ct_rows_close(&rows);
}

static void test_flaws(void **state)
{
    (void)state;
    static const struct {
        const char *text, *line;
    } flaws[] = {
        {"", "t:1: the file is empty: expected the header 'name,count,seconds'"},
        {"name,count\n", "t:1: wrong header: expected 'name,count,seconds'"},
        {"name,count,seconds", "t:1: wrong header: expected 'name,count,seconds'"},
        {HEADER "a,1\n", "t:2: 2 fields: expected 3, which are name,count,seconds"},
        {HEADER "a,1,2,3\n", "t:2: 4 fields: expected 3, which are name,count,seconds"},
        {HEADER "\n", "t:2: an empty line: expected a row of 3 fields"},
        {HEADER "a,1,2\r\n",
         "t:2: a carriage return or a zero byte: expected lines that end in a newline alone"},
        {"name,count,seconds\ra,1,2\r",
         "t: the lines end in a carriage return alone, as on old Macs: expected "
         "newlines (tr '\\r' '\\n' makes them)"},
        {HEADER "a\"b,1,2\n", "t:2: misplaced quotation mark"},
        {HEADER "\"a,1,2\n", "t:2: a quoted field does not end in this line"},
        {HEADER "a,0,2\n", "t:2: count '0': expected a whole number from 1"},
        {HEADER "a,10,2\n", "t:2: count '10': expected a whole number from 1 that is not so large"},
        {HEADER "a,1,2\nb,1,inf\n", "t:3: seconds 'inf': expected a decimal number"},
    };
    for (size_t i = 0; i < sizeof flaws / sizeof flaws[0]; i++) {
        struct ct_error error = {""};
        size_t rows;
        bool torn;
        assert_int_equal(read_all(flaws[i].text, strlen(flaws[i].text), &error, &rows, &torn), CT_E_INPUT);
        assert_string_equal(error.text, flaws[i].line);
    }
}

static void test_zero_byte_and_torn(void **state)
{
    (void)state;
    static const char zero[] = HEADER "a\0,1,2\n", torn_text[] = HEADER "a,1,2\nb,1,";
    struct ct_error error = {""};
    size_t rows;
    bool torn;
    assert_int_equal(read_all(zero, sizeof zero - 1, &error, &rows, &torn), CT_E_INPUT);
    assert_int_equal(read_all(torn_text, strlen(torn_text), &error, &rows, &torn), CT_OK);
    assert_int_equal(rows, 1);
    assert_true(torn);
}

static void test_long_line(void **state)
{
    (void)state;
    enum { LENGTH = 70000 };
    char *text = malloc(LENGTH + 1);
    assert_non_null(text);
    memset(text, 'x', LENGTH);
    memcpy(text, HEADER, strlen(HEADER));
    text[LENGTH - 1] = '\n';
    struct ct_error error = {""};
    size_t rows;
    bool torn;
    assert_int_equal(read_all(text, LENGTH, &error, &rows, &torn), CT_E_INPUT);
    assert_string_equal(error.text, "t:2: the line is longer than 65536 characters");
    free(text);
}

static void count_report(void *context, const struct ct_progress *progress)
{
    size_t *reports = context;
    const double expected = *reports == 0 ? 0.4096 : 0.8192; /* all lines are of one length */
    assert_string_equal(progress->what, "reading");
    assert_true(progress->share > expected - 1e-9 && progress->share < expected + 1e-9);
    ++*reports;
}

/* Who watches is told every 4096 lines how far the file is read. */
static void test_progress(void **state)
{
    (void)state;
    size_t reports = 0;
    const struct ct_watch watch = {.progress = count_report, .context = &reports};
    struct ct_error error = {""};
    struct ct_rows rows = {.name = "t", .error = &error, .watch = &watch};
    FILE *file = tmpfile();
    bool found = true;
    for (int i = 0; i < 10000; i++)
        fputs("a,1,2.5\n", file);
    rewind(file);
    assert_int_equal(ct_rows_begin(&rows, file), CT_OK);
    while (found)
        assert_int_equal(ct_rows_next(&rows, &found), CT_OK);
    assert_int_equal(rows.line, 10000);
    assert_int_equal(reports, 2);
    ct_rows_close(&rows);
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_whole), cmocka_unit_test(test_flaws),
                                       cmocka_unit_test(test_zero_byte_and_torn),
                                       cmocka_unit_test(test_long_line), cmocka_unit_test(test_progress)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
