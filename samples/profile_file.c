/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/profile_file.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/rows.h"
#include "base/sort.h"
#include "plan/cell_key.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- a line --- */

static int read_key(const struct ct_rows *rows, enum ct_profile_column column, enum ct_key key,
                    size_t *ret_value)
{
    const struct ct_key_descriptor *about = &ct_key_descriptors[key];
    return ct_rows_whole(rows, column, about->least, about->most, ret_value);
}

static int read_seconds(const struct ct_rows *rows, enum ct_profile_column column, double *ret_seconds)
{
    int status = ct_rows_number(rows, column, ret_seconds);
    if (status == CT_OK && *ret_seconds < 0)
        return ct_rows_fail(rows, "%s '%.40s': expected 0 or more", rows->columns[column],
                            rows->fields[column]);
    return status;
}

static int read_what(const struct ct_rows *rows, struct ct_profile_line *line)
{
    struct ct_error why = {""};
    size_t mode;
    int status;
    line->collective = ct_collective_find(rows->fields[CT_PROFILE_COLLECTIVE]);
    if (line->collective == CT_COLLECTIVES)
        return ct_rows_fail(rows, "unknown collective '%.40s'", rows->fields[CT_PROFILE_COLLECTIVE]);
    if ((status = ct_rows_choice(rows, CT_PROFILE_MODE, ct_mode_names, CT_MODES, &mode)) != CT_OK ||
        (status = read_key(rows, CT_PROFILE_COMM_SIZE, CT_KEY_COMM_SIZE, &line->comm_size)) != CT_OK ||
        (status = read_key(rows, CT_PROFILE_MSG_BYTES, CT_KEY_MSG_BYTES, &line->msg_bytes)) != CT_OK)
        return status;
    line->mode = (enum ct_call_mode)mode;
    if (ct_profile_class(line->msg_bytes) != line->msg_bytes)
        return ct_rows_fail(rows, "msg_bytes %zu: expected 0 or a power of two", line->msg_bytes);
    if (line->msg_bytes > 0 && !ct_collectives[line->collective].has_size)
        return ct_rows_fail(rows, "msg_bytes %zu: expected 0, because %s has no message size",
                            line->msg_bytes, ct_collectives[line->collective].name);
    if (ct_method_parse(rows->fields[CT_PROFILE_METHOD], line->collective, &why, &line->method) != CT_OK)
        return ct_rows_fail(rows, "%s", why.text);
    return CT_OK;
}

static int read_line(const struct ct_rows *rows, struct ct_profile_line *ret_line)
{
    struct ct_profile_line line = {0};
    int status;
    if ((status = ct_rows_whole(rows, CT_PROFILE_RANK, 0, INT_MAX, &line.rank)) != CT_OK ||
        (status = read_what(rows, &line)) != CT_OK ||
        (status = ct_rows_whole(rows, CT_PROFILE_CALLS, 1, SIZE_MAX, &line.calls)) != CT_OK ||
        (status = ct_rows_whole(rows, CT_PROFILE_BYTES, 0, SIZE_MAX, &line.bytes)) != CT_OK ||
        (status = read_seconds(rows, CT_PROFILE_SECONDS, &line.seconds)) != CT_OK ||
        (status = read_seconds(rows, CT_PROFILE_WAITING, &line.waiting)) != CT_OK)
        return status;
    if (line.msg_bytes == 0 && line.bytes > 0)
        return ct_rows_fail(rows, "bytes %zu: expected 0, because msg_bytes is 0", line.bytes);
    if (line.waiting > line.seconds)
        return ct_rows_fail(rows, "waiting %.9g: expected at most the seconds, %.9g", line.waiting,
                            line.seconds);
    *ret_line = line;
    return CT_OK;
}

/* --- files --- */

/* Appends the lines. */
static int read_lines(struct ct_rows *rows, struct ct_profile_file *profile)
{
    bool found = true;
    int status = ct_rows_header(rows);
    while (status == CT_OK && (status = ct_rows_next(rows, &found)) == CT_OK && found) {
        struct ct_profile_line line;
        if ((status = read_line(rows, &line)) != CT_OK)
            return status;
        if (ct_grow(&profile->lines, &profile->capacity, profile->count + 1, sizeof line) != CT_OK)
            return ct_rows_no_memory(rows);
        profile->lines[profile->count++] = line;
    }
    return status == CT_OK && rows->torn ? ct_rows_fail(rows, "the line has no end: is the file whole?")
                                         : status;
}

static int append_text(const char *text, size_t length, const char *name, struct ct_error *error,
                       struct ct_profile_file *profile)
{
    struct ct_rows rows = {
        .name = name, .columns = ct_profile_columns, .column_count = CT_PROFILE_COLUMNS, .error = error};
    int status = ct_rows_begin_text(&rows, text, length);
    if (status == CT_OK)
        status = read_lines(&rows, profile);
    ct_rows_close(&rows);
    return status;
}

