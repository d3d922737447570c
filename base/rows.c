/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/rows.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"

#include <assert.h>
#include <csv.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LINE_MAX_BYTES = 1 << 16 };

struct ct_rows_parser {
    struct csv_parser csv;
    FILE *file;
    bool owns_file;
    size_t whole; /* bytes of the file, as far as is known */
    char *line;
    size_t line_room;
    char *text; /* the fields, each followed by a NUL */
    size_t text_length, text_room, field_room;
    bool row_ended, failed;
};

int ct_rows_fail(const struct ct_rows *rows, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int status = ct_fail_at(rows->error, rows->name, rows->line, format, arguments);
    va_end(arguments);
    return status;
}

int ct_rows_no_memory(const struct ct_rows *rows)
{
    return ct_fail(rows->error, CT_E_MEMORY, "%s: out of memory", rows->name);
}

static int no_space(unsigned char character)
{
    (void)character;
    return 0;
}

static int only_newline(unsigned char character)
{
    return character == '\n';
}

int ct_rows_begin(struct ct_rows *rows, FILE *file)
{
    struct ct_rows_parser *parser = ct_allocate(1, sizeof *parser);
    struct stat about;
    if (!parser)
        return ct_rows_no_memory(rows);
    csv_init(&parser->csv, CSV_STRICT | CSV_STRICT_FINI);
    csv_set_space_func(&parser->csv, no_space);
    csv_set_term_func(&parser->csv, only_newline);
    if (rows->separator)
        csv_set_delim(&parser->csv, (unsigned char)rows->separator);
    parser->file = file;
    if (file && rows->watch && fstat(fileno(file), &about) == 0)
        parser->whole = (size_t)about.st_size;
    rows->parser = parser;
    return CT_OK;
}

int ct_rows_begin_text(struct ct_rows *rows, const char *text, size_t length)
{
    static char nothing;
    /* fmemopen() does not change the text */
    FILE *file = fmemopen(length > 0 ? (char *)text : &nothing, length > 0 ? length : 1, "r");
    if (file && length == 0)
        fgetc(file);
    int status = file ? ct_rows_begin(rows, file) : ct_rows_no_memory(rows);
    if (status == CT_OK)
        rows->parser->owns_file = true;
    else if (file)
        fclose(file);
    return status;
}

void ct_rows_close(struct ct_rows *rows)
{
    struct ct_rows_parser *parser = rows->parser;
    if (!parser)
        return;
    csv_free(&parser->csv);
    if (parser->owns_file)
        fclose(parser->file);
    free(parser->line);
    free(parser->text);
    free(parser);
    free(rows->fields);
    rows->parser = NULL;
    rows->fields = NULL;
}

static void tell(const struct ct_rows *rows)
{
    enum { LINES = 4096, MEGABYTE = 1000000 };
    if (rows->watch && rows->line % LINES == 0)
        ct_watch_progress(rows->watch, &(struct ct_progress){.what = "reading",
                                                             .units = "megabytes",
                                                             .done = rows->whole_length / MEGABYTE,
                                                             .total = rows->parser->whole / MEGABYTE,
                                                             .share = (double)rows->whole_length /
                                                                      (double)rows->parser->whole});
}

int ct_rows_line(struct ct_rows *rows, char **ret_line)
{
    struct ct_rows_parser *parser = rows->parser;
    assert(parser);
    ssize_t length = getline(&parser->line, &parser->line_room, parser->file);
    if (length < 0) {
        if (ferror(parser->file))
            return ct_fail(rows->error, CT_E_SYSTEM, "%s: %s", rows->name,
                           errno == EISDIR ? "is a folder: expected a file" : strerror(errno));
        *ret_line = NULL;
        return CT_OK;
    }
    rows->line++;
    rows->torn = parser->line[length - 1] != '\n';
    if (rows->torn && rows->line == 1 && memchr(parser->line, '\r', (size_t)length))
        return ct_fail(rows->error, CT_E_INPUT, CT_BARE_RETURN_TEXT, rows->name);
    if (rows->torn) {
        *ret_line = NULL;
        return CT_OK;
    }
    if (length > LINE_MAX_BYTES)
        return ct_rows_fail(rows, "the line is longer than %d characters", LINE_MAX_BYTES);
    if (memchr(parser->line, '\0', (size_t)length) || memchr(parser->line, '\r', (size_t)length))
        return ct_rows_fail(rows,
                            "a carriage return or a zero byte: expected lines that end in a newline alone");
    rows->whole_length += (size_t)length;
    parser->line[length - 1] = '\0';
    *ret_line = parser->line;
    tell(rows);
    return CT_OK;
}

