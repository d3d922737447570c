/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/matrix_market.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct ct_matrix_limits ct_matrix_limits = {.length = (size_t)1 << 27, .entries = (size_t)1 << 30};

void ct_matrix_free(struct ct_matrix *matrix)
{
    free(matrix->begins);
    free(matrix->column_of);
    free(matrix->values);
    *matrix = (struct ct_matrix){0};
}

/* Sorts entries by a number below `count`, and keeps the order of equal ones. `begins`, count + 1 zeroes,
 * becomes the first place of each number. */
static void sort_by(const struct ct_matrix_entry *entries, size_t entry_count, bool by_row, size_t *begins,
                    size_t count, struct ct_matrix_entry *ret_sorted)
{
    for (size_t i = 0; i < entry_count; i++)
        begins[(by_row ? entries[i].row : entries[i].column) + 1]++;
    for (size_t i = 0; i < count; i++)
        begins[i + 1] += begins[i];
    for (size_t i = 0; i < entry_count; i++)
        ret_sorted[begins[by_row ? entries[i].row : entries[i].column]++] = entries[i];
    memmove(begins + 1, begins, count * sizeof *begins);
    begins[0] = 0;
}

int ct_matrix_make(size_t rows, size_t columns, struct ct_matrix_entry *entries, size_t count,
                   struct ct_error *error, struct ct_matrix *ret_matrix)
{
    struct ct_matrix matrix = {.rows = rows,
                               .columns = columns,
                               .begins = ct_allocate(rows + 1, sizeof *matrix.begins),
                               .column_of = ct_allocate(count + 1, sizeof *matrix.column_of),
                               .values = ct_allocate(count + 1, sizeof *matrix.values)};
    struct ct_matrix_entry *sorted = ct_allocate(count + 1, sizeof *sorted);
    size_t *column_begins = ct_allocate(columns + 1, sizeof *column_begins);
    int status =
        matrix.begins && matrix.column_of && matrix.values && sorted && column_begins ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK) {
        sort_by(entries, count, false, column_begins, columns, sorted);
        sort_by(sorted, count, true, matrix.begins, rows, entries);
    }
    for (size_t i = 0; status == CT_OK && i < count; i++) {
        if (i > 0 && entries[i].row == entries[i - 1].row && entries[i].column == entries[i - 1].column)
            status =
                ct_fail(error, CT_E_INPUT, "row %d, column %d: the entry is there twice; expected it once",
                        entries[i].row + 1, entries[i].column + 1);
        matrix.column_of[i] = entries[i].column;
        matrix.values[i] = entries[i].value;
    }
    free(sorted);
    free(column_begins);
    if (status != CT_OK) {
        ct_matrix_free(&matrix);
        return status;
    }
    *ret_matrix = matrix;
    return CT_OK;
}

/* --- files --- */

enum { LINE_MAX_BYTES = 1024, WORDS_MAX = 6 };

enum field { FIELD_REAL, FIELD_INTEGER, FIELD_PATTERN, FIELDS };
static const char *const field_names[FIELDS] = {"real", "integer", "pattern"};

enum symmetry { SYMMETRY_GENERAL, SYMMETRY_SYMMETRIC, SYMMETRY_SKEW, SYMMETRIES };
static const char *const symmetry_names[SYMMETRIES] = {"general", "symmetric", "skew-symmetric"};

struct reader {
    const char *at, *end;
    const char *file;
    size_t line; /* number of the line read last, from 1 */
    const struct ct_matrix_limits *limits;
    struct ct_error *error;
    char text[LINE_MAX_BYTES + 1]; /* of that line */
    char *words[WORDS_MAX];
    size_t word_count; /* WORDS_MAX: or more */

    size_t rows, columns, said; /* entries, as the file says */
    enum field field;
    enum symmetry symmetry;
    struct ct_matrix_entry *entries;
    size_t count, capacity;
};

