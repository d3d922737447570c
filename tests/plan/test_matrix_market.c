/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pattern.h"
#include "plan/row_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define BANNER "%%MatrixMarket matrix coordinate "

static int parse(const char *text, struct ct_error *error, struct ct_matrix *ret_matrix)
{
    return ct_matrix_parse(text, strlen(text), "m.mtx", &ct_matrix_limits, error, ret_matrix);
}

static struct ct_matrix matrix_of(const char *text)
{
    struct ct_error error = {{0}};
    struct ct_matrix matrix;
    if (parse(text, &error, &matrix) != CT_OK)
        fail_msg("%s", error.text);
    return matrix;
}

static double value_at(const struct ct_matrix *matrix, int row, int column)
{
    for (size_t i = matrix->begins[row]; i < matrix->begins[row + 1]; i++)
        if (matrix->column_of[i] == column)
            return matrix->values[i];
    return 0;
}

static void test_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t rows, columns, entries;
        double below, above; /* the diagonal: entries (2, 1) and (1, 2) */
    } rows[] = {
        {BANNER "real general\n% a comment\n\n2 3 2\n2 1 -1.5e1\n1 3 7\n", 2, 3, 2, -15, 0},
        {BANNER "Real Symmetric\r\n2 2 2\r\n2 1 .5\r\n2 2 1.\r\n", 2, 2, 3, 0.5, 0.5},
        {BANNER "integer skew-symmetric\n2 2 1\n2 1 -4\n", 2, 2, 2, -4, 4},
        {BANNER "pattern general\n  3 2 3\n\t2 1\n1 2\n3 1\n", 3, 2, 3, 1, 1},
        {BANNER "pattern symmetric\n3 3 0\n", 3, 3, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ct_matrix matrix = matrix_of(rows[i].text);
        assert_int_equal(matrix.rows, rows[i].rows);
        assert_int_equal(matrix.columns, rows[i].columns);
        assert_int_equal(ct_matrix_entries(&matrix), rows[i].entries);
        assert_true(value_at(&matrix, 1, 0) == rows[i].below);
        assert_true(value_at(&matrix, 0, 1) == rows[i].above);
        ct_matrix_free(&matrix);
    }
}

static void test_broken_files(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *error;
    } rows[] = {
        {"", "m.mtx:1: the file is empty"},
        {"1 1 1\n1 1 1\n", "m.mtx:1: not a Matrix Market file"},
        {"%%MatrixMarket matrix array real general\n1 1\n1\n", "m.mtx:1: form 'array'; expected coordinate"},
        {BANNER "complex general\n1 1 1\n1 1 1 1\n", "m.mtx:1: complex matrix; expected"},
        {BANNER "real hermitian\n1 1 1\n1 1 1\n", "m.mtx:1: hermitian matrix; expected"},
        {BANNER "real general\n", "m.mtx:1: expected the numbers of rows"},
        {BANNER "real general\n2 2\n", "m.mtx:2: expected the numbers of rows"},
        {BANNER "real general\n0 2 0\n", "m.mtx:2: rows 0; expected a whole number from 1"},
        {BANNER "real general\n99999999999999999999 2 0\n", "m.mtx:2: rows 99999999999999999999; expected"},
        {BANNER "real general\n2 2 9999999999999\n", "m.mtx:2: entries 9999999999999; expected"},
        {BANNER "real general\n2 2 6\n", "m.mtx:2: 6 entries; expected at most 2 x 2"},
        {BANNER "real symmetric\n2 3 1\n", "m.mtx:2: 2 rows and 3 columns; expected a square"},
        {BANNER "real general\n2 2 2\n1 1 1\n", "m.mtx:3: the file ends after 1 of 2 entries"},
        {BANNER "real general\n2 2 1\n1 1 1\n2 2 1\n", "m.mtx:4: more than 1 entries"},
        {BANNER "real general\n2 2 1\n1 1 1", "m.mtx:3: the line does not end in a newline"},
        {BANNER "real general\n2 2 1\n1 1\n", "m.mtx:3: expected an entry: row, column and value"},
        {BANNER "pattern general\n2 2 1\n1 1 1\n", "m.mtx:3: expected an entry: row, column"},
        {BANNER "real general\n2 2 1\n3 1 1\n", "m.mtx:3: row 3; expected a whole number from 1 to 2"},
        {BANNER "real general\n2 2 1\n1 0 1\n", "m.mtx:3: column 0; expected"},
        {BANNER "real general\n2 2 1\n1 -1 1\n", "m.mtx:3: column -1; expected"},
        {BANNER "real general\n2 2 1\n1 1 nan\n", "m.mtx:3: value nan; expected a number"},
        {BANNER "real general\n2 2 1\n1 1 1e999\n", "m.mtx:3: value 1e999; expected a number"},
        {BANNER "real general\n2 2 1\n1 1 0x1p3\n", "m.mtx:3: value 0x1p3; expected a number"},
        {BANNER "integer general\n2 2 1\n1 1 1.5\n", "m.mtx:3: value 1.5; expected a whole number"},
        {BANNER "real symmetric\n2 2 1\n1 2 1\n", "m.mtx:3: row 1, column 2; expected entries below"},
        {BANNER "real skew-symmetric\n2 2 1\n1 1 1\n", "m.mtx:3: row 1, column 1; expected entries below"},
        {BANNER "real general\n2 2 2\n1 2 1\n1 2 3\n", "m.mtx: row 1, column 2: the entry is there twice"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ct_error error = {{0}};
        struct ct_matrix matrix = {.rows = 77};
        if (parse(rows[i].text, &error, &matrix) != CT_E_INPUT)
            fail_msg("taken for a matrix: %s", rows[i].text);
        if (!strstr(error.text, rows[i].error))
            fail_msg("expected '%s', not '%s'", rows[i].error, error.text);
        assert_int_equal(matrix.rows, 77);
    }
    struct ct_error error = {{0}};
    struct ct_matrix matrix;
    static const char zero[] = BANNER "real general\n2 2 1\n1 \0 1 1\n";
    assert_int_equal(ct_matrix_parse(zero, sizeof zero - 1, "m.mtx", &ct_matrix_limits, &error, &matrix),
                     CT_E_INPUT);
    assert_non_null(strstr(error.text, "m.mtx:3: the line has a zero byte"));
}

