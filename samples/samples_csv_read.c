/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/samples_csv_read.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/rows.h"
#include "base/sort.h"
#include "base/text.h"
#include "samples/samples_columns.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A method as the rows spell it. */
struct method_name {
    enum ct_collective collective;
    uint32_t index;
    char spelling[CT_METHOD_TEXT];
};

/* A cell and its place in the file. */
struct closed_cell {
    struct ct_run_cell cell;
    size_t first_line;
    size_t commit_line; /* 0 while it is open */
};

struct reader {
    struct ct_rows rows;
    struct ct_run *run; /* its description is read, all else grows */
    size_t word_capacity;
    size_t sample_capacity;
    struct method_name *methods; /* sorted */
    int64_t *last_rep;           /* by method; -1 before its first sample with a time in this cell */
    struct closed_cell open;     /* the cell that is being read, if `is_open` */
    bool is_open;
    struct closed_cell *closed;
    size_t closed_count;
    size_t closed_capacity;
    size_t committed_samples;
    size_t commit_line; /* of the last commit row; 0 before the first */
};

static int compare_names(const void *a, const void *b)
{
    const struct method_name *left = a, *right = b;
    int order = CT_COMPARE(left->collective, right->collective);
    return order != 0 ? order : strcmp(left->spelling, right->spelling);
}

static int prepare(struct reader *reader)
{
    const struct ct_run_description *description = &reader->run->description;
    size_t count = description->method_count;
    reader->methods = ct_allocate(count, sizeof *reader->methods);
    reader->last_rep = ct_allocate(count, sizeof *reader->last_rep);
    if (!reader->methods || !reader->last_rep)
        return ct_rows_no_memory(&reader->rows);
    for (size_t i = 0; i < count; i++) {
        reader->methods[i].collective = description->methods[i].algorithm->collective;
        reader->methods[i].index = (uint32_t)i;
        ct_method_format(&description->methods[i], false, reader->methods[i].spelling);
    }
    qsort(reader->methods, count, sizeof *reader->methods, compare_names);
    return CT_OK;
}

/* --- fields --- */

static int read_u32(const struct reader *reader, size_t column, size_t most, uint32_t *ret_number)
{
    size_t number;
    int status = ct_rows_whole(&reader->rows, column, 0, most, &number);
    if (status == CT_OK)
        *ret_number = (uint32_t)number;
    return status;
}

static int read_word(struct reader *reader, size_t column, uint16_t *ret_index)
{
    struct ct_run *run = reader->run;
    const char *word = reader->rows.fields[column];
    if (!ct_sample_word_good(word))
        return ct_rows_fail(&reader->rows, "'%.80s': expected the name of a datatype or operation", word);
    size_t i = 0;
    while (i < run->word_count && strcmp(run->words[i], word) != 0)
        i++;
    if (i > UINT16_MAX)
        return ct_rows_fail(&reader->rows, "too many different names of datatypes and operations");
    if (i == run->word_count) {
        char *copy = strdup(word);
        if (!copy || ct_grow(&run->words, &reader->word_capacity, i + 1, sizeof *run->words) != CT_OK) {
            free(copy);
            return ct_rows_no_memory(&reader->rows);
        }
        run->words[run->word_count++] = copy;
    }
    *ret_index = (uint16_t)i;
    return CT_OK;
}

static int read_method(const struct reader *reader, enum ct_collective collective, uint32_t *ret_method)
{
    const char *word = reader->rows.fields[CT_COLUMN_METHOD];
    struct method_name key = {.collective = collective};
    size_t length = strlen(word);
    const struct method_name *found = NULL;
    if (length < sizeof key.spelling) {
        memcpy(key.spelling, word, length + 1);
        found =
            bsearch(&key, reader->methods, reader->run->description.method_count, sizeof key, compare_names);
    }
    if (found) {
        *ret_method = found->index;
        return CT_OK;
    }
    struct ct_method method;
    struct ct_error why = {""};
    if (ct_method_parse_any(word, collective, &why, &method) != CT_OK)
        return ct_rows_fail(&reader->rows, "%s", why.text);
    return ct_rows_fail(&reader->rows, "the method '%.80s' of %s is not in run.xml", word,
                        ct_collectives[collective].name);
}