static int append_file(const char *path, struct ct_error *error, struct ct_profile_file *profile)
{
    char *text = NULL;
    size_t length;
    int status = ct_lines_read(path, error, &text, &length);
    if (status == CT_OK)
        status = append_text(text, length, path, error, profile);
    free(text);
    return status;
}

static bool is_part(const char *name, const char *whole)
{
    size_t length = strlen(whole);
    if (strncmp(name, whole, length) != 0 || name[length] != '.' || !name[length + 1])
        return false;
    const char *rank = name + length + 1;
    return rank[strspn(rank, "0123456789")] == '\0';
}

/* Calls `visit` with each part that lies beside where the whole would be, until one fails. */
static int visit_parts(const char *path, struct ct_error *error,
                       int (*visit)(const char *part, struct ct_error *error, void *context), void *context)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *folder = slash ? ct_format("%.*s", (int)(slash - path + 1), path) : strdup("./");
    DIR *entries = folder ? opendir(folder) : NULL;
    int status = folder ? CT_OK : CT_E_MEMORY;
    for (struct dirent *entry; status == CT_OK && entries && (entry = readdir(entries));) {
        if (!is_part(entry->d_name, name))
            continue;
        char *part = ct_format("%s%s", folder, entry->d_name);
        status = part ? visit(part, error, context) : CT_E_MEMORY;
        free(part);
    }
    if (entries)
        closedir(entries);
    free(folder);
    return status;
}

struct parts {
    struct ct_profile_file *profile;
    size_t count;
};

static int append_part(const char *part, struct ct_error *error, void *context)
{
    struct parts *parts = context;
    parts->count++;
    return append_file(part, error, parts->profile);
}

static int refuse_part(const char *part, struct ct_error *error, void *context)
{
    (void)context;
    return ct_fail(error, CT_E_INPUT, "%s: exists already: a part of an earlier profile", part);
}

int ct_profile_parts_are_new(const char *path, struct ct_error *error)
{
    return visit_parts(path, error, refuse_part, NULL);
}

int ct_profile_file_read(const char *path, struct ct_error *error, struct ct_profile_file *ret_profile)
{
    struct ct_profile_file profile = {0};
    struct parts parts = {.profile = &profile};
    int status = CT_OK;
    if (access(path, F_OK) != 0)
        status = visit_parts(path, error, append_part, &parts);
    if (status == CT_OK && parts.count == 0)
        status = append_file(path, error, &profile);
    if (status == CT_OK)
        *ret_profile = profile;
    else
        ct_profile_file_free(&profile);
    return status;
}

int ct_profile_file_parse(const char *text, size_t length, const char *name, struct ct_error *error,
                          struct ct_profile_file *ret_profile)
{
    struct ct_profile_file profile = {0};
    int status = append_text(text, length, name, error, &profile);
    if (status == CT_OK)
        *ret_profile = profile;
    else
        ct_profile_file_free(&profile);
    return status;
}

void ct_profile_file_free(struct ct_profile_file *profile)
{
    free(profile->lines);
    *profile = (struct ct_profile_file){0};
}

/* --- sums --- */

static int compare_keys(const struct ct_profile_cell *a, const struct ct_profile_cell *b)
{
    int order = CT_COMPARE(a->collective, b->collective);
    order = order ? order : CT_COMPARE(a->mode, b->mode);
    order = order ? order : CT_COMPARE(a->comm_size, b->comm_size);
    return order ? order : CT_COMPARE(a->msg_bytes, b->msg_bytes);
}

static int by_key(const void *a, const void *b)
{
    return compare_keys(a, b);
}

static int by_time(const void *left, const void *right)
{
    const struct ct_profile_cell *a = left, *b = right;
    int order = CT_COMPARE(b->seconds, a->seconds);
    return order ? order : compare_keys(a, b);
}

int ct_profile_cells(const struct ct_profile_file *profile, struct ct_profile_cell **ret_cells,
                     size_t *ret_count)
{
    struct ct_profile_cell *cells = ct_allocate(profile->count + 1, sizeof *cells);
    size_t count = 0;
    if (!cells)
        return CT_E_MEMORY;
    for (size_t i = 0; i < profile->count; i++) {
        const struct ct_profile_line *line = &profile->lines[i];
        cells[i] = (struct ct_profile_cell){line->collective, line->mode,          line->comm_size,
                                            line->msg_bytes,  (double)line->calls, (double)line->bytes,
                                            line->seconds,    line->waiting};
    }
    qsort(cells, profile->count, sizeof *cells, by_key);
    for (size_t i = 0; i < profile->count; i++) {
        struct ct_profile_cell *sum = count > 0 ? &cells[count - 1] : NULL;
        if (!sum || compare_keys(sum, &cells[i]) != 0) {
            cells[count++] = cells[i];
            continue;
        }
        sum->calls += cells[i].calls;
        sum->bytes += cells[i].bytes;
        sum->seconds += cells[i].seconds;
        sum->waiting += cells[i].waiting;
    }
    qsort(cells, count, sizeof *cells, by_time);
    *ret_cells = cells;
    *ret_count = count;
    return CT_OK;
}