/* Rows and columns 0-1 | 2-3 | 4: part 0 needs elements 3 and 4, part 1 nothing, part 2 elements 0 and 1. */
static const char small[] = BANNER "pattern general\n5 5 9\n1 1\n1 4\n2 4\n2 5\n3 3\n4 3\n5 1\n5 2\n5 5\n";

static void test_edges(void **state)
{
    (void)state;
    static const struct ct_edge expected[] = {{1, 0, 1}, {2, 0, 1}, {0, 2, 2}};
    struct ct_matrix matrix = matrix_of(small);
    struct ct_error error = {{0}};
    struct ct_row_parts parts;
    struct ct_edge *edges;
    size_t count;
    assert_int_equal(ct_row_parts_make(&matrix, "rows", 3, &error, &parts), CT_OK);
    static const int blocks[] = {0, 0, 1, 1, 2};
    assert_memory_equal(parts.of_row, blocks, sizeof blocks);
    assert_memory_equal(parts.of_column, blocks, sizeof blocks);
    assert_int_equal(ct_row_parts_edges(&matrix, &parts, &edges, &count), CT_OK);
    assert_int_equal(count, 3);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(edges[i].from, expected[i].from);
        assert_int_equal(edges[i].to, expected[i].to);
        assert_int_equal(edges[i].length, expected[i].length);
    }
    free(edges);
    ct_row_parts_free(&parts);
    ct_matrix_free(&matrix);
}

/* A row of a matrix that is not square needs elements of x in blocks of their own. */
static void test_rectangular(void **state)
{
    (void)state;
    struct ct_matrix matrix = matrix_of(BANNER "pattern general\n2 4 3\n1 2\n1 4\n2 1\n");
    struct ct_error error = {{0}};
    struct ct_row_parts parts;
    static const int columns[] = {0, 0, 1, 1};
    assert_int_equal(ct_row_parts_make(&matrix, "rows", 2, &error, &parts), CT_OK);
    assert_memory_equal(parts.of_column, columns, sizeof columns);
    ct_row_parts_free(&parts);
    assert_int_equal(ct_row_parts_make(&matrix, "metis", 2, &error, &parts), CT_E_INPUT);
    assert_non_null(strstr(error.text, "expected a square matrix"));
    ct_matrix_free(&matrix);
}

