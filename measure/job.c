/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/job.h"
#include "base/memory.h"
#include "base/number.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char first_line[] = "colltune-job 5";

int ct_job_add_method(struct ct_job *job, const struct ct_method *method)
{
    int status = ct_grow(&job->methods, &job->method_capacity, job->method_count + 1, sizeof *job->methods);
    if (status == CT_OK)
        job->methods[job->method_count++] = *method;
    return status;
}

int ct_job_add_pattern(struct ct_job *job, const struct ct_job_pattern *pattern)
{
    int status =
        ct_grow(&job->patterns, &job->pattern_capacity, job->pattern_count + 1, sizeof *job->patterns);
    if (status == CT_OK)
        job->patterns[job->pattern_count++] = *pattern;
    else
        free(pattern->edges);
    return status;
}

int ct_job_add_cell(struct ct_job *job, const struct ct_job_cell *cell)
{
    int status = ct_grow(&job->cells, &job->cell_capacity, job->cell_count + 1, sizeof *job->cells);
    if (status != CT_OK)
        return status;
    job->cells[job->cell_count] = *cell;
    job->cells[job->cell_count].first = job->index_count;
    job->cells[job->cell_count++].method_count = 0;
    return CT_OK;
}

int ct_job_add_index(struct ct_job *job, size_t method)
{
    int status = ct_grow(&job->indexes, &job->index_capacity, job->index_count + 1, sizeof *job->indexes);
    if (status != CT_OK)
        return status;
    job->indexes[job->index_count++] = method;
    job->cells[job->cell_count - 1].method_count++;
    return CT_OK;
}

/* The lines `NAME VALUE` at the file's head, in order: texts, whole numbers, others, and words. */
static const struct field {
    const char *name;
    enum { TEXT, WHOLE, NUMBER, SYNC, MODE, DATATYPE, OPERATION } kind;
    size_t offset;
    size_t most; /* whole: 0: no bound */
} fields[] = {
    {"results", TEXT, offsetof(struct ct_job, results)},
    {"state", TEXT, offsetof(struct ct_job, state)},
    {"alive", TEXT, offsetof(struct ct_job, alive)},
    {"host", TEXT, offsetof(struct ct_job, host)},
    {"supervisor", WHOLE, offsetof(struct ct_job, supervisor)},
    {"seed", WHOLE, offsetof(struct ct_job, seed)},
    {"size", WHOLE, offsetof(struct ct_job, size)},
    {"warmup", WHOLE, offsetof(struct ct_job, warmup)},
    {"sync", SYNC, offsetof(struct ct_job, sync)},
    {"mode", MODE, offsetof(struct ct_job, mode)},
    {"compute", NUMBER, offsetof(struct ct_job, compute)},
    {"tests", WHOLE, offsetof(struct ct_job, tests), CT_JOB_TESTS_MOST},
    {"least", WHOLE, offsetof(struct ct_job, rule.least)},
    {"most", WHOLE, offsetof(struct ct_job, rule.most)},
    {"precision", NUMBER, offsetof(struct ct_job, rule.precision)},
    {"seconds", NUMBER, offsetof(struct ct_job, rule.most_seconds)},
    {"race", NUMBER, offsetof(struct ct_job, race)},
    {"budget", NUMBER, offsetof(struct ct_job, budget)},
    {"datatype", DATATYPE, offsetof(struct ct_job, datatype)},
    {"operation", OPERATION, offsetof(struct ct_job, operation)},
};

enum { FIELDS = sizeof fields / sizeof fields[0] };

void ct_job_write(const struct ct_job *job, struct ct_text *text)
{
    ct_text_append(text, "%s\n", first_line);
    for (int i = 0; i < FIELDS; i++) {
        const void *value = (const char *)job + fields[i].offset;
        if (fields[i].kind == TEXT)
            ct_text_append(text, "%s %s\n", fields[i].name, *(char *const *)value);
        else if (fields[i].kind == WHOLE)
            ct_text_append(text, "%s %zu\n", fields[i].name, *(const size_t *)value);
        else if (fields[i].kind == SYNC)
            ct_text_append(text, "%s %s\n", fields[i].name, ct_sync_modes[*(const enum ct_sync *)value].name);
        else if (fields[i].kind == MODE)
            ct_text_append(text, "%s %s\n", fields[i].name, ct_mode_names[*(const enum ct_call_mode *)value]);
        else if (fields[i].kind == DATATYPE)
            ct_text_append(text, "%s %s\n", fields[i].name,
                           ct_data_types[*(const enum ct_data_type *)value].name);
        else if (fields[i].kind == OPERATION)
            ct_text_append(text, "%s %s\n", fields[i].name,
                           ct_operations[*(const enum ct_operation *)value].name);
        else
            ct_text_append(text, "%s %.17g\n", fields[i].name, *(const double *)value);
    }
    for (size_t i = 0; i < job->method_count; i++) {
        char spelling[CT_METHOD_TEXT];
        ct_text_append(text, "method %s\n", ct_method_format(&job->methods[i], true, spelling));
    }
    for (size_t i = 0; i < job->pattern_count; i++) {
        const struct ct_job_pattern *pattern = &job->patterns[i];
        ct_text_append(text, "pattern %d", pattern->size);
        for (size_t e = 0; e < pattern->count; e++)
            ct_text_append(text, " %d>%d:%zu", pattern->edges[e].from, pattern->edges[e].to,
                           pattern->edges[e].length);
        ct_text_append(text, "\n");
    }
    for (size_t i = 0; i < job->cell_count; i++) {
        const struct ct_job_cell *cell = &job->cells[i];
        ct_text_append(text, "cell %zu %s %u %zu %u %zu", cell->id, ct_collectives[cell->collective].name,
                       cell->key.comm_size, cell->key.msg_bytes, cell->key.root, cell->pattern);
        for (size_t m = 0; m < cell->method_count; m++)
            ct_text_append(text, " %zu", job->indexes[cell->first + m]);
        ct_text_append(text, "\n");
    }
    ct_text_append(text, "end\n");
}

