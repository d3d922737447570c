/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/validation.h"

#include "base/file.h"
#include "base/memory.h"

#include <csv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLLECTIVE, COMM_SIZE, MSG_BYTES, METHOD, TUNED, NATIVE, FIELDS };

static const char header[] = "collective,comm_size,msg_bytes,method,tuned_seconds,native_seconds";

enum { FIELD_TEXT = CT_METHOD_TEXT };

/* One line, as libcsv hands it over. */
struct row {
    char fields[FIELDS][FIELD_TEXT];
    size_t count;
    bool too_long;
    bool ended;
};

struct reader {
    const char *name;
    size_t line;
    struct ct_error *error;
    struct ct_validation validation;
    size_t capacity;
};

static void take_field(void *field, size_t length, void *context)
{
    struct row *row = context;
    if (row->count < FIELDS) {
        if (length >= FIELD_TEXT || memchr(field, '\0', length))
            row->too_long = true;
        else
            memcpy(row->fields[row->count], field, length);
    }
    row->count++;
}

static void end_row(int character, void *context)
{
    (void)character;
    ((struct row *)context)->ended = true;
}

static int wrong(const struct reader *reader, const char *what, const char *found)
{
    return ct_fail(reader->error, CT_E_INPUT, "%s:%zu: '%.60s': expected %s", reader->name, reader->line,
                   found, what);
}

static int parse_count(const struct reader *reader, const char *word, size_t least, const char *what,
                       size_t *ret_count)
{
    size_t count = 0;
    bool good = *word && strspn(word, "0123456789") == strlen(word) && ct_size_parse(word, &count) == CT_OK;
    if (!good || count < least)
        return wrong(reader, what, word);
    *ret_count = count;
    return CT_OK;
}

static int parse_seconds(const struct reader *reader, const char *word, const char *what, double *ret_seconds)
{
    char *end;
    /* strtod alone would take blanks, signs, names and hexadecimals */
    bool plain = *word && strspn(word, "0123456789.eE+-") == strlen(word) && word[0] != '+' && word[0] != '-';
    double seconds = plain ? strtod(word, &end) : 0;
    if (!plain || *end || !isfinite(seconds) || seconds <= 0)
        return wrong(reader, what, word);
    *ret_seconds = seconds;
    return CT_OK;
}

static int parse_point(const struct reader *reader, const struct row *row,
                       struct ct_validation_point *ret_point)
{
    struct ct_validation_point point = {.collective = ct_collective_find(row->fields[COLLECTIVE])};
    if (point.collective == CT_COLLECTIVES)
        return wrong(reader, "the name of a collective", row->fields[COLLECTIVE]);
    int status =
        parse_count(reader, row->fields[COMM_SIZE], 1, "comm_size, a number from 1", &point.key.comm_size);
    if (status == CT_OK)
        status = parse_count(reader, row->fields[MSG_BYTES], 0, "msg_bytes, a number of bytes",
                             &point.key.msg_bytes);
    if (status == CT_OK && point.key.msg_bytes > 0 && !ct_collectives[point.collective].has_size)
        status =
            wrong(reader, "msg_bytes 0, for this collective has no message size", row->fields[MSG_BYTES]);
    if (status == CT_OK) {
        struct ct_error reason = {""};
        status = ct_method_parse(row->fields[METHOD], point.collective, &reason, &point.method);
        if (status != CT_OK)
            return ct_fail(reader->error, status, "%s:%zu: %s", reader->name, reader->line, reason.text);
    }
    if (status == CT_OK)
        status = parse_seconds(reader, row->fields[TUNED], "tuned_seconds, a positive number", &point.tuned);
    if (status == CT_OK)
        status =
            parse_seconds(reader, row->fields[NATIVE], "native_seconds, a positive number", &point.native);
    if (status == CT_OK)
        *ret_point = point;
    return status;
}

