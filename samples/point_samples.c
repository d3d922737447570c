/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/point_samples.h"
#include "base/memory.h"
#include "base/rows.h"
#include "base/sort.h"
#include "base/text.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const ct_point_kind_names[CT_POINT_KINDS] = {[CT_POINT_ROUND_TRIP] = "round_trip",
                                                         [CT_POINT_SEND] = "send",
                                                         [CT_POINT_RECEIVE] = "receive",
                                                         [CT_POINT_GAP] = "gap",
                                                         [CT_POINT_WORK] = "work"};

static const char mark[] = "colltune point-to-point 1: ";

enum column { KIND, SUBJECT, PARTNER, BYTES, REP, SECONDS, COLUMNS };

static const char *const columns[COLUMNS] = {"kind", "subject", "partner", "bytes", "rep", "seconds"};

struct reader {
    struct ct_rows rows;
    struct ct_point_samples samples;
    size_t subject_capacity;
    size_t sample_capacity;
};

static bool is_word(const char *word)
{
    enum { WORD_MAX = 40 };
    size_t length = strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789_/");
    return length > 0 && length <= WORD_MAX && !word[length];
}

static int read_subject(struct reader *reader, enum ct_point_kind kind, uint32_t *ret_subject)
{
    enum { SUBJECTS_MAX = 64 };
    struct ct_point_samples *samples = &reader->samples;
    const char *word = reader->rows.fields[SUBJECT];
    size_t i = 0;
    while (i < samples->subject_count && strcmp(samples->subjects[i], word) != 0)
        i++;
    if (i == samples->subject_count) {
        if (!is_word(word) || i == SUBJECTS_MAX)
            return ct_rows_fail(&reader->rows,
                                "subject '%.40s': expected network, node, shared, or OPERATION/TYPE", word);
        char *copy = strdup(word);
        if (!copy || ct_grow(&samples->subjects, &reader->subject_capacity, i + 1,
                             sizeof *samples->subjects) != CT_OK) {
            free(copy);
            return ct_rows_no_memory(&reader->rows);
        }
        samples->subjects[samples->subject_count++] = copy;
    }
    if ((kind == CT_POINT_WORK) != (strchr(word, '/') != NULL))
        return ct_rows_fail(&reader->rows, "subject '%.40s' of kind %s: expected %s", word,
                            ct_point_kind_names[kind],
                            kind == CT_POINT_WORK ? "OPERATION/TYPE" : "network, node or shared");
    *ret_subject = (uint32_t)i;
    return CT_OK;
}

static int read_seconds(const struct ct_rows *rows, double *ret_seconds)
{
    const double least = 1e-12, most = 1e6; /* no message takes less or more, and squares fit */
    double seconds;
    int status = ct_rows_number(rows, SECONDS, &seconds);
    if (status == CT_OK && !(seconds >= least && seconds <= most))
        return ct_rows_fail(rows, "seconds '%.40s': expected a number from %g to %g", rows->fields[SECONDS],
                            least, most);
    if (status == CT_OK)
        *ret_seconds = seconds;
    return status;
}

static int take_row(struct reader *reader)
{
    const size_t bytes_max = (size_t)1 << 53; /* sizes are used as doubles, too */
    struct ct_point_samples *samples = &reader->samples;
    struct ct_point_sample sample;
    size_t kind, partner, rep;
    int status = ct_rows_choice(&reader->rows, KIND, ct_point_kind_names, CT_POINT_KINDS, &kind);
    if (status == CT_OK)
        status = read_subject(reader, (enum ct_point_kind)kind, &sample.subject);
    if (status == CT_OK)
        status = ct_rows_whole(&reader->rows, PARTNER, 0, UINT32_MAX, &partner);
    if (status == CT_OK)
        status = ct_rows_whole(&reader->rows, BYTES, 0, bytes_max, &sample.bytes);
    if (status == CT_OK)
        status = ct_rows_whole(&reader->rows, REP, 0, UINT32_MAX, &rep);
    if (status == CT_OK)
        status = read_seconds(&reader->rows, &sample.seconds);
    if (status != CT_OK)
        return status;
    sample.kind = (enum ct_point_kind)kind;
    sample.partner = (uint32_t)partner;
    sample.rep = (uint32_t)rep;
    if (ct_grow(&samples->samples, &reader->sample_capacity, samples->sample_count + 1, sizeof sample) !=
        CT_OK)
        return ct_rows_no_memory(&reader->rows);
    samples->samples[samples->sample_count++] = sample;
    return CT_OK;
}

/* The first line: the mark, then free text. */
static int read_about(struct reader *reader)
{
    char *line;
    int status = ct_rows_line(&reader->rows, &line);
    if (status != CT_OK)
        return status;
    if (!line || strncmp(line, mark, strlen(mark)) != 0) {
        reader->rows.line = 1;
        return ct_rows_fail(&reader->rows,
                            "expected a file that begins with '%s' (colltune fit --samples), or output of "
                            "NetPIPE, logp_mpi, SKaMPI, osu_latency or IMB's PingPong",
                            mark);
    }
    for (const char *at = line; *at; at++)
        if (*at < ' ' || *at > '~')
            return ct_rows_fail(&reader->rows, "expected printable ASCII");
    reader->samples.about = strdup(line + strlen(mark));
    return reader->samples.about ? CT_OK : ct_rows_no_memory(&reader->rows);
}