/* A band of 64 rows: every way gives each part rows, blocks rise, and METIS cuts about as little. */
static void test_ways(void **state)
{
    (void)state;
    enum { ROWS = 64 };
    static const char *const ways[] = {"rows", "entries", "metis"};
    struct ct_matrix_entry entries[3 * ROWS];
    struct ct_matrix matrix;
    size_t count = 0;
    for (int row = 0; row < ROWS; row++)
        for (int column = row > 0 ? row - 1 : 0; column <= row + 1 && column < ROWS; column++)
            entries[count++] = (struct ct_matrix_entry){row, column, 1};
    assert_int_equal(ct_matrix_make(ROWS, ROWS, entries, count, NULL, &matrix), CT_OK);
    for (size_t way = 0; way < sizeof ways / sizeof ways[0]; way++)
        for (int size = 1; size <= ROWS; size *= 4) {
            struct ct_error error = {{0}};
            struct ct_row_parts parts;
            struct ct_edge *edges;
            size_t rows[ROWS] = {0};
            int status = ct_row_parts_make(&matrix, ways[way], size, &error, &parts);
            if (status == CT_E_INPUT && strstr(error.text, "built without METIS"))
                continue;
            if (status != CT_OK)
                fail_msg("%s", error.text);
            for (int row = 0; row < ROWS; row++) {
                assert_in_range(parts.of_row[row], 0, size - 1);
                assert_true(way == 2 || row == 0 || parts.of_row[row] >= parts.of_row[row - 1]);
                rows[parts.of_row[row]]++;
            }
            for (int part = 0; part < size && way < 2; part++)
                assert_true(rows[part] > 0);
            assert_int_equal(ct_row_parts_edges(&matrix, &parts, &edges, &count), CT_OK);
            if (way < 2)
                assert_int_equal(count, 2 * (size - 1));
            else if (size == 4)
                assert_in_range(count, 4, 12);
            free(edges);
            ct_row_parts_free(&parts);
        }
    struct ct_error error = {{0}};
    struct ct_row_parts parts;
    assert_int_equal(ct_row_parts_make(&matrix, "rows", ROWS + 1, &error, &parts), CT_E_INPUT);
    assert_non_null(strstr(error.text, "65 parts of 64 rows: expected at most one part for each row"));
    assert_int_equal(ct_row_parts_make(&matrix, "columns", 2, &error, &parts), CT_E_INPUT);
    assert_non_null(strstr(error.text, "unknown parts 'columns'"));
    ct_matrix_free(&matrix);
}

static void test_pattern(void **state)
{
    (void)state;
    char folder[] = "/tmp/matrix-XXXXXX", file[64], text[128];
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/a,b.mtx", folder);
    FILE *stream = fopen(file, "w");
    assert_non_null(stream);
    fputs(small, stream);
    assert_int_equal(fclose(stream), 0);
    static const struct {
        const char *prefix, *suffix;
        int size, status;
        const char *error;
    } rows[] = {
        {"matrix:", "", 3, CT_OK, NULL},
        {"matrix:", ",parts=entries", 3, CT_OK, NULL},
        {"matrix:", "", 6, CT_E_INPUT, "6 parts of 5 rows"},
        {"matrix:", ",parts=some", 3, CT_E_INPUT, "unknown parts 'some'"},
        {"matrix:", "x", 3, CT_E_SYSTEM, "a,b.mtxx: No such file"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ct_error error = {{0}};
        struct ct_edge *edges = NULL;
        size_t count = 0;
        snprintf(text, sizeof text, "%s%s%s", rows[i].prefix, file, rows[i].suffix);
        assert_int_equal(ct_pattern_edges(text, rows[i].size, &error, &edges, &count), rows[i].status);
        if (rows[i].error && !strstr(error.text, rows[i].error))
            fail_msg("%s", error.text);
        if (rows[i].status == CT_OK && i == 0) {
            ct_edges_lengthen(edges, count, 8, false);
            assert_int_equal(edges[2].length, 16);
        }
        free(edges);
    }
    unlink(file);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds), cmocka_unit_test(test_broken_files),
        cmocka_unit_test(test_edges), cmocka_unit_test(test_rectangular),
        cmocka_unit_test(test_ways),  cmocka_unit_test(test_pattern),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
