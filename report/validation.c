/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/validation.h"

#include "base/memory.h"
#include "base/rows.h"
#include "base/sort.h"
#include "base/text.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum column {
    COLLECTIVE,
    COMM_SIZE,
    MSG_BYTES,
    METHOD,
    TUNED,
    NATIVE,
    LOW,
    HIGH,
    MODE,
    COLUMNS_BLOCKING, /* so many columns have all files */
    COMPUTATION = COLUMNS_BLOCKING,
    TUNED_COMPLETION,
    TUNED_IN_MPI,
    TUNED_HIDDEN,
    NATIVE_COMPLETION,
    NATIVE_IN_MPI,
    NATIVE_HIDDEN,
    COLUMNS_OVERLAPS,
    COLUMNS_MOST = COLUMNS_OVERLAPS + 2 /* the last columns, if there are roots or patterns */
};

#define BLOCKING_COLUMNS                                                                                     \
    "collective,comm_size,msg_bytes,method,tuned_seconds,native_seconds,speed_up_low,speed_up_high,mode"
#define OVERLAP_COLUMNS_TEXT                                                                                 \
    ",computation,tuned_completion,tuned_in_mpi,tuned_hidden,native_completion,native_in_mpi,native_hidden"
#define ROOT_COLUMN    "root"
#define PATTERN_COLUMN "pattern"

/* By form: roots, patterns. */
#define HEADERS(columns)                                                                                     \
    {                                                                                                        \
        {columns, columns "," PATTERN_COLUMN},                                                               \
        {                                                                                                    \
            columns "," ROOT_COLUMN, columns "," ROOT_COLUMN "," PATTERN_COLUMN                              \
        }                                                                                                    \
    }

/* By form: overlaps, roots, patterns. */
static const char *const headers[2][2][2] = {HEADERS(BLOCKING_COLUMNS),
                                             HEADERS(BLOCKING_COLUMNS OVERLAP_COLUMNS_TEXT)};

const char *ct_validation_header(struct ct_validation_form form)
{
    return headers[form.overlaps][form.roots][form.patterns];
}

/* A file that is read. */
struct reading {
    struct ct_rows rows;
    struct ct_validation_form form;
    const char *columns[COLUMNS_MOST];
    struct ct_validation *validation;
};

/* The numbers of what calls overlapped, in the order of their columns. */
static const struct {
    const char *name;
    size_t offset;
    bool is_share; /* from 0 to 1; else seconds, more than 0 */
} overlap_columns[COLUMNS_OVERLAPS - COLUMNS_BLOCKING] = {
#define IN(side, member) offsetof(struct ct_validation_point, side##_overlap.member)
    {"computation", IN(tuned, computation), false},       {"tuned_completion", IN(tuned, completion), false},
    {"tuned_in_mpi", IN(tuned, in_mpi), false},           {"tuned_hidden", IN(tuned, hidden), true},
    {"native_completion", IN(native, completion), false}, {"native_in_mpi", IN(native, in_mpi), false},
    {"native_hidden", IN(native, hidden), true},
#undef IN
};

enum { OVERLAP_COLUMNS = COLUMNS_OVERLAPS - COLUMNS_BLOCKING };

void ct_validation_append(const struct ct_validation_point *point, const char *method,
                          struct ct_validation_form form, struct ct_text *text)
{
    ct_text_append(text, "%s,%u,%zu,\"%s\",%.9g,%.9g,%.9g,%.9g,%s", ct_collectives[point->collective].name,
                   point->key.comm_size, point->key.msg_bytes, method, point->tuned, point->native,
                   point->low, point->high, ct_mode_names[point->key.mode]);
    for (size_t i = 0; form.overlaps && i < OVERLAP_COLUMNS; i++)
        if (point->key.mode == CT_MODE_BLOCKING)
            ct_text_append(text, ",");
        else
            ct_text_append(text, ",%.9g", *(const double *)((const char *)point + overlap_columns[i].offset));
    if (form.roots && ct_collectives[point->collective].has_root)
        ct_text_append(text, ",%u", point->key.root);
    else if (form.roots)
        ct_text_append(text, ",");
    if (form.patterns)
        ct_text_append(text, ",");
    if (form.patterns && point->pattern)
        ct_text_append_quoted(text, point->pattern);
    ct_text_append(text, "\n");
}