/* The overlap of a call that is not blocking, if the row has a time; else nothing is there. */
static int read_overlap(const struct reader *reader, const struct ct_run_cell *cell,
                        enum ct_sample_status status, struct ct_overlap *overlap)
{
    const bool has_numbers = cell->key.mode != CT_MODE_BLOCKING && ct_sample_has_time(status);
    for (size_t i = CT_COLUMNS_BLOCKING; i < CT_COLUMNS_DENSE && i < reader->rows.column_count; i++) {
        const struct ct_samples_column_descriptor *column = &ct_samples_columns[i];
        const char *word = reader->rows.fields[i];
        if (!has_numbers && *word)
            return ct_rows_fail(&reader->rows,
                                "%s '%.40s': expected nothing in a row with status '%s' of a "
                                "%s call",
                                column->name, word, ct_sample_status_names[status],
                                ct_mode_names[cell->key.mode]);
        double *number = ct_overlap_number(overlap, column);
        if (has_numbers &&
            (ct_number_parse(word, number) != CT_OK || !ct_overlap_number_good(column, *number)))
            return ct_rows_fail(&reader->rows, "%s '%.40s': expected a finite decimal number %s %g%s",
                                column->name, word, column->above ? "greater than" : "of at least",
                                column->least, column->most <= 1 ? " and at most 1" : "");
    }
    return CT_OK;
}

static int read_seconds(const struct reader *reader, enum ct_sample_status status, double *ret_seconds)
{
    const char *word = reader->rows.fields[CT_COLUMN_SECONDS];
    double seconds = NAN;
    if (!ct_sample_has_time(status) && *word)
        return ct_rows_fail(&reader->rows, "seconds '%.40s': expected nothing in a row with status '%s'",
                            word, ct_sample_status_names[status]);
    if (ct_sample_has_time(status) && (ct_number_parse(word, &seconds) != CT_OK || !(seconds > 0)))
        return ct_rows_fail(&reader->rows, "seconds '%.40s': expected a finite decimal number greater than 0",
                            word);
    *ret_seconds = seconds;
    return CT_OK;
}

/* Seconds of the set-up, of a sparse collective where there was one. */
static int read_set_up(const struct reader *reader, const struct ct_run_cell *cell,
                       enum ct_sample_status status, double *ret_seconds)
{
    const char *word =
        reader->rows.column_count > CT_COLUMN_SET_UP ? reader->rows.fields[CT_COLUMN_SET_UP] : "";
    double seconds = 0;
    if (!*word)
        return CT_OK;
    if (cell->key.pattern == 0 || !ct_sample_has_time(status))
        return ct_rows_fail(&reader->rows, "set_up '%.40s': expected nothing in a row %s", word,
                            cell->key.pattern == 0 ? "without a pattern" : "without a time");
    if (ct_number_parse(word, &seconds) != CT_OK || !(seconds > 0))
        return ct_rows_fail(&reader->rows, "set_up '%.40s': expected a finite decimal number greater than 0",
                            word);
    *ret_seconds = seconds;
    return CT_OK;
}

/* --- cells --- */

/* The pattern of a sparse collective, one of the run's. */
static int read_pattern(const struct reader *reader, struct ct_run_cell *cell)
{
    const bool is_sparse = ct_collectives[cell->collective].is_sparse;
    const char *word =
        reader->rows.column_count > CT_COLUMN_PATTERN ? reader->rows.fields[CT_COLUMN_PATTERN] : "";
    if (!is_sparse && *word)
        return ct_rows_fail(&reader->rows, "pattern '%.80s': expected nothing, because %s has no pattern",
                            word, ct_collectives[cell->collective].name);
    const size_t id = is_sparse ? ct_pattern_id(word) : 0;
    if (is_sparse && !ct_run_pattern(&reader->run->description, id))
        return ct_rows_fail(&reader->rows, "pattern '%.80s': is not in the grid of run.xml", word);
    cell->key.pattern = id;
    return CT_OK;
}

