/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "samples/run_row.h"

#include <csv.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* No row needs more; what is longer is not ours and need not be held. */
enum { LINE_MAX_BYTES = 4096 };

/* A cell with where it stands in the file. */
struct closed_cell {
    struct ct_run_cell cell;
    size_t first_line;
    size_t commit_line; /* 0 while it is open */
};

struct reader {
    struct ct_row_reader rows;
    struct csv_parser csv;
    /* of the line being read */
    const char *fields[CT_COLUMNS];
    char text[LINE_MAX_BYTES + CT_COLUMNS];
    size_t text_length;
    size_t field_count;
    bool row_ended;
    /* the cell being read and those before it */
    struct closed_cell open;
    bool is_open;
    int64_t *last_rep; /* by method, -1 before the first good sample of the cell */
    struct closed_cell *closed;
    size_t closed_count;
    size_t closed_capacity;
    size_t sample_capacity;
    size_t committed_samples;
    size_t commit_line; /* of the last commit row; 0 before the first */
    char header[CT_SAMPLES_HEADER];
};

int ct_run_cell_compare(const void *a, const void *b)
{
    const struct ct_run_cell *left = a, *right = b;
    if (left->launch != right->launch)
        return left->launch < right->launch ? -1 : 1;
    if (left->collective != right->collective)
        return left->collective < right->collective ? -1 : 1;
    return ct_cell_key_compare(&left->key, &right->key);
}

enum { CELL_TEXT = 160 };

static const char *cell_text(const struct ct_run_cell *cell, char text[CELL_TEXT])
{
    char bytes[CT_SIZE_TEXT + 16] = "", size[CT_SIZE_TEXT];
    if (ct_collectives[cell->collective].has_size)
        snprintf(bytes, sizeof bytes, ", %s bytes", ct_size_format(cell->key.msg_bytes, size));
    snprintf(text, CELL_TEXT, "%s on %zu ranks (%zu nodes, %zu a node)%s, launch %u",
             ct_collectives[cell->collective].name, cell->key.comm_size, cell->key.nodes, cell->key.ppn,
             bytes, cell->launch);
    return text;
}

/* A cell is written whole before the next one begins. */
static int enter_cell(struct reader *reader, const struct ct_run_cell *cell)
{
    if (reader->is_open) {
        char open[CELL_TEXT];
        if (ct_run_cell_compare(&reader->open.cell, cell) != 0)
            return ct_row_fail(&reader->rows,
                               "a row of another cell: that of line %zu, %s, has no commit row yet",
                               reader->open.first_line, cell_text(&reader->open.cell, open));
        return CT_OK;
    }
    reader->is_open = true;
    reader->open = (struct closed_cell){.cell = *cell, .first_line = reader->rows.line};
    for (size_t i = 0; i < reader->rows.run->description.method_count; i++)
        reader->last_rep[i] = -1;
    return CT_OK;
}

static int close_cell(struct reader *reader)
{
    int status =
        ct_grow(&reader->closed, &reader->closed_capacity, reader->closed_count + 1, sizeof *reader->closed);
    if (status != CT_OK)
        return ct_row_no_memory(&reader->rows);
    reader->open.commit_line = reader->rows.line;
    reader->closed[reader->closed_count++] = reader->open;
    reader->is_open = false;
    reader->committed_samples = reader->rows.run->sample_count;
    reader->commit_line = reader->rows.line;
    return CT_OK;
}

static int add_sample(struct reader *reader, const struct ct_sample *sample)
{
    struct ct_run *run = reader->rows.run;
    if (ct_sample_has_time(sample->status)) {
        int64_t *last = &reader->last_rep[sample->method];
        if (sample->rep <= *last)
            return ct_row_fail(&reader->rows,
                               "rep %u of '%s' follows rep %lld in the same cell: expected rising ones",
                               sample->rep, reader->fields[CT_COLUMN_METHOD], (long long)*last);
        *last = sample->rep;
    }
    if (ct_grow(&run->samples, &reader->sample_capacity, run->sample_count + 1, sizeof *run->samples) !=
        CT_OK)
        return ct_row_no_memory(&reader->rows);
    run->samples[run->sample_count++] = *sample;
    return CT_OK;
}

static int take_fields(struct reader *reader)
{
    struct ct_row row;
    if (reader->field_count != CT_COLUMNS)
        return ct_row_fail(&reader->rows, "%zu fields: expected %d, which are %s", reader->field_count,
                           CT_COLUMNS, reader->header);
    int status = ct_row_read(&reader->rows, reader->fields, &row);
    if (status == CT_OK)
        status = enter_cell(reader, &row.cell);
    if (status != CT_OK)
        return status;
    return row.sample.status == CT_SAMPLE_COMMIT ? close_cell(reader) : add_sample(reader, &row.sample);
}

static void take_field(void *field, size_t length, void *context)
{
    struct reader *reader = context;
    if (reader->field_count < CT_COLUMNS) {
        char *copy = reader->text + reader->text_length;
        memcpy(copy, field, length);
        copy[length] = '\0';
        reader->fields[reader->field_count] = copy;
        reader->text_length += length + 1;
    }
    reader->field_count++;
}