static int fail(const struct reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int fail(const struct reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int status = ct_fail_at(reader->error, reader->file, reader->line, format, arguments);
    va_end(arguments);
    return status;
}

/* Copies the next line, without its newline; *ret_found is false at the end. */
static int read_line(struct reader *reader, bool *ret_found)
{
    *ret_found = reader->at < reader->end;
    if (!*ret_found)
        return CT_OK;
    reader->line++;
    const size_t rest = (size_t)(reader->end - reader->at);
    const char *newline = memchr(reader->at, '\n', rest);
    size_t length = newline ? (size_t)(newline - reader->at) : rest;
    if (!newline)
        return fail(reader, "the line does not end in a newline; expected a file that is not torn");
    if (length > LINE_MAX_BYTES)
        return fail(reader, "the line has %zu bytes; expected at most %d", length, LINE_MAX_BYTES);
    if (memchr(reader->at, '\0', length))
        return fail(reader, "the line has a zero byte; expected text");
    memcpy(reader->text, reader->at, length);
    if (length > 0 && reader->text[length - 1] == '\r')
        length--;
    reader->text[length] = '\0';
    reader->at = newline + 1;
    return CT_OK;
}

static void split(struct reader *reader)
{
    char *rest = reader->text;
    reader->word_count = 0;
    while (reader->word_count < WORDS_MAX) {
        rest += strspn(rest, " \t");
        if (!*rest)
            return;
        reader->words[reader->word_count++] = rest;
        rest += strcspn(rest, " \t");
        if (*rest)
            *rest++ = '\0';
    }
}

/* The next line that is neither a comment nor blank, in words. */
static int read_words(struct reader *reader, bool *ret_found)
{
    int status;
    do {
        status = read_line(reader, ret_found);
        if (status != CT_OK || !*ret_found)
            return status;
        reader->word_count = 0;
        if (reader->text[0] != '%')
            split(reader);
    } while (reader->word_count == 0);
    return CT_OK;
}

static int read_choice(const struct reader *reader, const char *word, const char *const *names, int count,
                       const char *what, int *ret_choice)
{
    for (int i = 0; i < count; i++)
        if (strcasecmp(word, names[i]) == 0) {
            *ret_choice = i;
            return CT_OK;
        }
    return fail(reader, "%s matrix; expected %s: %s, %s or %s", word, what, names[0], names[1], names[2]);
}

/* The first line: `%%MatrixMarket matrix coordinate FIELD SYMMETRY`. */
static int read_banner(struct reader *reader)
{
    bool is_found;
    int field = 0, symmetry = 0, status = read_line(reader, &is_found);
    if (status != CT_OK)
        return status;
    if (!is_found) {
        reader->line = 1;
        return fail(reader, "the file is empty; expected %%%%MatrixMarket matrix coordinate ...");
    }
    split(reader);
    if (reader->word_count != 5 || strcmp(reader->words[0], "%%MatrixMarket") != 0 ||
        strcasecmp(reader->words[1], "matrix") != 0)
        return fail(reader, "not a Matrix Market file; expected %%%%MatrixMarket matrix coordinate ...");
    if (strcasecmp(reader->words[2], "coordinate") != 0)
        return fail(reader, "form '%s'; expected coordinate, a sparse matrix", reader->words[2]);
    status = read_choice(reader, reader->words[3], field_names, FIELDS, "entries of the kind", &field);
    if (status == CT_OK)
        status = read_choice(reader, reader->words[4], symmetry_names, SYMMETRIES, "the symmetry", &symmetry);
    reader->field = (enum field)field;
    reader->symmetry = (enum symmetry)symmetry;
    return status;
}

static int read_whole(const struct reader *reader, size_t word, const char *what, size_t least, size_t most,
                      size_t *ret_number)
{
    size_t number = 0;
    int status = ct_whole_parse(reader->words[word], most, &number);
    if (status != CT_OK || number < least)
        return fail(reader, "%s %s; expected a whole number from %zu to %zu", what, reader->words[word],
                    least, most);
    *ret_number = number;
    return CT_OK;
}

/* The line ROWS COLUMNS ENTRIES. */
static int read_size(struct reader *reader)
{
    const struct ct_matrix_limits *limits = reader->limits;
    bool is_found;
    int status = read_words(reader, &is_found);
    if (status != CT_OK)
        return status;
    if (!is_found || reader->word_count != 3)
        return fail(reader, "expected the numbers of rows, columns and entries");
    status = read_whole(reader, 0, "rows", 1, limits->length, &reader->rows);
    if (status == CT_OK)
        status = read_whole(reader, 1, "columns", 1, limits->length, &reader->columns);
    if (status == CT_OK)
        status = read_whole(reader, 2, "entries", 0, limits->entries, &reader->said);
    if (status != CT_OK)
        return status;
    if (reader->said / reader->rows > reader->columns)
        return fail(reader, "%zu entries; expected at most %zu x %zu", reader->said, reader->rows,
                    reader->columns);
    if (reader->symmetry != SYMMETRY_GENERAL && reader->rows != reader->columns)
        return fail(reader, "%zu rows and %zu columns; expected a square matrix, since it is %s",
                    reader->rows, reader->columns, symmetry_names[reader->symmetry]);
    return CT_OK;
}

static int read_value(const struct reader *reader, double *ret_value)
{
    *ret_value = 1;
    if (reader->field == FIELD_PATTERN)
        return CT_OK;
    const bool is_whole = reader->field == FIELD_INTEGER;
    const char *word = reader->words[2], *letters = is_whole ? "+-0123456789" : "+-.0123456789eE";
    char *end;
    double value = strtod(word, &end); /* of these letters it accepts decimals alone */
    if (strspn(word, letters) != strlen(word) || end == word || *end || !isfinite(value))
        return fail(reader, "value %s; expected %s", word, is_whole ? "a whole number" : "a number");
    *ret_value = value;
    return CT_OK;
}

static int add(struct reader *reader, size_t row, size_t column, double value)
{
    int status = ct_grow(&reader->entries, &reader->capacity, reader->count + 1, sizeof *reader->entries);
    if (status == CT_OK)
        reader->entries[reader->count++] = (struct ct_matrix_entry){(int)row, (int)column, value};
    return status;
}

static int read_entry(struct reader *reader)
{
    size_t row = 0, column = 0, words = reader->field == FIELD_PATTERN ? 2 : 3;
    double value = 0;
    if (reader->word_count != words)
        return fail(reader, "expected an entry: row, column%s", words == 3 ? " and value" : "");
    int status = read_whole(reader, 0, "row", 1, reader->rows, &row);
    if (status == CT_OK)
        status = read_whole(reader, 1, "column", 1, reader->columns, &column);
    if (status == CT_OK)
        status = read_value(reader, &value);
    if (status != CT_OK)
        return status;
    bool is_skew = reader->symmetry == SYMMETRY_SKEW;
    if (reader->symmetry != SYMMETRY_GENERAL && (column > row || (is_skew && column == row)))
        return fail(reader, "row %zu, column %zu; expected entries below the diagonal, since it is %s", row,
                    column, symmetry_names[reader->symmetry]);
    status = add(reader, row - 1, column - 1, value);
    if (status == CT_OK && reader->symmetry != SYMMETRY_GENERAL && row != column)
        status = add(reader, column - 1, row - 1, is_skew ? -value : value);
    return status;
}

static int read_entries(struct reader *reader)
{
    size_t found = 0;
    bool is_found = true;
    int status;
    while ((status = read_words(reader, &is_found)) == CT_OK && is_found) {
        if (found++ == reader->said)
            return fail(reader, "more than %zu entries; expected as many as the file says", reader->said);
        status = read_entry(reader);
        if (status != CT_OK)
            return status;
    }
    if (status == CT_OK && found < reader->said)
        return fail(reader, "the file ends after %zu of %zu entries; expected all", found, reader->said);
    return status;
}

int ct_matrix_parse(const char *text, size_t length, const char *file, const struct ct_matrix_limits *limits,
                    struct ct_error *error, struct ct_matrix *ret_matrix)
{
    struct reader reader = {.at = text, .end = text + length, .file = file, .limits = limits, .error = error};
    int status = read_banner(&reader);
    if (status == CT_OK)
        status = read_size(&reader);
    if (status == CT_OK)
        status = read_entries(&reader);
    if (status == CT_OK) {
        status = ct_matrix_make(reader.rows, reader.columns, reader.entries, reader.count, error, ret_matrix);
        status = status == CT_E_INPUT ? ct_fail_in(error, status, file) : status;
    }
    free(reader.entries);
    return status;
}

int ct_matrix_read(const char *file, struct ct_error *error, struct ct_matrix *ret_matrix)
{
    char *text;
    size_t length;
    int status = ct_lines_read(file, error, &text, &length);
    if (status != CT_OK)
        return status;
    status = ct_matrix_parse(text, length, file, &ct_matrix_limits, error, ret_matrix);
    free(text);
    return status;
}