static int read_cell(const struct reader *reader, bool is_commit, struct ct_run_cell *ret_cell)
{
    const char *word = reader->rows.fields[CT_COLUMN_COLLECTIVE];
    struct ct_run_cell cell = {.collective = ct_collective_find(word)};
    if (cell.collective == CT_COLLECTIVES)
        return ct_rows_fail(&reader->rows, "unknown collective '%.40s'", word);
    int status = read_u32(reader, CT_COLUMN_LAUNCH, UINT32_MAX, &cell.launch);
    for (size_t i = 0; status == CT_OK && i < reader->rows.column_count; i++) {
        const struct ct_key_descriptor *key = ct_samples_columns[i].key;
        /* commit rows leave root 0 out */
        if (!key || (i == CT_COLUMN_ROOT && !*reader->rows.fields[i] && is_commit))
            continue;
        size_t value;
        status = ct_rows_whole(&reader->rows, i, key->least, key->most, &value);
        if (status == CT_OK)
            ct_key_set(&cell.key, key, value);
    }
    if (status == CT_OK)
        status = read_pattern(reader, &cell);
    cell.key.yield = ct_run_yields(&reader->run->description, cell.launch, cell.key.ppn);
    cell.key.by = ct_run_mapping(&reader->run->description, cell.launch);
    cell.key.mode = ct_run_mode(&reader->run->description, cell.launch);
    if (status == CT_OK)
        *ret_cell = cell;
    return status;
}

static bool has_size(const size_t *sizes, size_t count, size_t size)
{
    while (count > 0 && *sizes != size) {
        sizes++;
        count--;
    }
    return count > 0;
}

/* Does the run's description have this cell? */
static int check_cell(const struct reader *reader, const struct ct_run_cell *cell)
{
    static const char not_in_grid[] = "is not in the grid of run.xml: expected one of its";
    const struct ct_run_description *description = &reader->run->description;
    const struct ct_collective_description *about = &ct_collectives[cell->collective];
    const struct ct_cell_key *key = &cell->key;
    size_t i = 0;
    while (i < description->collective_count && description->collectives[i] != cell->collective)
        i++;
    if (i == description->collective_count)
        return ct_rows_fail(&reader->rows, "%s %s collectives", about->name, not_in_grid);
    if (!has_size(description->comm_sizes, description->comm_size_count, key->comm_size))
        return ct_rows_fail(&reader->rows, "comm_size %u %s communicator sizes", key->comm_size, not_in_grid);
    if (about->has_size && !has_size(description->msg_sizes, description->msg_size_count, key->msg_bytes))
        return ct_rows_fail(&reader->rows, "msg_bytes %zu %s message sizes", key->msg_bytes, not_in_grid);
    if (!about->has_size && key->msg_bytes != 0)
        return ct_rows_fail(&reader->rows, "msg_bytes %zu: expected 0, because %s has no message size",
                            key->msg_bytes, about->name);
    if (cell->launch >= description->launches + description->sweep.again)
        return ct_rows_fail(&reader->rows, "launch %u: run.xml counts %zu from 0", cell->launch,
                            description->launches + description->sweep.again);
    if ((size_t)key->nodes * key->ppn < key->comm_size)
        return ct_rows_fail(&reader->rows, "%u nodes with %u ranks each do not hold comm_size %u", key->nodes,
                            key->ppn, key->comm_size);
    if (key->root > (about->has_root ? key->comm_size - 1 : 0))
        return ct_rows_fail(&reader->rows, "root %u: expected at most %u", key->root,
                            about->has_root ? key->comm_size - 1 : 0);
    return CT_OK;
}

enum { CELL_TEXT = 160 };