static int add_row(struct reader *reader, const struct row *row)
{
    char found[40];
    snprintf(found, sizeof found, "%zu fields", row->count);
    if (row->count != FIELDS)
        return wrong(reader, "6 fields", found);
    if (row->too_long)
        return ct_fail(reader->error, CT_E_INPUT, "%s:%zu: a field is too long: expected at most %d bytes",
                       reader->name, reader->line, FIELD_TEXT - 1);
    struct ct_validation_point point;
    int status = parse_point(reader, row, &point);
    size_t count = reader->validation.count;
    if (status == CT_OK)
        status = ct_grow(&reader->validation.points, &reader->capacity, count + 1, sizeof point);
    if (status != CT_OK)
        return status;
    reader->validation.points[reader->validation.count++] = point;
    return CT_OK;
}

static int compare_points(const void *left, const void *right)
{
    const struct ct_validation_point *a = left, *b = right;
    if (a->collective != b->collective)
        return a->collective < b->collective ? -1 : 1;
    if (a->key.comm_size != b->key.comm_size)
        return a->key.comm_size < b->key.comm_size ? -1 : 1;
    return (a->key.msg_bytes > b->key.msg_bytes) - (a->key.msg_bytes < b->key.msg_bytes);
}

/* Sorts; two points of the same place are an error. */
static int finish(struct reader *reader)
{
    struct ct_validation *validation = &reader->validation;
    if (validation->count == 0)
        return ct_fail(reader->error, CT_E_INPUT, "%s:%zu: no points: expected a line for each", reader->name,
                       reader->line);
    qsort(validation->points, validation->count, sizeof *validation->points, compare_points);
    for (size_t i = 1; i < validation->count; i++) {
        const struct ct_validation_point *point = &validation->points[i];
        if (compare_points(point - 1, point) == 0)
            return ct_fail(
                reader->error, CT_E_INPUT,
                "%s: %s with %zu processes and %zu bytes stands there twice: expected one line a point",
                reader->name, ct_collectives[point->collective].name, point->key.comm_size,
                point->key.msg_bytes);
    }
    return CT_OK;
}

/* Line by line, so that the number of the line is known whatever is wrong in it. */
static int read_line(struct reader *reader, struct csv_parser *parser, const char *line, size_t length)
{
    struct row row = {.count = 0};
    /* libcsv would drop blanks around a field silently */
    if (memchr(line, ' ', length) || memchr(line, '\t', length))
        return ct_fail(reader->error, CT_E_INPUT, "%s:%zu: a blank in the line: expected none", reader->name,
                       reader->line);
    if (csv_parse(parser, line, length, take_field, end_row, &row) != length)
        return ct_fail(reader->error, CT_E_INPUT,
                       "%s:%zu: not a line of CSV: expected quotes around whole fields", reader->name,
                       reader->line);
    if (!row.ended)
        return ct_fail(reader->error, CT_E_INPUT, "%s:%zu: expected a whole line with six fields and its end",
                       reader->name, reader->line);
    return add_row(reader, &row);
}

int ct_validation_parse(const char *text, size_t length, const char *name, struct ct_error *error,
                        struct ct_validation *ret_validation)
{
    struct reader reader = {.name = name, .line = 1, .error = error};
    size_t header_length = sizeof header - 1;
    size_t first = length > header_length ? header_length : 0;
    first += first && text[first] == '\r';
    if (first == 0 || memcmp(text, header, header_length) != 0 || first >= length || text[first] != '\n')
        return ct_fail(error, CT_E_INPUT, "%s:1: expected the header line %s", name, header);

    struct csv_parser parser;
    if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0)
        return CT_E_MEMORY;
    int status = CT_OK;
    for (size_t at = first + 1; status == CT_OK && at < length;) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t part = end ? (size_t)(end - text) + 1 - at : length - at;
        reader.line++;
        status = read_line(&reader, &parser, text + at, part);
        at += part;
    }
    csv_free(&parser);
    if (status == CT_OK)
        status = finish(&reader);
    if (status != CT_OK) {
        ct_validation_free(&reader.validation);
        return status;
    }
    *ret_validation = reader.validation;
    return CT_OK;
}

int ct_validation_read(const char *path, struct ct_error *error, struct ct_validation *ret_validation)
{
    char *text;
    size_t length;
    int status = ct_file_read(path, error, &text, &length);
    if (status != CT_OK)
        return status;
    status = ct_validation_parse(text, length, path, error, ret_validation);
    free(text);
    return status;
}

void ct_validation_free(struct ct_validation *validation)
{
    free(validation->points);
    *validation = (struct ct_validation){0};
}