/* Reading, line by line. */
struct reader {
    const char *name;
    size_t line_number;
    char *rest;
    struct ct_error *error;
};

static char *next_line(struct reader *reader)
{
    reader->line_number++;
    char *line = strsep(&reader->rest, "\n");
    return line ? line : (char *)"";
}

static int wrong(const struct reader *reader, const char *expected)
{
    return ct_fail(reader->error, CT_E_INPUT, "%s, line %zu: expected %s", reader->name, reader->line_number,
                   expected);
}

static int read_whole(const struct reader *reader, const char *word, size_t most, size_t *ret_number)
{
    char expected[64];
    if (ct_whole_parse(word, most ? most : SIZE_MAX, ret_number) == CT_OK)
        return CT_OK;
    snprintf(expected, sizeof expected, "a whole number of at most %zu", most);
    return wrong(reader, most ? expected : "a whole number");
}

static int read_mode(const struct reader *reader, const char *word, enum ct_call_mode *ret_mode)
{
    struct ct_text expected = {0};
    *ret_mode = ct_mode_find(word);
    if (*ret_mode < CT_MODES)
        return CT_OK;
    ct_text_append_choices(&expected, ct_mode_names, CT_MODES);
    int status = expected.failed ? CT_E_MEMORY : wrong(reader, expected.data);
    ct_text_free(&expected);
    return status;
}

static int read_field(struct reader *reader, const struct field *field, struct ct_job *job)
{
    char *line = next_line(reader);
    size_t length = strlen(field->name);
    void *value = (char *)job + field->offset;
    if (strncmp(line, field->name, length) != 0 || line[length] != ' ' || !line[length + 1])
        return wrong(reader, field->name);
    line += length + 1;
    switch (field->kind) {
    case TEXT:
        *(char **)value = strdup(line);
        return *(char **)value ? CT_OK : CT_E_MEMORY;
    case WHOLE:
        return read_whole(reader, line, field->most, value);
    case NUMBER:
        return ct_number_parse(line, value) == CT_OK && *(double *)value >= 0
                   ? CT_OK
                   : wrong(reader, "a number of 0 or more");
    case SYNC:
        *(enum ct_sync *)value = ct_sync_find(line);
        return job->sync < CT_SYNCS ? CT_OK : wrong(reader, ct_sync_names);
    case MODE:
        return read_mode(reader, line, value);
    case DATATYPE:
        *(enum ct_data_type *)value = ct_data_type_find(line);
        return job->datatype < CT_DATA_TYPES ? CT_OK : wrong(reader, "the name of a datatype");
    case OPERATION:
        *(enum ct_operation *)value = ct_operation_find(line);
        return job->operation < CT_OPERATIONS ? CT_OK : wrong(reader, "the name of an operation");
    }
    return CT_E_INPUT;
}

static int read_method(struct reader *reader, const char *spelling, struct ct_job *job)
{
    struct ct_method method;
    int status = ct_method_parse(spelling, CT_COLLECTIVES, reader->error, &method);
    if (status != CT_OK) {
        char prefix[64];
        snprintf(prefix, sizeof prefix, "%.30s, line %zu", reader->name, reader->line_number);
        return ct_fail_in(reader->error, status, prefix);
    }
    return ct_job_add_method(job, &method);
}

/* Reads a whole number at *at and the character behind it. */
static bool read_part(char **at, size_t most, char end, size_t *ret_number)
{
    char *rest, *begin = *at;
    if (!isdigit((unsigned char)*begin))
        return false;
    *ret_number = strtoull(begin, &rest, 10);
    if (*rest != end || *ret_number > most)
        return false;
    *at = rest + (end != '\0');
    return true;
}