static const char *cell_text(const struct ct_run_cell *cell, char text[CELL_TEXT])
{
    char bytes[CT_SIZE_TEXT + 16] = "", root[24] = "", size[CT_SIZE_TEXT];
    if (ct_collectives[cell->collective].has_size)
        snprintf(bytes, sizeof bytes, ", %s byte%s", ct_size_format(cell->key.msg_bytes, size),
                 ct_s(cell->key.msg_bytes));
    if (cell->key.root > 0)
        snprintf(root, sizeof root, ", root %u", cell->key.root);
    snprintf(text, CELL_TEXT, "%s on %u ranks (%u node%s, %u per node)%s%s, launch %u",
             ct_collectives[cell->collective].name, cell->key.comm_size, cell->key.nodes,
             ct_s(cell->key.nodes), cell->key.ppn, bytes, root, cell->launch);
    return text;
}

/* A cell is written whole before the next one begins, so only the first row of a cell needs to be checked. */
static int enter_cell(struct reader *reader, const struct ct_run_cell *cell)
{
    if (reader->is_open && ct_run_cell_compare(&reader->open.cell, cell) == 0)
        return CT_OK;
    int status = check_cell(reader, cell);
    if (status != CT_OK)
        return status;
    if (reader->is_open) {
        char open[CELL_TEXT];
        return ct_rows_fail(&reader->rows,
                            "a row of another cell: the cell of line %zu, %s, has no commit row yet",
                            reader->open.first_line, cell_text(&reader->open.cell, open));
    }
    reader->is_open = true;
    reader->open = (struct closed_cell){.cell = *cell, .first_line = reader->rows.line};
    for (size_t i = 0; i < reader->run->description.method_count; i++)
        reader->last_rep[i] = -1;
    return CT_OK;
}

static int keep_cell(struct reader *reader)
{
    int status =
        ct_grow(&reader->closed, &reader->closed_capacity, reader->closed_count + 1, sizeof *reader->closed);
    if (status != CT_OK)
        return ct_rows_no_memory(&reader->rows);
    reader->closed[reader->closed_count++] = reader->open;
    return CT_OK;
}

/* --- rows --- */

static int take_commit(struct reader *reader)
{
    for (size_t i = 0; i < reader->rows.column_count; i++)
        if (!ct_samples_columns[i].in_commit && *reader->rows.fields[i])
            return ct_rows_fail(&reader->rows, "%s '%.40s': expected nothing in a commit row",
                                reader->rows.columns[i], reader->rows.fields[i]);
    reader->open.commit_line = reader->commit_line = reader->rows.line;
    reader->is_open = false;
    reader->committed_samples = reader->run->sample_count;
    reader->run->whole_length = reader->rows.whole_length;
    return keep_cell(reader);
}

static int take_sample(struct reader *reader, enum ct_sample_status sample_status)
{
    struct ct_run *run = reader->run;
    const struct ct_run_cell *cell = &reader->open.cell;
    struct ct_sample sample = {.launch = cell->launch, .key = cell->key, .status = sample_status};
    int status = read_method(reader, cell->collective, &sample.method);
    if (status == CT_OK)
        status = read_word(reader, CT_COLUMN_DATATYPE, &sample.datatype);
    if (status == CT_OK)
        status = read_word(reader, CT_COLUMN_OPERATION, &sample.operation);
    if (status == CT_OK)
        status = read_u32(reader, CT_COLUMN_REP, UINT32_MAX, &sample.rep);
    if (status == CT_OK)
        status = read_seconds(reader, sample_status, &sample.seconds);
    if (status == CT_OK)
        status = read_overlap(reader, cell, sample_status, &sample.overlap);
    if (status == CT_OK)
        status = read_set_up(reader, cell, sample_status, &sample.set_up);
    if (status != CT_OK)
        return status;
    int64_t *last = &reader->last_rep[sample.method];
    if (ct_sample_has_time(sample_status)) {
        if (sample.rep <= *last)
            return ct_rows_fail(&reader->rows,
                                "rep %u of '%s' follows rep %lld in the same cell: expected rising ones",
                                sample.rep, reader->rows.fields[CT_COLUMN_METHOD], (long long)*last);
        *last = sample.rep;
    }
    if (ct_grow(&run->samples, &reader->sample_capacity, run->sample_count + 1, sizeof sample) != CT_OK)
        return ct_rows_no_memory(&reader->rows);
    run->samples[run->sample_count++] = sample;
    return CT_OK;
}

