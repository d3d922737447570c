/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/run_row.h"
#include "base/memory.h"
#include "base/number.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const struct ct_samples_column_descriptor ct_samples_columns[CT_COLUMNS] = {
    [CT_COLUMN_LAUNCH] = {"launch"},
    [CT_COLUMN_COLLECTIVE] = {"collective"},
    [CT_COLUMN_METHOD] = {"method", .empty_in_commit = true},
    [CT_COLUMN_NODES] = {.key = &ct_key_descriptors[CT_KEY_NODES]},
    [CT_COLUMN_PPN] = {.key = &ct_key_descriptors[CT_KEY_PPN]},
    [CT_COLUMN_COMM_SIZE] = {.key = &ct_key_descriptors[CT_KEY_COMM_SIZE]},
    [CT_COLUMN_ROOT] = {"root", .empty_in_commit = true},
    [CT_COLUMN_MSG_BYTES] = {.key = &ct_key_descriptors[CT_KEY_MSG_BYTES]},
    [CT_COLUMN_DATATYPE] = {"datatype", .empty_in_commit = true},
    [CT_COLUMN_OPERATION] = {"operation", .empty_in_commit = true},
    [CT_COLUMN_REP] = {"rep", .empty_in_commit = true},
    [CT_COLUMN_SECONDS] = {"seconds", .empty_in_commit = true},
    [CT_COLUMN_STATUS] = {"status"},
};

const char *ct_samples_header(char text[CT_SAMPLES_HEADER])
{
    size_t length = 0;
    for (int i = 0; i < CT_COLUMNS; i++)
        length += (size_t)snprintf(text + length, CT_SAMPLES_HEADER - length, "%s%s", i ? "," : "",
                                   ct_samples_column_name(i));
    assert(length < CT_SAMPLES_HEADER);
    return text;
}

struct ct_method_name {
    enum ct_collective collective;
    uint32_t index;
    char spelling[CT_METHOD_TEXT];
};