static int read_key(const struct ct_rows *rows, enum column column, enum ct_key which,
                    struct ct_cell_key *key)
{
    const struct ct_key_descriptor *descriptor = &ct_key_descriptors[which];
    size_t value;
    int status = ct_rows_whole(rows, column, descriptor->least, descriptor->most, &value);
    if (status == CT_OK)
        ct_key_set(key, descriptor, value);
    return status;
}

static int read_positive(const struct ct_rows *rows, enum column column, double *ret_number)
{
    double number;
    int status = ct_rows_number(rows, column, &number);
    if (status == CT_OK && !(number > 0))
        return ct_rows_fail(rows, "%s '%.40s': expected more than 0", rows->columns[column],
                            rows->fields[column]);
    if (status == CT_OK)
        *ret_number = number;
    return status;
}

/* Numbers where the calls are not blocking, else nothing. */
static int read_overlaps(const struct reading *reading, struct ct_validation_point *point)
{
    const struct ct_rows *rows = &reading->rows;
    const bool has_numbers = point->key.mode != CT_MODE_BLOCKING;
    if (has_numbers && !reading->form.overlaps)
        return ct_rows_fail(rows, "mode '%s': expected '%s', because the file has no columns for overlaps",
                            rows->fields[MODE], ct_mode_names[CT_MODE_BLOCKING]);
    for (size_t i = COLUMNS_BLOCKING; reading->form.overlaps && i < COLUMNS_OVERLAPS; i++) {
        const size_t which = i - COLUMNS_BLOCKING;
        double number;
        if (!has_numbers && *rows->fields[i])
            return ct_rows_fail(rows, "%s '%.40s': expected nothing for a blocking call", rows->columns[i],
                                rows->fields[i]);
        if (!has_numbers)
            continue;
        int status = ct_rows_number(rows, i, &number);
        if (status != CT_OK)
            return status;
        if (overlap_columns[which].is_share ? number < 0 || number > 1 : !(number > 0))
            return ct_rows_fail(rows, "%s '%.40s': expected %s", rows->columns[i], rows->fields[i],
                                overlap_columns[which].is_share ? "a share from 0 to 1" : "more than 0");
        *(double *)((char *)point + overlap_columns[which].offset) = number;
    }
    point->native_overlap.computation = point->tuned_overlap.computation;
    return CT_OK;
}

/* Keeps the pattern's text. NULL without memory. */
static const char *keep_pattern(struct ct_validation *validation, const char *text)
{
    for (size_t i = 0; i < validation->pattern_count; i++)
        if (strcmp(validation->patterns[i], text) == 0)
            return validation->patterns[i];
    char *copy = strdup(text);
    char **grown =
        reallocarray(validation->patterns, validation->pattern_count + 1, sizeof *validation->patterns);
    if (grown)
        validation->patterns = grown;
    if (!copy || !grown) {
        free(copy);
        return NULL;
    }
    return grown[validation->pattern_count++] = copy;
}

/* A rank where the collective has a root, else nothing. */
static int read_root(const struct reading *reading, struct ct_validation_point *point)
{
    const struct ct_rows *rows = &reading->rows;
    const size_t column = rows->column_count - 1 - reading->form.patterns;
    size_t root;
    if (!reading->form.roots)
        return CT_OK;
    if (!ct_collectives[point->collective].has_root)
        return *rows->fields[column] == '\0'
                   ? CT_OK
                   : ct_rows_fail(rows, ROOT_COLUMN " '%.40s': expected nothing for %s", rows->fields[column],
                                  rows->fields[COLLECTIVE]);
    int status = ct_rows_whole(rows, column, 0, point->key.comm_size - 1, &root);
    if (status == CT_OK)
        point->key.root = (uint32_t)root;
    return status;
}