/* ct_rows_split() has made room for the text of all fields: fields point into it, so it must not move. */
static void take_field(void *field, size_t length, void *context)
{
    struct ct_rows *rows = context;
    struct ct_rows_parser *parser = rows->parser;
    if (ct_grow(&rows->fields, &parser->field_room, rows->field_count + 1, sizeof *rows->fields) != CT_OK) {
        parser->failed = true;
        return;
    }
    char *copy = parser->text + parser->text_length;
    memcpy(copy, field, length);
    copy[length] = '\0';
    parser->text_length += length + 1;
    assert(parser->text_length <= parser->text_room);
    rows->fields[rows->field_count++] = copy;
}

static void take_end(int end, void *context)
{
    (void)end;
    ((struct ct_rows *)context)->parser->row_ended = true;
}

static int wrong_count(const struct ct_rows *rows)
{
    struct ct_text names = {0};
    for (size_t i = 0; i < rows->column_count; i++)
        ct_text_append(&names, "%s%s", i > 0 ? "," : "", rows->columns[i]);
    int status = ct_rows_fail(rows, "%zu field%s: expected %zu, which are %s", rows->field_count,
                              ct_s(rows->field_count), rows->column_count, names.data ? names.data : "");
    ct_text_free(&names);
    return status;
}

int ct_rows_split(struct ct_rows *rows, const char *line)
{
    struct ct_rows_parser *parser = rows->parser;
    size_t length = strlen(line);
    rows->field_count = 0;
    parser->text_length = 0;
    parser->row_ended = parser->failed = false;
    if (ct_grow(&parser->text, &parser->text_room, 2 * length + 2, 1) != CT_OK)
        return ct_rows_no_memory(rows);
    bool good = csv_parse(&parser->csv, line, length, take_field, take_end, rows) == length &&
                csv_parse(&parser->csv, "\n", 1, take_field, take_end, rows) == 1;
    if (parser->failed || (!good && csv_error(&parser->csv) == CSV_ENOMEM))
        return ct_rows_no_memory(rows);
    if (!good)
        return ct_rows_fail(rows, "misplaced quotation mark");
    if (!parser->row_ended)
        return ct_rows_fail(rows, "a quoted field does not end in this line");
    if (rows->column_count > 0 && rows->field_count != rows->column_count)
        return wrong_count(rows);
    return CT_OK;
}

int ct_rows_next(struct ct_rows *rows, bool *ret_found)
{
    char *line;
    int status = ct_rows_line(rows, &line);
    if (status != CT_OK || !line) {
        *ret_found = false;
        return status;
    }
    if (!*line)
        return ct_rows_fail(rows, "an empty line: expected a row of %zu field%s", rows->column_count,
                            ct_s(rows->column_count));
    status = ct_rows_split(rows, line);
    if (status == CT_OK)
        *ret_found = true;
    return status;
}

int ct_rows_header(struct ct_rows *rows)
{
    struct ct_text header = {0};
    char *line;
    int status = ct_rows_line(rows, &line);
    if (status != CT_OK)
        return status;
    for (size_t i = 0; i < rows->column_count; i++)
        ct_text_append(&header, "%s%s", i > 0 ? "," : "", rows->columns[i]);
    if (header.failed) {
        status = ct_rows_no_memory(rows);
    } else if (rows->line == 0) {
        rows->line = 1;
        status = ct_rows_fail(rows, "the file is empty: expected the header '%s'", header.data);
    } else if (!line || strcmp(line, header.data) != 0) {
        status = ct_rows_fail(rows, "wrong header: expected '%s'", header.data);
    }
    ct_text_free(&header);
    return status;
}

int ct_rows_whole(const struct ct_rows *rows, size_t column, size_t least, size_t most, size_t *ret_number)
{
    assert(column < rows->field_count);
    size_t number;
    int status = ct_whole_parse(rows->fields[column], most, &number);
    if (status != CT_OK || number < least)
        return ct_rows_fail(rows, "%s '%.40s': expected a whole number from %zu%s", rows->columns[column],
                            rows->fields[column], least, status == CT_E_LIMIT ? " that is not so large" : "");
    *ret_number = number;
    return CT_OK;
}

int ct_rows_number(const struct ct_rows *rows, size_t column, double *ret_number)
{
    assert(column < rows->field_count);
    if (ct_number_parse(rows->fields[column], ret_number) != CT_OK)
        return ct_rows_fail(rows, "%s '%.40s': expected a decimal number", rows->columns[column],
                            rows->fields[column]);
    return CT_OK;
}

int ct_rows_choice(const struct ct_rows *rows, size_t column, const char *const *names, size_t count,
                   size_t *ret_index)
{
    assert(column < rows->field_count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows->fields[column], names[i]) == 0) {
            *ret_index = i;
            return CT_OK;
        }
    struct ct_text list = {0};
    ct_text_append_choices(&list, names, count);
    int status = ct_rows_fail(rows, "%s '%.40s': expected %s", rows->columns[column], rows->fields[column],
                              list.data ? list.data : "another word");
    ct_text_free(&list);
    return status;
}