static int compare_samples(const void *a, const void *b)
{
    const struct ct_point_sample *left = a, *right = b;
    const int orders[] = {CT_COMPARE(left->kind, right->kind), CT_COMPARE(left->subject, right->subject),
                          CT_COMPARE(left->partner, right->partner), CT_COMPARE(left->bytes, right->bytes),
                          CT_COMPARE(left->rep, right->rep)};
    size_t i = 0;
    while (i + 1 < sizeof orders / sizeof orders[0] && orders[i] == 0)
        i++;
    return orders[i];
}

/* Refuses a repetition that comes twice, as in two files that were put together. */
static int check_repetitions(const struct reader *reader)
{
    const struct ct_point_samples *samples = &reader->samples;
    struct ct_point_sample *sorted = ct_allocate(samples->sample_count, sizeof *sorted);
    int status = CT_OK;
    if (!sorted)
        return ct_rows_no_memory(&reader->rows);
    memcpy(sorted, samples->samples, samples->sample_count * sizeof *sorted);
    qsort(sorted, samples->sample_count, sizeof *sorted, compare_samples);
    for (size_t i = 1; status == CT_OK && i < samples->sample_count; i++)
        if (compare_samples(&sorted[i - 1], &sorted[i]) == 0)
            status =
                ct_fail(reader->rows.error, CT_E_INPUT,
                        "%s: rep %u of %s, %s with partner %u, %zu bytes, occurs twice: expected it once",
                        reader->rows.name, sorted[i].rep, ct_point_kind_names[sorted[i].kind],
                        samples->subjects[sorted[i].subject], sorted[i].partner, sorted[i].bytes);
    free(sorted);
    return status;
}

static int read_all(struct reader *reader)
{
    bool found = true;
    int status = read_about(reader);
    if (status == CT_OK)
        status = ct_rows_header(&reader->rows);
    while (status == CT_OK && (status = ct_rows_next(&reader->rows, &found)) == CT_OK && found)
        status = take_row(reader);
    if (status != CT_OK)
        return status;
    if (reader->rows.torn)
        return ct_rows_fail(&reader->rows, "the file does not end in a newline: is it whole?");
    if (reader->samples.sample_count == 0)
        return ct_fail(reader->rows.error, CT_E_INPUT, "%s: no samples: expected rows after the header",
                       reader->rows.name);
    return check_repetitions(reader);
}

/* Reads from `file`, or from a text if that is NULL. */
static int read_samples(FILE *file, const char *text, size_t length, const char *name, struct ct_error *error,
                        struct ct_point_samples *ret_samples)
{
    struct reader reader = {
        .rows = {.name = name, .columns = columns, .column_count = COLUMNS, .error = error},
        .samples.name = strdup(name)};
    int status = reader.samples.name ? CT_OK : ct_rows_no_memory(&reader.rows);
    if (status == CT_OK)
        status = file ? ct_rows_begin(&reader.rows, file) : ct_rows_begin_text(&reader.rows, text, length);
    if (status == CT_OK)
        status = read_all(&reader);
    ct_rows_close(&reader.rows);
    if (status == CT_OK)
        *ret_samples = reader.samples;
    else
        ct_point_samples_free(&reader.samples);
    return status;
}

int ct_point_samples_parse(const char *text, size_t length, const char *name, struct ct_error *error,
                           struct ct_point_samples *ret_samples)
{
    return read_samples(NULL, text, length, name, error, ret_samples);
}

int ct_point_samples_read(const char *path, struct ct_error *error, struct ct_point_samples *ret_samples)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return ct_fail(error, CT_E_SYSTEM, "%s: %s", path, strerror(errno));
    int status = read_samples(file, NULL, 0, path, error, ret_samples);
    fclose(file);
    return status;
}

void ct_point_samples_free(struct ct_point_samples *samples)
{
    for (size_t i = 0; i < samples->subject_count; i++)
        free(samples->subjects[i]);
    free(samples->subjects);
    free(samples->samples);
    free(samples->name);
    free(samples->about);
    *samples = (struct ct_point_samples){0};
}

char *ct_point_samples_heading(const char *about)
{
    struct ct_text heading = {0};
    ct_text_append(&heading, "%s", mark);
    for (; *about; about++)
        ct_text_append(&heading, "%c", *about < ' ' || *about > '~' ? ' ' : *about);
    for (int i = 0; i < COLUMNS; i++)
        ct_text_append(&heading, "%c%s", i ? ',' : '\n', columns[i]);
    ct_text_append(&heading, "\n");
    if (heading.failed)
        ct_text_free(&heading);
    return heading.data;
}