int ct_row_fail(const struct ct_row_reader *reader, const char *format, ...)
{
    char text[sizeof reader->error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return ct_fail(reader->error, CT_E_INPUT, "%s:%zu: %s", reader->name, reader->line, text);
}

int ct_row_no_memory(const struct ct_row_reader *reader)
{
    return ct_fail(reader->error, CT_E_MEMORY, "%s: out of memory", reader->name);
}

bool ct_sample_word_good(const char *word)
{
    enum { WORD_MAX = 64 };
    size_t length = 0;
    for (; word[length]; length++)
        if (word[length] < ' ' || word[length] > '~' || length == WORD_MAX)
            return false;
    return true;
}

static int compare_sizes(const void *a, const void *b)
{
    size_t left = *(const size_t *)a, right = *(const size_t *)b;
    return (left > right) - (left < right);
}

static size_t *sorted_copy(const size_t *sizes, size_t count)
{
    size_t *copy = ct_allocate(count, sizeof *copy);
    if (copy && count > 0) {
        memcpy(copy, sizes, count * sizeof *copy);
        qsort(copy, count, sizeof *copy, compare_sizes);
    }
    return copy;
}

static bool has_size(const size_t *sorted, size_t count, size_t size)
{
    return bsearch(&size, sorted, count, sizeof *sorted, compare_sizes) != NULL;
}

static int compare_names(const void *a, const void *b)
{
    const struct ct_method_name *left = a, *right = b;
    if (left->collective != right->collective)
        return left->collective < right->collective ? -1 : 1;
    return strcmp(left->spelling, right->spelling);
}

int ct_row_reader_prepare(struct ct_row_reader *reader)
{
    const struct ct_run_description *description = &reader->run->description;
    size_t count = description->method_count;
    reader->methods = ct_allocate(count, sizeof *reader->methods);
    reader->comm_sizes = sorted_copy(description->comm_sizes, description->comm_size_count);
    reader->msg_sizes = sorted_copy(description->msg_sizes, description->msg_size_count);
    if (!reader->methods || !reader->comm_sizes || !reader->msg_sizes)
        return ct_row_no_memory(reader);
    for (size_t i = 0; i < count; i++) {
        reader->methods[i].collective = description->methods[i].algorithm->collective;
        reader->methods[i].index = (uint32_t)i;
        ct_method_format(&description->methods[i], false, reader->methods[i].spelling);
    }
    qsort(reader->methods, count, sizeof *reader->methods, compare_names);
    return CT_OK;
}

void ct_row_reader_free(struct ct_row_reader *reader)
{
    free(reader->methods);
    free(reader->comm_sizes);
    free(reader->msg_sizes);
}

static int find_word(struct ct_row_reader *reader, const char *word, uint16_t *ret_index)
{
    struct ct_run *run = reader->run;
    if (!ct_sample_word_good(word))
        return ct_row_fail(reader, "'%.80s': expected the name of a datatype or operation", word);
    size_t i = 0;
    while (i < run->word_count && strcmp(run->words[i], word) != 0)
        i++;
    if (i > UINT16_MAX)
        return ct_row_fail(reader, "too many different names of datatypes and operations");
    if (i == run->word_count) {
        char *copy = strdup(word);
        if (!copy || ct_grow(&run->words, &reader->word_capacity, i + 1, sizeof *run->words) != CT_OK) {
            free(copy);
            return ct_row_no_memory(reader);
        }
        run->words[run->word_count++] = copy;
    }
    *ret_index = (uint16_t)i;
    return CT_OK;
}

static int read_whole(const struct ct_row_reader *reader, const char *const fields[], int column,
                      size_t least, size_t most, size_t *ret_number)
{
    const char *word = fields[column];
    int status = ct_whole_parse(word, most, ret_number);
    if (status == CT_OK && *ret_number >= least)
        return CT_OK;
    return ct_row_fail(reader, "%s '%.40s': expected a whole number from %zu%s",
                       ct_samples_column_name(column), word, least,
                       status == CT_E_LIMIT ? " that is not so large" : "");
}

static int read_u32(const struct ct_row_reader *reader, const char *const fields[], int column, size_t least,
                    size_t most, uint32_t *ret_number)
{
    size_t number;
    int status = read_whole(reader, fields, column, least, most, &number);
    if (status == CT_OK)
        *ret_number = (uint32_t)number;
    return status;
}

static int read_cell(const struct ct_row_reader *reader, const char *const fields[],
                     struct ct_run_cell *ret_cell)
{
    const struct ct_run_description *description = &reader->run->description;
    struct ct_run_cell cell;
    const char *collective = fields[CT_COLUMN_COLLECTIVE];
    cell.collective = ct_collective_find(collective);
    if (cell.collective == CT_COLLECTIVES)
        return ct_row_fail(reader, "unknown collective '%.40s'", collective);
    int status = read_u32(reader, fields, CT_COLUMN_LAUNCH, 0, UINT32_MAX, &cell.launch);
    for (int i = 0; status == CT_OK && i < CT_COLUMNS; i++) {
        const struct ct_key_descriptor *key = ct_samples_columns[i].key;
        if (key)
            status = read_whole(reader, fields, i, key->least, key->most, ct_key_place(&cell.key, key));
    }
    if (status != CT_OK)
        return status;

    size_t i = 0;
    while (i < description->collective_count && description->collectives[i] != cell.collective)
        i++;
    bool sized = ct_collectives[cell.collective].has_size;
    if (i == description->collective_count)
        return ct_row_fail(reader, "%s is not in the grid of run.xml: expected one of it", collective);
    if (!has_size(reader->comm_sizes, description->comm_size_count, cell.key.comm_size))
        return ct_row_fail(reader, "comm_size %zu is not in the grid of run.xml: expected one of it",
                           cell.key.comm_size);
    if (sized && !has_size(reader->msg_sizes, description->msg_size_count, cell.key.msg_bytes))
        return ct_row_fail(reader, "msg_bytes %zu is not in the grid of run.xml: expected one of it",
                           cell.key.msg_bytes);
    if (!sized && cell.key.msg_bytes != 0)
        return ct_row_fail(reader, "msg_bytes %zu: expected 0, for %s has no message size",
                           cell.key.msg_bytes, collective);
    if (cell.launch >= description->launches)
        return ct_row_fail(reader, "launch %u: run.xml has %zu, counted from 0", cell.launch,
                           description->launches);
    if (cell.key.nodes * cell.key.ppn < cell.key.comm_size)
        return ct_row_fail(reader, "%zu nodes with %zu processes each do not hold comm_size %zu",
                           cell.key.nodes, cell.key.ppn, cell.key.comm_size);
    *ret_cell = cell;
    return CT_OK;
}

static int read_method(const struct ct_row_reader *reader, const char *const fields[],
                       enum ct_collective collective, uint32_t *ret_method)
{
    const char *word = fields[CT_COLUMN_METHOD];
    struct ct_method_name key = {.collective = collective};
    size_t length = strlen(word);
    const struct ct_method_name *found = NULL;
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
    if (ct_method_parse(word, collective, &why, &method) != CT_OK)
        return ct_row_fail(reader, "%s", why.text);
    return ct_row_fail(reader, "the method '%.80s' of %s is not one of run.xml's", word,
                       ct_collectives[collective].name);
}

static int read_seconds(const struct ct_row_reader *reader, const char *const fields[],
                        enum ct_sample_status sample_status, double *ret_seconds)
{
    const char *word = fields[CT_COLUMN_SECONDS];
    if (!ct_sample_has_time(sample_status)) {
        if (*word)
            return ct_row_fail(reader, "seconds '%.40s': expected nothing in a row that is '%s'", word,
                               ct_sample_status_names[sample_status]);
        *ret_seconds = NAN;
        return CT_OK;
    }
    double seconds;
    if (ct_number_parse(word, &seconds) != CT_OK || !(seconds > 0))
        return ct_row_fail(reader, "seconds '%.40s': expected a finite decimal number greater than 0", word);
    *ret_seconds = seconds;
    return CT_OK;
}

/* The fields that a sample has beside its cell. */
static int read_sample(struct ct_row_reader *reader, const char *const fields[],
                       const struct ct_run_cell *cell, struct ct_sample *sample)
{
    *sample = (struct ct_sample){.launch = cell->launch, .key = cell->key, .status = sample->status};
    size_t last_root = ct_collectives[cell->collective].has_root ? cell->key.comm_size - 1 : 0;
    int status = read_method(reader, fields, cell->collective, &sample->method);
    if (status == CT_OK)
        status = read_u32(reader, fields, CT_COLUMN_ROOT, 0, last_root, &sample->root);
    if (status == CT_OK)
        status = find_word(reader, fields[CT_COLUMN_DATATYPE], &sample->datatype);
    if (status == CT_OK)
        status = find_word(reader, fields[CT_COLUMN_OPERATION], &sample->operation);
    if (status == CT_OK)
        status = read_u32(reader, fields, CT_COLUMN_REP, 0, UINT32_MAX, &sample->rep);
    if (status == CT_OK)
        status = read_seconds(reader, fields, sample->status, &sample->seconds);
    return status;
}

static int read_status(const struct ct_row_reader *reader, const char *word,
                       enum ct_sample_status *ret_status)
{
    for (int i = 0; i < CT_SAMPLE_STATUSES; i++) {
        if (strcmp(ct_sample_status_names[i], word) != 0)
            continue;
        *ret_status = (enum ct_sample_status)i;
        return CT_OK;
    }
    return ct_row_fail(reader, "unknown status '%.40s': expected ok, crashed, hung, wrong or commit", word);
}

int ct_row_read(struct ct_row_reader *reader, const char *const fields[CT_COLUMNS], struct ct_row *ret_row)
{
    struct ct_row row = {0};
    int status = read_status(reader, fields[CT_COLUMN_STATUS], &row.sample.status);
    if (status == CT_OK)
        status = read_cell(reader, fields, &row.cell);
    if (status == CT_OK && row.sample.status != CT_SAMPLE_COMMIT)
        status = read_sample(reader, fields, &row.cell, &row.sample);
    for (int i = 0; status == CT_OK && row.sample.status == CT_SAMPLE_COMMIT && i < CT_COLUMNS; i++)
        if (ct_samples_columns[i].empty_in_commit && *fields[i])
            status = ct_row_fail(reader, "%s '%.40s': expected nothing in a commit row",
                                 ct_samples_column_name(i), fields[i]);
    if (status == CT_OK)
        *ret_row = row;
    return status;
}
