/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_BASE_ROWS_H
#define CT_BASE_ROWS_H

#include "base/error.h"
#include "base/progress.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A strict reader of rows of values separated by commas, one row a line, by libcsv. It streams: only the line
 * that was read last is held. Lines end in a newline alone; fields with commas or quotes are quoted; blanks
 * count. Each flaw is CT_E_INPUT with one line in `error`: file, line, what is wrong, what was expected. */
struct ct_rows {
    const char *name;           /* of the file, for messages; the caller's */
    const char *const *columns; /* names of the fields of every row; the caller's */
    size_t column_count;        /* 0: rows may have any number of fields */
    char separator;             /* of fields; 0: a comma */
    struct ct_error *error;
    const struct ct_watch *watch; /* told how far the file is read; may be NULL */
    size_t line;                  /* number of the line that was read last, from 1 */

    char **fields; /* of that line; valid until the next one is read */
    size_t field_count;
    size_t whole_length; /* bytes of the lines that were read whole */
    bool torn;           /* the file does not end in a newline: the rest behind the last one is not a row */

    struct ct_rows_parser *parser;
};

/* Begins to read `file`, which the caller closes after ct_rows_close(). Name, columns, error and watch of
 * `rows` are set, all else is zero. CT_OK, CT_E_MEMORY. */
int ct_rows_begin(struct ct_rows *rows, FILE *file);

/* The same for text in memory, which must stay. */
int ct_rows_begin_text(struct ct_rows *rows, const char *text, size_t length);

/* Frees what the reader holds; fine for one that was not begun. */
void ct_rows_close(struct ct_rows *rows);

/* Reads the next line as it is, without its newline: *ret_line is NULL at the end of the file and where only
 * a torn line is left, else valid until the next call. CT_OK; CT_E_INPUT for a zero byte, a carriage return,
 * or a line beyond 64 KiB; CT_E_SYSTEM; CT_E_MEMORY. */
int ct_rows_line(struct ct_rows *rows, char **ret_line);

/* Splits a line into fields. CT_OK; CT_E_INPUT for misplaced quotation marks, a field that goes on in the
 * next line, or another number of fields than there are columns; CT_E_MEMORY. */
int ct_rows_split(struct ct_rows *rows, const char *line);

/* The next row: both of the above. *ret_found is false at the end. An empty line is CT_E_INPUT. */
int ct_rows_next(struct ct_rows *rows, bool *ret_found);

/* Reads the header line, which must name the columns. */
int ct_rows_header(struct ct_rows *rows);

/* Writes "FILE:LINE: ..." into the error; returns CT_E_INPUT. */
int ct_rows_fail(const struct ct_rows *rows, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes "FILE: out of memory" into the error; returns CT_E_MEMORY. */
int ct_rows_no_memory(const struct ct_rows *rows);

/* A field that is a whole number from `least` to `most`; a field that is a finite number. */
int ct_rows_whole(const struct ct_rows *rows, size_t column, size_t least, size_t most, size_t *ret_number);
int ct_rows_number(const struct ct_rows *rows, size_t column, double *ret_number);

/* A field that is one of `names`, an array of `count`: its index. */
int ct_rows_choice(const struct ct_rows *rows, size_t column, const char *const *names, size_t count,
                   size_t *ret_index);

#endif