/* A text where the collective is sparse, else nothing. */
static int read_pattern(const struct reading *reading, struct ct_validation_point *point)
{
    const struct ct_rows *rows = &reading->rows;
    const bool is_sparse = ct_collectives[point->collective].is_sparse;
    if (is_sparse && !reading->form.patterns)
        return ct_rows_fail(rows, "%s: expected a column for its pattern", rows->fields[COLLECTIVE]);
    const char *text = reading->form.patterns ? rows->fields[rows->column_count - 1] : "";
    if (is_sparse != (*text != '\0'))
        return ct_rows_fail(rows, PATTERN_COLUMN " '%.40s': expected %s for %s", text,
                            is_sparse ? "a pattern" : "nothing", rows->fields[COLLECTIVE]);
    if (!is_sparse)
        return CT_OK;
    point->pattern = keep_pattern(reading->validation, text);
    point->key.pattern = ct_pattern_id(text);
    return point->pattern ? CT_OK : ct_rows_no_memory(rows);
}

static int read_point(const struct reading *reading, struct ct_validation_point *ret_point)
{
    const struct ct_rows *rows = &reading->rows;
    struct ct_validation_point point = {.collective = ct_collective_find(rows->fields[COLLECTIVE])};
    struct ct_error why = {""};
    if (point.collective == CT_COLLECTIVES)
        return ct_rows_fail(rows, "unknown collective '%.40s'", rows->fields[COLLECTIVE]);
    int status = read_key(rows, COMM_SIZE, CT_KEY_COMM_SIZE, &point.key);
    if (status == CT_OK)
        status = read_key(rows, MSG_BYTES, CT_KEY_MSG_BYTES, &point.key);
    if (status != CT_OK)
        return status;
    if (point.key.msg_bytes > 0 && !ct_collectives[point.collective].has_size)
        return ct_rows_fail(rows, "msg_bytes %zu: expected 0, because %s has no message size",
                            point.key.msg_bytes, rows->fields[COLLECTIVE]);
    if (ct_method_parse(rows->fields[METHOD], point.collective, &why, &point.method) != CT_OK)
        return ct_rows_fail(rows, "%s", why.text);
    if ((status = read_positive(rows, TUNED, &point.tuned)) != CT_OK ||
        (status = read_positive(rows, NATIVE, &point.native)) != CT_OK ||
        (status = read_positive(rows, LOW, &point.low)) != CT_OK ||
        (status = read_positive(rows, HIGH, &point.high)) != CT_OK)
        return status;
    const double speed_up = point.native / point.tuned, digits = 1e-6;
    if (point.low > speed_up * (1 + digits) || point.high < speed_up * (1 - digits))
        return ct_rows_fail(rows, "the interval %s to %s does not hold the speed-up of %.9g",
                            rows->fields[LOW], rows->fields[HIGH], speed_up);
    size_t mode;
    if ((status = ct_rows_choice(rows, MODE, ct_mode_names, CT_MODES, &mode)) != CT_OK)
        return status;
    point.key.mode = (uint32_t)mode;
    if ((status = read_overlaps(reading, &point)) != CT_OK ||
        (status = read_root(reading, &point)) != CT_OK || (status = read_pattern(reading, &point)) != CT_OK)
        return status;
    *ret_point = point;
    return CT_OK;
}

static int compare_points(const void *left, const void *right)
{
    const struct ct_validation_point *a = left, *b = right;
    int order = CT_COMPARE(a->key.mode, b->key.mode);
    order = order != 0 ? order : CT_COMPARE(a->collective, b->collective);
    if (order == 0 && a->pattern && b->pattern)
        order = strcmp(a->pattern, b->pattern);
    order = order != 0 ? order : CT_COMPARE(a->key.root, b->key.root);
    return order != 0 ? order : ct_cell_key_compare(&a->key, &b->key);
}

