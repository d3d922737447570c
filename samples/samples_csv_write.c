/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/samples_csv_write.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/sort.h"
#include "samples/samples_columns.h"

#include <csv.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- rows --- */

/* Quotes a field only where RFC 4180 asks for it. */
static bool put_field(FILE *file, const char *field)
{
    if (!strpbrk(field, ",\" "))
        return fputs(field, file) >= 0;
    return csv_fwrite(file, field, strlen(field)) == 0;
}

static int put_row(FILE *file, size_t count, const char *const fields[CT_COLUMNS])
{
    bool good = true;
    for (size_t i = 0; good && i < count; i++)
        good = put_field(file, fields[i]) && fputc(i + 1 < count ? ',' : '\n', file) != EOF;
    return good ? CT_OK : CT_E_SYSTEM;
}

static int put_header(FILE *file, size_t count)
{
    const char *names[CT_COLUMNS];
    ct_samples_column_names(names);
    return put_row(file, count, names);
}

enum { WHOLE_TEXT = 24 };

static const char *whole_text(size_t number, char text[WHOLE_TEXT])
{
    snprintf(text, WHOLE_TEXT, "%zu", number);
    return text;
}

/* A row being put together. */
struct row {
    const char *fields[CT_COLUMNS];
    char numbers[CT_COLUMNS][WHOLE_TEXT];
};

static void set_whole(struct row *row, enum ct_samples_column column, size_t number)
{
    row->fields[column] = whole_text(number, row->numbers[column]);
}

/* Sets the columns of the cell and leaves all others empty. False where the run lacks its pattern. */
static bool set_cell(struct row *row, const struct ct_run_description *description,
                     const struct ct_run_cell *cell)
{
    for (int i = 0; i < CT_COLUMNS; i++) {
        const struct ct_key_descriptor *key = ct_samples_columns[i].key;
        row->fields[i] = key ? whole_text(ct_key_value(&cell->key, key), row->numbers[i]) : "";
    }
    set_whole(row, CT_COLUMN_LAUNCH, cell->launch);
    row->fields[CT_COLUMN_COLLECTIVE] = ct_collectives[cell->collective].name;
    const char *pattern = ct_run_pattern(description, cell->key.pattern);
    if (pattern)
        row->fields[CT_COLUMN_PATTERN] = pattern;
    return pattern || cell->key.pattern == 0;
}

/* Sets the columns of the overlap. False where a reader would refuse a number. */
static bool set_overlap(const struct ct_sample *sample, char (*texts)[CT_NUMBER_TEXT], struct row *row)
{
    struct ct_overlap overlap = sample->overlap;
    for (size_t i = CT_COLUMNS_BLOCKING; i < CT_COLUMNS_DENSE; i++) {
        const struct ct_samples_column_descriptor *column = &ct_samples_columns[i];
        const double number = *ct_overlap_number(&overlap, column);
        if (!ct_overlap_number_good(column, number))
            return false;
        row->fields[i] = ct_number_format(number, texts[i - CT_COLUMNS_BLOCKING]);
    }
    return true;
}

static int put_sample(FILE *file, const struct ct_run_description *description,
                      const struct ct_method *method, const struct ct_sample *sample, const char *datatype,
                      const char *operation)
{
    char spelling[CT_METHOD_TEXT], seconds[CT_NUMBER_TEXT] = "", set_up[CT_NUMBER_TEXT] = "";
    char overlap[CT_COLUMNS_DENSE - CT_COLUMNS_BLOCKING][CT_NUMBER_TEXT];
    const struct ct_run_cell cell = ct_sample_cell(sample, method->algorithm->collective);
    struct row row;
    if (sample->status >= CT_SAMPLE_COMMIT || !ct_sample_word_good(datatype) ||
        !ct_sample_word_good(operation))
        return CT_E_INPUT;
    if (ct_sample_has_time(sample->status)) {
        if (!isfinite(sample->seconds) || !(sample->seconds > 0))
            return CT_E_INPUT;
        ct_number_format(sample->seconds, seconds);
    }
    if (!isfinite(sample->set_up) || sample->set_up < 0 || !set_cell(&row, description, &cell))
        return CT_E_INPUT;
    if (sample->set_up > 0)
        row.fields[CT_COLUMN_SET_UP] = ct_number_format(sample->set_up, set_up);
    row.fields[CT_COLUMN_METHOD] = ct_method_format(method, false, spelling);
    row.fields[CT_COLUMN_DATATYPE] = datatype;
    row.fields[CT_COLUMN_OPERATION] = operation;
    set_whole(&row, CT_COLUMN_REP, sample->rep);
    row.fields[CT_COLUMN_SECONDS] = seconds;
    row.fields[CT_COLUMN_STATUS] = ct_sample_status_names[sample->status];
    if (sample->key.mode != CT_MODE_BLOCKING && ct_sample_has_time(sample->status) &&
        !set_overlap(sample, overlap, &row))
        return CT_E_INPUT;
    return put_row(file, ct_samples_column_count(description), row.fields);
}

static int put_commit(FILE *file, const struct ct_run_description *description,
                      const struct ct_run_cell *cell)
{
    struct row row;
    if (!set_cell(&row, description, cell))
        return CT_E_INPUT;
    if (cell->key.root == 0)
        row.fields[CT_COLUMN_ROOT] = "";
    row.fields[CT_COLUMN_STATUS] = ct_sample_status_names[CT_SAMPLE_COMMIT];
    return put_row(file, ct_samples_column_count(description), row.fields);
}

