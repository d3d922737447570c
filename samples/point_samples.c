/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/point_samples.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"

#include <stdarg.h>
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
static const char header[] = "kind,subject,partner,bytes,rep,seconds";

enum column { KIND, SUBJECT, PARTNER, BYTES, REP, SECONDS, COLUMNS };

static const char *const column_names[COLUMNS] = {"kind", "subject", "partner", "bytes", "rep", "seconds"};

/* Sizes are computed with as doubles, too. */
static const size_t bytes_max = (size_t)1 << 53;

struct reader {
    const char *name;
    size_t line;
    struct ct_error *error;
    struct ct_point_samples samples;
    size_t subject_capacity;
    size_t sample_capacity;
};

static int fail(const struct reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int fail(const struct reader *reader, const char *format, ...)
{
    char text[sizeof reader->error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return ct_fail(reader->error, CT_E_INPUT, "%s:%zu: %s", reader->name, reader->line, text);
}

static int out_of_memory(const struct reader *reader)
{
    return ct_fail(reader->error, CT_E_MEMORY, "%s: out of memory", reader->name);
}

static bool is_printable(const char *text)
{
    for (; *text; text++)
        if (*text < ' ' || *text > '~')
            return false;
    return true;
}

static bool is_word(const char *word)
{
    enum { WORD_MAX = 40 };
    size_t length = strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789_/");
    return length > 0 && length <= WORD_MAX && !word[length];
}

static int find_subject(struct reader *reader, const char *word, uint32_t *ret_subject)
{
    enum { SUBJECTS_MAX = 64 };
    struct ct_point_samples *samples = &reader->samples;
    size_t i = 0;
    while (i < samples->subject_count && strcmp(samples->subjects[i], word) != 0)
        i++;
    if (i == samples->subject_count) {
        if (!is_word(word) || i == SUBJECTS_MAX)
            return fail(reader, "subject '%.40s': expected network, node, or OPERATION/TYPE", word);
        char *copy = strdup(word);
        if (!copy || ct_grow(&samples->subjects, &reader->subject_capacity, i + 1,
                             sizeof *samples->subjects) != CT_OK) {
            free(copy);
            return out_of_memory(reader);
        }
        samples->subjects[samples->subject_count++] = copy;
    }
    *ret_subject = (uint32_t)i;
    return CT_OK;
}

static int read_whole(const struct reader *reader, char *const fields[], enum column column, size_t most,
                      size_t *ret_number)
{
    if (ct_whole_parse(fields[column], most, ret_number) == CT_OK)
        return CT_OK;
    return fail(reader, "%s '%.40s': expected a whole number of at most %zu", column_names[column],
                fields[column], most);
}

static int read_seconds(const struct reader *reader, const char *word, double *ret_seconds)
{
    const double least = 1e-12, most = 1e6; /* else no time of a message, and squares may not fit */
    if (ct_number_parse(word, ret_seconds) == CT_OK && *ret_seconds >= least && *ret_seconds <= most)
        return CT_OK;
    return fail(reader, "seconds '%.40s': expected a decimal number greater than 0, from %g to %g", word,
                least, most);
}

static int add(struct reader *reader, const struct ct_point_sample *sample)
{
    struct ct_point_samples *samples = &reader->samples;
    if (ct_grow(&samples->samples, &reader->sample_capacity, samples->sample_count + 1,
                sizeof *samples->samples) != CT_OK)
        return out_of_memory(reader);
    samples->samples[samples->sample_count++] = *sample;
    return CT_OK;
}

static int read_row(struct reader *reader, char *line)
{
    char *fields[COLUMNS], *rest = line;
    size_t count = 0, partner, rep;
    for (char *field = strsep(&rest, ","); field; field = strsep(&rest, ",")) {
        if (count < COLUMNS)
            fields[count] = field;
        count++;
    }
    if (count != COLUMNS)
        return fail(reader, "%zu fields: expected %d, which are %s", count, COLUMNS, header);
    struct ct_point_sample sample = {.kind = 0};
    while (sample.kind < CT_POINT_KINDS && strcmp(ct_point_kind_names[sample.kind], fields[KIND]) != 0)
        sample.kind++;
    if (sample.kind == CT_POINT_KINDS)
        return fail(reader, "kind '%.40s': expected round_trip, send, receive, gap or work", fields[KIND]);
    int status = find_subject(reader, fields[SUBJECT], &sample.subject);
    if (status == CT_OK && (sample.kind == CT_POINT_WORK) != (strchr(fields[SUBJECT], '/') != NULL))
        status = fail(reader, "subject '%.40s' of kind %s: expected %s", fields[SUBJECT], fields[KIND],
                      sample.kind == CT_POINT_WORK ? "OPERATION/TYPE" : "network or node");
    if (status == CT_OK)
        status = read_whole(reader, fields, PARTNER, UINT32_MAX, &partner);
    if (status == CT_OK)
        status = read_whole(reader, fields, BYTES, bytes_max, &sample.bytes);
    if (status == CT_OK)
        status = read_whole(reader, fields, REP, UINT32_MAX, &rep);
    if (status == CT_OK)
        status = read_seconds(reader, fields[SECONDS], &sample.seconds);
    if (status != CT_OK)
        return status;
    sample.partner = (uint32_t)partner;
    sample.rep = (uint32_t)rep;
    return add(reader, &sample);
}

static int read_line(struct reader *reader, char *line)
{
    if (!is_printable(line))
        return fail(reader, "expected printable ASCII in lines that end in a newline alone");
    if (reader->line == 1) {
        if (strncmp(line, mark, strlen(mark)) != 0)
            return fail(reader, "expected a file that begins with '%s'", mark);
        reader->samples.about = strdup(line + strlen(mark));
        return reader->samples.about ? CT_OK : out_of_memory(reader);
    }
    if (reader->line > 2)
        return read_row(reader, line);
    return strcmp(line, header) == 0 ? CT_OK : fail(reader, "wrong header: expected '%s'", header);
}

static int compare_rows(const void *a, const void *b)
{
    const struct ct_point_sample *left = a, *right = b;
    const size_t keys[][2] = {{left->kind, right->kind},
                              {left->subject, right->subject},
                              {left->partner, right->partner},
                              {left->bytes, right->bytes},
                              {left->rep, right->rep}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

/* No repetition comes twice, as two files put together would have it. */
static int check_repetitions(const struct reader *reader)
{
    const struct ct_point_samples *samples = &reader->samples;
    struct ct_point_sample *sorted = ct_allocate(samples->sample_count, sizeof *sorted);
    int status = CT_OK;
    if (!sorted)
        return out_of_memory(reader);
    memcpy(sorted, samples->samples, samples->sample_count * sizeof *sorted);
    qsort(sorted, samples->sample_count, sizeof *sorted, compare_rows);
    for (size_t i = 1; status == CT_OK && i < samples->sample_count; i++)
        if (compare_rows(&sorted[i - 1], &sorted[i]) == 0)
            status = ct_fail(
                reader->error, CT_E_INPUT,
                "%s: rep %u of %s, %s with partner %u, %zu bytes, stands here twice: expected each once",
                reader->name, sorted[i].rep, ct_point_kind_names[sorted[i].kind],
                samples->subjects[sorted[i].subject], sorted[i].partner, sorted[i].bytes);
    free(sorted);
    return status;
}

static int read_text(struct reader *reader, char *text, size_t length)
{
    int status = CT_OK;
    reader->line = 1;
    if (strlen(text) != length)
        return fail(reader, "a zero byte: expected text");
    if (length > 0 && text[length - 1] != '\n')
        return fail(reader, "the file does not end in a newline: is it whole?");
    char *rest = text;
    for (char *line = strsep(&rest, "\n"); status == CT_OK && rest; line = strsep(&rest, "\n")) {
        status = read_line(reader, line);
        reader->line++;
    }
    if (status == CT_OK && reader->samples.sample_count == 0)
        return ct_fail(reader->error, CT_E_INPUT, "%s: no samples: expected '%s', the header '%s', and rows",
                       reader->name, mark, header);
    return status == CT_OK ? check_repetitions(reader) : status;
}

int ct_point_samples_parse(const char *text, size_t length, const char *name, struct ct_error *error,
                           struct ct_point_samples *ret_samples)
{
    struct reader reader = {.name = name, .error = error, .samples.name = strdup(name)};
    char *copy = ct_allocate(length + 1, 1);
    int status = copy && reader.samples.name ? CT_OK : out_of_memory(&reader);
    if (status == CT_OK) {
        memcpy(copy, text, length);
        status = read_text(&reader, copy, length);
    }
    free(copy);
    if (status == CT_OK)
        *ret_samples = reader.samples;
    else
        ct_point_samples_free(&reader.samples);
    return status;
}

int ct_point_samples_read(const char *path, struct ct_error *error, struct ct_point_samples *ret_samples)
{
    char *text;
    size_t length;
    int status = ct_file_read(path, error, &text, &length);
    if (status != CT_OK)
        return status;
    status = ct_point_samples_parse(text, length, path, error, ret_samples);
    free(text);
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
    char *heading = ct_format("%s%s\n%s\n", mark, about, header);
    char *end = heading ? heading + strlen(mark) + strlen(about) : NULL;
    for (char *at = heading; at && at < end; at++)
        if (*at < ' ' || *at > '~')
            *at = ' ';
    return heading;
}