static void take_row(int end, void *context)
{
    (void)end;
    struct reader *reader = context;
    reader->row_ended = true;
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

/* `line` with its newline. */
static int read_line(struct reader *reader, const char *line, size_t length)
{
    reader->field_count = 0;
    reader->text_length = 0;
    reader->row_ended = false;
    if (length > LINE_MAX_BYTES)
        return ct_row_fail(&reader->rows, "the line is longer than %d characters", LINE_MAX_BYTES);
    if (memchr(line, '\0', length) || memchr(line, '\r', length))
        return ct_row_fail(&reader->rows,
                           "a carriage return or a zero byte: expected lines that end in a newline alone");
    if (reader->rows.line == 1) {
        if (length != strlen(reader->header) + 1 || memcmp(line, reader->header, length - 1) != 0)
            return ct_row_fail(&reader->rows, "wrong header: expected '%s'", reader->header);
        return CT_OK;
    }
    if (length == 1)
        return ct_row_fail(&reader->rows, "an empty line: expected a row of %d fields", CT_COLUMNS);
    if (csv_parse(&reader->csv, line, length, take_field, take_row, reader) != length)
        return csv_error(&reader->csv) == CSV_ENOMEM ? ct_row_no_memory(&reader->rows)
                                                     : ct_row_fail(&reader->rows, "misplaced quotation mark");
    if (!reader->row_ended)
        return ct_row_fail(&reader->rows, "a quoted field does not end in this line");
    return take_fields(reader);
}

/* Feeds the file a line at a time; *ret_torn says whether it ends without a newline. */
static int read_lines(struct reader *reader, FILE *file, bool *ret_torn)
{
    char *line = NULL;
    size_t room = 0, offset = 0;
    int status = CT_OK;
    bool torn = false;
    while (status == CT_OK) {
        ssize_t length = getline(&line, &room, file);
        if (length < 0)
            break;
        reader->rows.line++;
        torn = line[length - 1] != '\n';
        if (torn && reader->rows.line > 1)
            break;
        status = torn ? ct_row_fail(&reader->rows, "wrong header: expected '%s'", reader->header)
                      : read_line(reader, line, (size_t)length);
        offset += (size_t)length;
        if (status == CT_OK && !reader->is_open)
            reader->rows.run->whole_length = offset;
    }
    free(line);
    if (status == CT_OK && ferror(file))
        status = ct_fail(reader->rows.error, CT_E_SYSTEM, "%s: %s", reader->rows.name, strerror(errno));
    if (status == CT_OK && reader->rows.line == 0) {
        reader->rows.line = 1;
        status = ct_row_fail(&reader->rows, "the file is empty: expected the header '%s'", reader->header);
    }
    *ret_torn = torn;
    return status;
}

static int compare_closed(const void *a, const void *b)
{
    const struct closed_cell *left = a, *right = b;
    int order = ct_run_cell_compare(&left->cell, &right->cell);
    if (order != 0)
        return order;
    return (left->first_line > right->first_line) - (left->first_line < right->first_line);
}

/* Sorts the closed cells and refuses one that comes again: closed twice, or with rows behind its commit row.
 */
static int take_cells(struct reader *reader)
{
    struct ct_run *run = reader->rows.run;
    char text[CELL_TEXT];
    size_t closed = reader->closed_count;
    if (reader->is_open) {
        int status = ct_grow(&reader->closed, &reader->closed_capacity, closed + 1, sizeof *reader->closed);
        if (status != CT_OK)
            return ct_row_no_memory(&reader->rows);
        reader->closed[reader->closed_count++] = reader->open;
    }
    if (reader->closed_count > 0)
        qsort(reader->closed, reader->closed_count, sizeof *reader->closed, compare_closed);
    run->cells = ct_allocate(closed, sizeof *run->cells);
    if (!run->cells)
        return ct_row_no_memory(&reader->rows);
    for (size_t i = 0; i < reader->closed_count; i++) {
        const struct closed_cell *each = &reader->closed[i];
        if (i > 0 && ct_run_cell_compare(&each[-1].cell, &each->cell) == 0) {
            reader->rows.line = each->first_line;
            return ct_row_fail(&reader->rows, "%s: %s; line %zu closed it", cell_text(&each->cell, text),
                               each->first_line == each->commit_line ? "a second commit row"
                                                                     : "rows of a cell that is closed",
                               each[-1].commit_line);
        }
        if (each->commit_line > 0)
            run->cells[run->cell_count++] = each->cell;
    }
    return CT_OK;
}

static int finish(struct reader *reader, bool torn, bool resuming)
{
    struct ct_run *run = reader->rows.run;
    int status = take_cells(reader);
    if (status != CT_OK || !(reader->is_open || torn))
        return status;
    size_t whole_lines = reader->commit_line > 0 ? reader->commit_line : 1;
    if (!resuming) {
        reader->rows.line = whole_lines + 1;
        return ct_row_fail(&reader->rows,
                           "the file ends within a cell, as a killed sweep leaves it: expected a commit row; "
                           "`colltune measure --resume` mends that");
    }
    run->dropped = reader->rows.line - whole_lines;
    run->sample_count = reader->committed_samples;
    return CT_OK;
}

int ct_samples_read(FILE *file, const char *name, bool resuming, struct ct_error *error, struct ct_run *run)
{
    struct reader *reader = ct_allocate(1, sizeof *reader);
    if (!reader)
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", name);
    *reader = (struct reader){.rows = {.name = name, .error = error, .run = run}};
    ct_samples_header(reader->header);
    csv_init(&reader->csv, CSV_STRICT | CSV_STRICT_FINI);
    csv_set_space_func(&reader->csv, no_space);
    csv_set_term_func(&reader->csv, only_newline);
    bool torn = false;
    int status = ct_row_reader_prepare(&reader->rows);
    reader->last_rep = ct_allocate(run->description.method_count, sizeof *reader->last_rep);
    if (status == CT_OK && !reader->last_rep)
        status = ct_row_no_memory(&reader->rows);
    if (status == CT_OK)
        status = read_lines(reader, file, &torn);
    if (status == CT_OK)
        status = finish(reader, torn, resuming);
    csv_free(&reader->csv);
    ct_row_reader_free(&reader->rows);
    free(reader->last_rep);
    free(reader->closed);
    free(reader);
    return status;
}