static int read_pattern(struct reader *reader, char *line, struct ct_job *job)
{
    struct ct_job_pattern pattern = {0};
    size_t size, capacity = 0;
    const char *word = strsep(&line, " ");
    int status = CT_OK;
    if (ct_whole_parse(word, job->size, &size) != CT_OK || size < 1)
        return wrong(reader, "pattern SIZE FROM>TO:LENGTH..., of at most the job's size");
    pattern.size = (int)size;
    for (char *edge = strsep(&line, " "); status == CT_OK && edge; edge = strsep(&line, " ")) {
        size_t from = 0, to = 0, length = 0;
        if (!read_part(&edge, size - 1, '>', &from) || !read_part(&edge, size - 1, ':', &to) ||
            !read_part(&edge, SIZE_MAX, '\0', &length))
            status = wrong(reader, "edges FROM>TO:LENGTH among the pattern's ranks");
        else
            status = ct_grow(&pattern.edges, &capacity, pattern.count + 1, sizeof *pattern.edges);
        if (status == CT_OK)
            pattern.edges[pattern.count++] = (struct ct_edge){(int)from, (int)to, length};
    }
    if (status != CT_OK) {
        free(pattern.edges);
        return status;
    }
    return ct_job_add_pattern(job, &pattern);
}

static int read_cell(struct reader *reader, char *line, struct ct_job *job)
{
    struct ct_job_cell cell = {0};
    size_t size, root;
    const char *id = strsep(&line, " "), *collective = strsep(&line, " ");
    const char *comm_size = strsep(&line, " "), *msg_bytes = strsep(&line, " ");
    const char *of_root = strsep(&line, " "), *pattern = strsep(&line, " ");
    cell.collective = pattern ? ct_collective_find(collective) : CT_COLLECTIVES;
    if (cell.collective == CT_COLLECTIVES || ct_whole_parse(id, SIZE_MAX, &cell.id) != CT_OK ||
        ct_whole_parse(comm_size, SIZE_MAX, &size) != CT_OK ||
        ct_whole_parse(msg_bytes, SIZE_MAX, &cell.key.msg_bytes) != CT_OK ||
        ct_whole_parse(of_root, SIZE_MAX, &root) != CT_OK ||
        ct_whole_parse(pattern, job->pattern_count, &cell.pattern) != CT_OK)
        return wrong(reader, "cell ID COLLECTIVE SIZE BYTES ROOT PATTERN METHOD...");
    if (size < 1 || size > job->size)
        return wrong(reader, "a communicator size of at most the job's size");
    if (root > (ct_collectives[cell.collective].has_root ? size - 1 : 0))
        return wrong(reader, "a root among the cell's ranks, 0 for collectives without one");
    if (ct_collectives[cell.collective].is_sparse != (cell.pattern > 0) ||
        (cell.pattern > 0 && (size_t)job->patterns[cell.pattern - 1].size != size))
        return wrong(reader, "a pattern of the cell's ranks for sparse collectives, 0 for others");
    cell.key.comm_size = (uint32_t)size;
    cell.key.root = (uint32_t)root;
    int status = ct_job_add_cell(job, &cell);
    for (const char *word = strsep(&line, " "); status == CT_OK && word; word = strsep(&line, " ")) {
        size_t index;
        if (job->method_count == 0 || ct_whole_parse(word, job->method_count - 1, &index) != CT_OK ||
            job->methods[index].algorithm->collective != cell.collective)
            return wrong(reader, "numbers of methods of the cell's collective");
        status = ct_job_add_index(job, index);
    }
    if (status == CT_OK && job->cells[job->cell_count - 1].method_count == 0)
        return wrong(reader, "at least one method");
    return status;
}

static int read_lines(struct reader *reader, struct ct_job *job)
{
    int status = CT_OK;
    if (strcmp(next_line(reader), first_line) != 0)
        return wrong(reader, first_line);
    for (int i = 0; status == CT_OK && i < FIELDS; i++)
        status = read_field(reader, &fields[i], job);
    while (status == CT_OK) {
        char *line = next_line(reader);
        if (strcmp(line, "end") == 0)
            return CT_OK;
        status = strncmp(line, "method ", 7) == 0    ? read_method(reader, line + 7, job)
                 : strncmp(line, "cell ", 5) == 0    ? read_cell(reader, line + 5, job)
                 : strncmp(line, "pattern ", 8) == 0 ? read_pattern(reader, line + 8, job)
                                                     : wrong(reader, "method, pattern, cell or end");
    }
    return status;
}

int ct_job_read(const char *text, const char *name, struct ct_error *error, struct ct_job *ret_job)
{
    char *copy = strdup(text);
    if (!copy)
        return CT_E_MEMORY;
    struct ct_job job = {0};
    struct reader reader = {.name = name, .rest = copy, .error = error};
    int status = read_lines(&reader, &job);
    free(copy);
    if (status != CT_OK) {
        ct_job_free(&job);
        return status;
    }
    *ret_job = job;
    return CT_OK;
}

void ct_job_free(struct ct_job *job)
{
    free(job->results);
    free(job->state);
    free(job->alive);
    free(job->host);
    free(job->methods);
    for (size_t i = 0; i < job->pattern_count; i++)
        free(job->patterns[i].edges);
    free(job->patterns);
    free(job->cells);
    free(job->indexes);
    *job = (struct ct_job){0};
}