/* --- the whole file --- */

/* A sample's cell, and its index in the run. */
struct place {
    struct ct_run_cell cell;
    size_t index;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *left = a, *right = b;
    int order = ct_run_cell_compare(&left->cell, &right->cell);
    return order != 0 ? order : CT_COMPARE(left->index, right->index);
}

static struct place *sorted_places(const struct ct_run *run)
{
    struct place *places = ct_allocate(run->sample_count, sizeof *places);
    for (size_t i = 0; places && i < run->sample_count; i++) {
        const struct ct_sample *sample = &run->samples[i];
        places[i] = (struct place){
            .cell = ct_sample_cell(sample, run->methods[sample->method].algorithm->collective), .index = i};
    }
    if (places && run->sample_count > 1)
        qsort(places, run->sample_count, sizeof *places, compare_places);
    return places;
}

static const char *word_of(const struct ct_run *run, size_t index)
{
    return index < run->word_count ? run->words[index] : "";
}

int ct_samples_write(const struct ct_run *run, FILE *file)
{
    struct place *places = sorted_places(run);
    if (!places)
        return CT_E_MEMORY;
    const struct ct_run_description *description = &run->description;
    int status = put_header(file, ct_samples_column_count(description));
    size_t next = 0;
    for (size_t c = 0; status == CT_OK && c < run->cell_count; c++) {
        const struct ct_run_cell *cell = &run->cells[c];
        while (status == CT_OK && next < run->sample_count &&
               ct_run_cell_compare(&places[next].cell, cell) == 0) {
            const struct ct_sample *sample = &run->samples[places[next++].index];
            status = put_sample(file, description, &run->methods[sample->method], sample,
                                word_of(run, sample->datatype), word_of(run, sample->operation));
        }
        if (status == CT_OK)
            status = put_commit(file, description, cell);
    }
    free(places);
    return status == CT_OK && next < run->sample_count ? CT_E_INPUT : status;
}

/* --- appending --- */

/* Locks the file and cuts it to `keep` bytes. */
static int take_file(FILE *file, const char *path, size_t keep, struct ct_error *error)
{
    struct stat what;
    if (flock(fileno(file), LOCK_EX | LOCK_NB) != 0)
        return ct_fail(error, CT_E_SYSTEM, "%s: %s", path,
                       errno == EWOULDBLOCK ? "another process is writing into this run" : strerror(errno));
    if (fstat(fileno(file), &what) != 0)
        return ct_fail(error, CT_E_SYSTEM, "%s: %s", path, strerror(errno));
    if (keep == SIZE_MAX || keep == (size_t)what.st_size)
        return CT_OK;
    if (keep > (size_t)what.st_size)
        return ct_fail(error, CT_E_INPUT, "%s: has %lld bytes, expected at least %zu", path,
                       (long long)what.st_size, keep);
    if (ftruncate(fileno(file), (off_t)keep) != 0)
        return ct_fail(error, CT_E_SYSTEM, "%s: %s", path, strerror(errno));
    return CT_OK;
}

int ct_samples_open(const char *folder, const struct ct_run_description *description, size_t keep,
                    struct ct_error *error, struct ct_sample_writer *ret_writer)
{
    struct ct_sample_writer writer = {.path = ct_format("%s/samples.csv", folder),
                                      .description = description};
    if (!writer.path)
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", folder);
    int status = CT_OK;
    /* "r+" and not "a": the file was made with the run, and is not made here */
    writer.file = fopen(writer.path, "r+b");
    if (!writer.file)
        status = ct_fail(error, CT_E_SYSTEM, "%s: %s", writer.path, strerror(errno));
    else
        status = take_file(writer.file, writer.path, keep, error);
    if (status == CT_OK && fseeko(writer.file, 0, SEEK_END) != 0)
        status = ct_fail(error, CT_E_SYSTEM, "%s: %s", writer.path, strerror(errno));
    if (status != CT_OK) {
        if (writer.file)
            fclose(writer.file);
        free(writer.path);
        return status;
    }
    *ret_writer = writer;
    return CT_OK;
}

int ct_samples_add(struct ct_sample_writer *writer, const struct ct_method *method,
                   const struct ct_sample *sample, const char *datatype, const char *operation)
{
    return put_sample(writer->file, writer->description, method, sample, datatype ? datatype : "",
                      operation ? operation : "");
}

int ct_samples_commit(struct ct_sample_writer *writer, enum ct_collective collective,
                      const struct ct_sample *of_cell)
{
    const struct ct_run_cell cell = ct_sample_cell(of_cell, collective);
    bool good = put_commit(writer->file, writer->description, &cell) == CT_OK && fflush(writer->file) == 0 &&
                fsync(fileno(writer->file)) == 0;
    return good ? CT_OK : CT_E_SYSTEM;
}

int ct_samples_close(struct ct_sample_writer *writer)
{
    bool good = !ferror(writer->file);
    good = fclose(writer->file) == 0 && good;
    free(writer->path);
    *writer = (struct ct_sample_writer){0};
    return good ? CT_OK : CT_E_SYSTEM;
}