/* Sorts the points and refuses two of the same place. */
static int finish(const struct ct_rows *rows, struct ct_validation *validation)
{
    if (rows->torn)
        return ct_rows_fail(rows, "the line has no end: is the file whole?");
    if (validation->count == 0)
        return ct_rows_fail(rows, "no points: expected a row for each");
    qsort(validation->points, validation->count, sizeof *validation->points, compare_points);
    for (size_t i = 1; i < validation->count; i++) {
        const struct ct_validation_point *point = &validation->points[i];
        char root[24] = "";
        if (compare_points(point - 1, point) != 0)
            continue;
        if (point->key.root > 0)
            snprintf(root, sizeof root, ", root %u,", point->key.root);
        return ct_fail(rows->error, CT_E_INPUT,
                       "%s: %s %s%s%.60s with %u ranks%s and %zu byte%s occurs twice: expected one row per "
                       "point",
                       rows->name, ct_mode_names[point->key.mode], ct_collectives[point->collective].name,
                       point->pattern ? ", " : "", point->pattern ? point->pattern : "", point->key.comm_size,
                       root, point->key.msg_bytes, ct_s(point->key.msg_bytes));
    }
    return CT_OK;
}

/* The header says which columns there are. */
static int read_header(struct reading *reading)
{
    struct ct_rows *rows = &reading->rows;
    char *line;
    int status = ct_rows_line(rows, &line);
    if (status != CT_OK)
        return status;
    for (int form = 0; line && form < 8; form++) {
        reading->form =
            (struct ct_validation_form){.overlaps = form & 1, .roots = form & 2, .patterns = form & 4};
        if (strcmp(line, ct_validation_header(reading->form)) != 0)
            continue;
        rows->column_count = reading->form.overlaps ? COLUMNS_OVERLAPS : COLUMNS_BLOCKING;
        if (reading->form.roots)
            reading->columns[rows->column_count++] = ROOT_COLUMN;
        if (reading->form.patterns)
            reading->columns[rows->column_count++] = PATTERN_COLUMN;
        return CT_OK;
    }
    if (rows->line == 0) {
        rows->line = 1;
        return ct_rows_fail(rows, "the file is empty: expected the header '%s'", headers[0][0][0]);
    }
    return ct_rows_fail(
        rows, "wrong header: expected '%s', and columns for overlaps, roots and patterns where there are any",
        headers[0][0][0]);
}

static int read_all(struct reading *reading)
{
    struct ct_rows *rows = &reading->rows;
    struct ct_validation *validation = reading->validation;
    size_t capacity = 0;
    bool found = true;
    int status = read_header(reading);
    while (status == CT_OK && (status = ct_rows_next(rows, &found)) == CT_OK && found) {
        struct ct_validation_point point;
        status = read_point(reading, &point);
        if (status != CT_OK)
            return status;
        if (ct_grow(&validation->points, &capacity, validation->count + 1, sizeof point) != CT_OK)
            return ct_rows_no_memory(rows);
        validation->points[validation->count++] = point;
    }
    return status == CT_OK ? finish(rows, validation) : status;
}

/* Reads from `file`, or from a text if that is NULL. */
static int read_rows(FILE *file, const char *text, size_t length, const char *name, struct ct_error *error,
                     struct ct_validation *ret_validation)
{
    struct ct_validation validation = {0};
    struct reading reading = {.columns = {[COLLECTIVE] = "collective",
                                          [COMM_SIZE] = ct_key_descriptors[CT_KEY_COMM_SIZE].name,
                                          [MSG_BYTES] = ct_key_descriptors[CT_KEY_MSG_BYTES].name,
                                          [METHOD] = "method",
                                          [TUNED] = "tuned_seconds",
                                          [NATIVE] = "native_seconds",
                                          [LOW] = "speed_up_low",
                                          [HIGH] = "speed_up_high",
                                          [MODE] = ct_key_descriptors[CT_KEY_MODE].name},
                              .validation = &validation};
    for (size_t i = 0; i < OVERLAP_COLUMNS; i++)
        reading.columns[COLUMNS_BLOCKING + i] = overlap_columns[i].name;
    reading.rows = (struct ct_rows){
        .name = name, .columns = reading.columns, .column_count = COLUMNS_BLOCKING, .error = error};
    int status = file ? ct_rows_begin(&reading.rows, file) : ct_rows_begin_text(&reading.rows, text, length);
    if (status == CT_OK)
        status = read_all(&reading);
    ct_rows_close(&reading.rows);
    if (status == CT_OK)
        *ret_validation = validation;
    else
        ct_validation_free(&validation);
    return status;
}

