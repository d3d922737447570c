/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "base/number.h"
#include "samples/run_internal.h"

#include <csv.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

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

int ct_samples_open(const char *folder, size_t keep, struct ct_error *error,
                    struct ct_sample_writer *ret_writer)
{
    struct ct_sample_writer writer = {.path = ct_format("%s/samples.csv", folder)};
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

/* A field as RFC 4180 has it: quoted only where it must be. */
static bool put_field(FILE *file, const char *field)
{
    if (!strpbrk(field, ",\" "))
        return fputs(field, file) >= 0;
    return csv_fwrite(file, field, strlen(field)) == 0;
}

/* Fields by column. */
static int put_row(FILE *file, const char *const fields[CT_COLUMNS])
{
    bool good = true;
    for (int i = 0; good && i < CT_COLUMNS; i++)
        good = put_field(file, fields[i]) && fputc(i + 1 < CT_COLUMNS ? ',' : '\n', file) != EOF;
    return good ? CT_OK : CT_E_SYSTEM;
}

enum { NUMBER = 24 };

static const char *whole_text(size_t number, char text[NUMBER])
{
    snprintf(text, NUMBER, "%zu", number);
    return text;
}

/* The fields of a cell, those that samples have besides empty. */
struct fields {
    const char *of[CT_COLUMNS];
    char numbers[CT_COLUMNS][NUMBER];
};

static void set_cell(struct fields *fields, enum ct_collective collective, const struct ct_sample *sample)
{
    for (int i = 0; i < CT_COLUMNS; i++) {
        const struct ct_key_descriptor *key = ct_samples_columns[i].key;
        fields->of[i] = key ? whole_text(ct_key_value(&sample->key, key), fields->numbers[i]) : "";
    }
    fields->of[CT_COLUMN_LAUNCH] = whole_text(sample->launch, fields->numbers[CT_COLUMN_LAUNCH]);
    fields->of[CT_COLUMN_COLLECTIVE] = ct_collectives[collective].name;
}

int ct_samples_add(struct ct_sample_writer *writer, const struct ct_method *method,
                   const struct ct_sample *sample, const char *datatype, const char *operation)
{
    char spelling[CT_METHOD_TEXT], seconds[CT_NUMBER_TEXT] = "";
    struct fields fields;
    datatype = datatype ? datatype : "";
    operation = operation ? operation : "";
    if (sample->status >= CT_SAMPLE_COMMIT || !ct_sample_word_good(datatype) ||
        !ct_sample_word_good(operation))
        return CT_E_INPUT;
    if (ct_sample_has_time(sample->status)) {
        if (!isfinite(sample->seconds) || !(sample->seconds > 0))
            return CT_E_INPUT;
        ct_number_format(sample->seconds, seconds);
    }
    set_cell(&fields, method->algorithm->collective, sample);
    fields.of[CT_COLUMN_METHOD] = ct_method_format(method, false, spelling);
    fields.of[CT_COLUMN_ROOT] = whole_text(sample->root, fields.numbers[CT_COLUMN_ROOT]);
    fields.of[CT_COLUMN_DATATYPE] = datatype;
    fields.of[CT_COLUMN_OPERATION] = operation;
    fields.of[CT_COLUMN_REP] = whole_text(sample->rep, fields.numbers[CT_COLUMN_REP]);
    fields.of[CT_COLUMN_SECONDS] = seconds;
    fields.of[CT_COLUMN_STATUS] = ct_sample_status_names[sample->status];
    return put_row(writer->file, fields.of);
}

int ct_samples_put_commit(FILE *file, enum ct_collective collective, const struct ct_sample *of_cell)
{
    struct fields fields;
    set_cell(&fields, collective, of_cell);
    fields.of[CT_COLUMN_STATUS] = ct_sample_status_names[CT_SAMPLE_COMMIT];
    return put_row(file, fields.of);
}

int ct_samples_commit(struct ct_sample_writer *writer, enum ct_collective collective,
                      const struct ct_sample *of_cell)
{
    bool good = ct_samples_put_commit(writer->file, collective, of_cell) == CT_OK &&
                fflush(writer->file) == 0 && fsync(fileno(writer->file)) == 0;
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