static int take_row(struct reader *reader)
{
    size_t which;
    struct ct_run_cell cell;
    int status =
        ct_rows_choice(&reader->rows, CT_COLUMN_STATUS, ct_sample_status_names, CT_SAMPLE_STATUSES, &which);
    if (status == CT_OK)
        status = read_cell(reader, which == CT_SAMPLE_COMMIT, &cell);
    if (status == CT_OK)
        status = enter_cell(reader, &cell);
    if (status != CT_OK)
        return status;
    return which == CT_SAMPLE_COMMIT ? take_commit(reader)
                                     : take_sample(reader, (enum ct_sample_status)which);
}

/* --- the whole file --- */

static int compare_closed(const void *a, const void *b)
{
    const struct closed_cell *left = a, *right = b;
    int order = ct_run_cell_compare(&left->cell, &right->cell);
    return order != 0 ? order : CT_COMPARE(left->first_line, right->first_line);
}

/* Sorts the closed cells into the run. A cell may not come twice: neither closed again nor, at the end of the
 * file, begun again. */
static int take_cells(struct reader *reader)
{
    struct ct_run *run = reader->run;
    char text[CELL_TEXT];
    int status = reader->is_open ? keep_cell(reader) : CT_OK;
    run->cells = ct_allocate(reader->closed_count, sizeof *run->cells);
    if (status != CT_OK || !run->cells)
        return ct_rows_no_memory(&reader->rows);
    if (reader->closed_count > 0)
        qsort(reader->closed, reader->closed_count, sizeof *reader->closed, compare_closed);
    for (size_t i = 0; i < reader->closed_count; i++) {
        const struct closed_cell *each = &reader->closed[i];
        if (i > 0 && ct_run_cell_compare(&each[-1].cell, &each->cell) == 0) {
            assert(each[-1].commit_line > 0);
            reader->rows.line = each->first_line;
            return ct_rows_fail(&reader->rows, "%s: %s; line %zu closed it", cell_text(&each->cell, text),
                                each->first_line == each->commit_line ? "a second commit row"
                                                                      : "rows of a cell that is closed",
                                each[-1].commit_line);
        }
        if (each->commit_line > 0)
            run->cells[run->cell_count++] = each->cell;
    }
    return CT_OK;
}

static int finish(struct reader *reader, bool resuming)
{
    int status = take_cells(reader);
    if (status != CT_OK || !(reader->is_open || reader->rows.torn))
        return status;
    size_t whole_lines = reader->commit_line > 0 ? reader->commit_line : 1;
    if (!resuming) {
        reader->rows.line = whole_lines + 1;
        return ct_rows_fail(
            &reader->rows, "the file ends within a cell, because the sweep was killed: expected a commit row;"
                           " `colltune measure --resume` repairs that");
    }
    reader->run->dropped = reader->rows.line - whole_lines;
    reader->run->sample_count = reader->committed_samples;
    return CT_OK;
}

int ct_samples_read(FILE *file, const char *name, bool resuming, const struct ct_watch *watch,
                    struct ct_error *error, struct ct_run *run)
{
    const char *columns[CT_COLUMNS];
    struct reader reader = {.rows = {.name = name,
                                     .columns = columns,
                                     .column_count = ct_samples_column_count(&run->description),
                                     .error = error,
                                     .watch = watch},
                            .run = run};
    ct_samples_column_names(columns);
    bool found = true;
    int status = prepare(&reader);
    if (status == CT_OK)
        status = ct_rows_begin(&reader.rows, file);
    if (status == CT_OK)
        status = ct_rows_header(&reader.rows);
    run->whole_length = reader.rows.whole_length;
    while (status == CT_OK && (status = ct_rows_next(&reader.rows, &found)) == CT_OK && found)
        status = take_row(&reader);
    if (status == CT_OK)
        status = finish(&reader, resuming);
    ct_rows_close(&reader.rows);
    free(reader.methods);
    free(reader.last_rep);
    free(reader.closed);
    return status;
}