unsigned ct_validation_modes(const struct ct_validation *validation)
{
    unsigned modes = 0;
    for (size_t i = 0; i < validation->count; i++)
        modes |= 1U << validation->points[i].key.mode;
    return modes;
}

struct ct_validation ct_validation_of_mode(const struct ct_validation *validation, enum ct_call_mode mode)
{
    struct ct_validation part = {.points = validation->points};
    while (part.points < validation->points + validation->count && part.points->key.mode < mode)
        part.points++;
    while (part.points + part.count < validation->points + validation->count &&
           part.points[part.count].key.mode == mode)
        part.count++;
    return part;
}

void ct_validation_name(const struct ct_validation_point *point, struct ct_text *text)
{
    char bytes[CT_SIZE_TEXT];
    const enum ct_call_mode mode = (enum ct_call_mode)point->key.mode;
    ct_text_append(text, "%s%s%s", mode == CT_MODE_BLOCKING ? "" : ct_mode_names[mode],
                   mode == CT_MODE_BLOCKING ? "" : " ", ct_collectives[point->collective].name);
    if (ct_collectives[point->collective].has_size)
        ct_text_append(text, " of %s bytes", ct_size_format(point->key.msg_bytes, bytes));
    ct_text_append(text, " on %u ranks%s%s", point->key.comm_size, point->pattern ? " with " : "",
                   point->pattern ? point->pattern : "");
}

const char *ct_validation_remark(const struct ct_validation_point *point)
{
    return ct_is_native(point->method.algorithm) ? " (native through the library)" : "";
}

bool ct_validation_is_slower(const struct ct_validation_point *point)
{
    return point->high < CT_VALIDATION_SLOWER;
}

double ct_validation_speed_up(const struct ct_validation_point *point)
{
    return point->native / point->tuned;
}

static int compare_speed_up(const void *a, const void *b)
{
    double left = ct_validation_speed_up(*(const struct ct_validation_point *const *)a);
    double right = ct_validation_speed_up(*(const struct ct_validation_point *const *)b);
    return CT_COMPARE(left, right);
}

int ct_validation_slower(const struct ct_validation *validation,
                         const struct ct_validation_point ***ret_slower, size_t *ret_count)
{
    const struct ct_validation_point **slower = ct_allocate(validation->count + 1, sizeof *slower);
    size_t count = 0;
    if (!slower)
        return CT_E_MEMORY;
    for (size_t i = 0; i < validation->count; i++)
        if (ct_validation_is_slower(&validation->points[i]))
            slower[count++] = &validation->points[i];
    qsort(slower, count, sizeof *slower, compare_speed_up);
    *ret_slower = slower;
    *ret_count = count;
    return CT_OK;
}

int ct_validation_parse(const char *text, size_t length, const char *name, struct ct_error *error,
                        struct ct_validation *ret_validation)
{
    return read_rows(NULL, text, length, name, error, ret_validation);
}

int ct_validation_read(const char *path, struct ct_error *error, struct ct_validation *ret_validation)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return ct_fail(error, CT_E_SYSTEM, "%s: %s", path, strerror(errno));
    int status = read_rows(file, NULL, 0, path, error, ret_validation);
    fclose(file);
    return status;
}

void ct_validation_free(struct ct_validation *validation)
{
    for (size_t i = 0; i < validation->pattern_count; i++)
        free(validation->patterns[i]);
    free(validation->patterns);
    free(validation->points);
    *validation = (struct ct_validation){0};
}
