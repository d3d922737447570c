/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/import/import_csv.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/rows.h"
#include "base/text.h"
#include "samples/import/csv_map.h"
#include "samples/import/import_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Comma-separated values as in RFC 4180, a line a row, the first one naming the columns. */

struct reader {
    struct ct_import_file *file;
    struct ct_rows rows; /* splits the lines of `file` */
    struct ct_csv_map map;
    struct ct_csv_methods methods;
    char **where; /* words of the source's condition: "COLUMN=VALUE", then further values of that column */
    size_t where_count;
    size_t *where_places;         /* the column of each word */
    size_t columns;               /* of the header */
    size_t places[CT_CSV_FIELDS]; /* the columns that the map names */
};

/* Splits a line, without the blanks around its fields. */
static int split(struct reader *reader, const char *line)
{
    struct ct_rows *rows = &reader->rows;
    rows->line = reader->file->line;
    int status = ct_rows_split(rows, line);
    for (size_t i = 0; status == CT_OK && i < rows->field_count; i++) {
        char *field = rows->fields[i] + strspn(rows->fields[i], " \t");
        size_t length = strlen(field);
        while (length > 0 && (field[length - 1] == ' ' || field[length - 1] == '\t'))
            length--;
        field[length] = '\0';
        rows->fields[i] = field;
    }
    return status;
}

/* --- the header --- */

static int find_column(const struct reader *reader, const char *name, size_t *ret_place)
{
    size_t found = 0;
    for (size_t i = 0; i < reader->rows.field_count; i++)
        if (strcmp(reader->rows.fields[i], name) == 0) {
            *ret_place = i;
            found++;
        }
    if (found == 1)
        return CT_OK;
    if (found > 1)
        return ct_import_fail(reader->file, "the column '%s' of the map occurs %zu times", name, found);
    char names[400] = "";
    for (size_t i = 0, length = 0; i < reader->rows.field_count && length < sizeof names; i++)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "",
                                   reader->rows.fields[i]);
    return ct_import_fail(reader->file, "no column '%s', which the map names: there are %s", name, names);
}

static int find_where(struct reader *reader)
{
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < reader->where_count; i++) {
        char *equals = strchr(reader->where[i], '=');
        if (!equals) {
            reader->where_places[i] = reader->where_places[i - 1];
            continue;
        }
        *equals = '\0';
        status = find_column(reader, reader->where[i], &reader->where_places[i]);
        *equals = '=';
    }
    return status;
}

static int read_header(struct reader *reader, const char *line)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    if (strncmp(line, byte_order_mark, strlen(byte_order_mark)) == 0)
        line += strlen(byte_order_mark);
    int status = split(reader, line);
    reader->columns = reader->rows.field_count;
    for (int i = 0; status == CT_OK && i < CT_CSV_FIELDS; i++)
        if (*reader->map.values[i].column)
            status = find_column(reader, reader->map.values[i].column, &reader->places[i]);
    return status == CT_OK ? find_where(reader) : status;
}

/* --- rows --- */

static const char *word_of(const struct reader *reader, int field)
{
    return reader->rows.fields[reader->places[field]];
}

/* The value of a field that is a number; 0 if the map does not have it. */
static int read_number(const struct reader *reader, int field, double *ret_number)
{
    const struct ct_csv_value *value = &reader->map.values[field];
    *ret_number = value->constant;
    if (!value->is_given || !*value->column)
        return CT_OK;
    const char *word = word_of(reader, field);
    size_t size;
    double number;
    if (ct_size_parse(word, &size) == CT_OK)
        number = (double)size;
    else if (ct_number_parse(word, &number) != CT_OK)
        return ct_import_fail(reader->file, "'%.40s' in the column '%s': expected a number", word,
                              value->column);
    *ret_number = number * value->factor / value->divisor;
    return CT_OK;
}

/* The same for a whole number, at least `least` if the map has it. */
static int read_whole(const struct reader *reader, int field, size_t least, size_t most, size_t *ret_number)
{
    double number;
    int status = read_number(reader, field, &number);
    if (status != CT_OK || !reader->map.values[field].is_given) {
        *ret_number = 0;
        return status;
    }
    if (!(number >= (double)least && number <= (double)most) || floor(number) < number)
        return ct_import_fail(reader->file, "%s is %g: expected a whole number from %zu to %zu",
                              ct_csv_field_name(field), number, least, most);
    *ret_number = (size_t)number;
    return CT_OK;
}

static int read_u32(const struct reader *reader, int field, uint32_t least, uint32_t most,
                    uint32_t *ret_number)
{
    size_t number;
    int status = read_whole(reader, field, least, most, &number);
    *ret_number = (uint32_t)number;
    return status;
}

static int read_numbers(const struct reader *reader, struct ct_import_row *row)
{
    enum { MANY = INT32_MAX };
    const size_t exact = (size_t)1 << 53; /* beyond, doubles skip whole numbers */
    struct ct_run_cell *cell = &row->cell;
    int status = read_u32(reader, CT_CSV_LAUNCH, 0, MANY, &cell->launch);
    for (int i = 0; status == CT_OK && i < CT_KEY_COLUMNS; i++) {
        const struct ct_key_descriptor *key = &ct_key_descriptors[i];
        size_t most = key->most < exact ? key->most : exact;
        size_t value;
        status = read_whole(reader, CT_CSV_KEYS + i, key->least, most, &value);
        if (status == CT_OK)
            ct_key_set(&cell->key, key, value);
    }
    if (status == CT_OK)
        status = read_u32(reader, CT_CSV_ROOT, 0, MANY, &row->cell.key.root);
    if (status == CT_OK)
        status = read_whole(reader, CT_CSV_REPETITIONS, 0, exact, &row->repetitions);
    return status == CT_OK ? read_number(reader, CT_CSV_SECONDS, &row->seconds) : status;
}

static int read_collective(const struct reader *reader, enum ct_collective *ret_collective)
{
    *ret_collective = reader->file->source->collective;
    if (*reader->map.values[CT_CSV_COLLECTIVE].column) {
        const char *word = word_of(reader, CT_CSV_COLLECTIVE);
        *ret_collective = ct_collective_find(word);
        if (*ret_collective == CT_COLLECTIVES)
            return ct_import_fail(reader->file, "unknown collective '%.40s'", word);
    }
    if (ct_collectives[*ret_collective].has_size &&
        !reader->map.values[CT_CSV_KEYS + CT_KEY_MSG_BYTES].is_given)
        return ct_import_fail(reader->file, "the map names no msg_bytes, which %s has",
                              ct_collectives[*ret_collective].name);
    return CT_OK;
}

static int read_mapping(const struct reader *reader, struct ct_cell_key *key)
{
    if (!*reader->map.values[CT_CSV_BY].column)
        return CT_OK;
    const char *word = word_of(reader, CT_CSV_BY);
    key->by = ct_mapped_find(word);
    return key->by < CT_MAPPED_WAYS
               ? CT_OK
               : ct_import_fail(reader->file, "'%.40s' in the column '%s': expected core, socket or node",
                                word, reader->map.values[CT_CSV_BY].column);
}

/* Sets *ret_out if such rows are to be left out. */
static int read_method(const struct reader *reader, enum ct_collective collective,
                       struct ct_method *ret_method, bool *ret_out)
{
    *ret_out = false;
    if (!*reader->map.values[CT_CSV_METHOD].column)
        return ct_import_source_method(reader->file, collective, ret_method);
    const char *word = word_of(reader, CT_CSV_METHOD);
    const char *spelling = ct_csv_methods_find(&reader->methods, word);
    if (!spelling && (reader->methods.count == 0 || reader->file->request->explain))
        return ct_import_method(reader->file, collective, word, ret_method);
    if (!spelling)
        return ct_import_fail(reader->file, "the method '%.40s' is not in the list of methods", word);
    *ret_out = strcmp(spelling, "-") == 0;
    struct ct_error why = {""};
    if (!*ret_out && ct_method_parse_any(spelling, collective, &why, ret_method) != CT_OK)
        return ct_import_fail(reader->file, "%s", why.text);
    return CT_OK;
}

/* Has the row one of the values in each column that the condition names? */
static bool is_selected(const struct reader *reader)
{
    bool has_value = true;
    for (size_t i = 0; i < reader->where_count; i++) {
        const char *word = reader->where[i], *equals = strchr(word, '=');
        if (equals && !has_value)
            return false;
        has_value = (has_value && !equals) ||
                    strcmp(reader->rows.fields[reader->where_places[i]], equals ? equals + 1 : word) == 0;
    }
    return has_value;
}

/* Turns the total of all ranks' blocks into one block. Sets *ret_out where that is less than a byte. */
static void divide_total(const struct reader *reader, struct ct_cell_key *key, bool *ret_out)
{
    size_t ranks = key->comm_size ? key->comm_size : reader->file->source->key.comm_size;
    if (!reader->map.values[CT_CSV_KEYS + CT_KEY_MSG_BYTES].is_total || ranks == 0)
        return;
    *ret_out = key->msg_bytes > 0 && key->msg_bytes < ranks;
    key->msg_bytes /= ranks;
}

static int read_row(struct reader *reader, const char *line)
{
    struct ct_import_row row = {.repetitions = 0};
    bool out = false;
    int status = split(reader, line);
    if (status != CT_OK)
        return status;
    if (reader->rows.field_count != reader->columns)
        return ct_import_fail(reader->file, "%zu fields: expected %zu, as in the first line",
                              reader->rows.field_count, reader->columns);
    if (!is_selected(reader))
        return ct_import_pass_over(reader->file, "rows", "that --where does not select");
    status = read_collective(reader, &row.cell.collective);
    if (status == CT_OK)
        status = read_method(reader, row.cell.collective, &row.method, &out);
    if (status == CT_OK)
        status = read_numbers(reader, &row);
    if (status == CT_OK)
        status = read_mapping(reader, &row.cell.key);
    if (status == CT_OK && out)
        return ct_import_pass_over(reader->file, word_of(reader, CT_CSV_METHOD), "was to be left out");
    if (status == CT_OK)
        divide_total(reader, &row.cell.key, &out);
    if (status == CT_OK && out)
        return ct_import_pass_over(reader->file, "rows", "with less than a byte for each rank");
    return status == CT_OK ? ct_import_add(reader->file, &row) : status;
}

/* --- the file --- */

static int prepare(struct reader *reader)
{
    const struct ct_import_file *file = reader->file;
    const struct ct_import_source *source = file->source;
    const char *where = source->where;
    if (!source->map)
        return ct_fail(file->error, CT_E_INPUT, "expected a map: which columns hold what");
    int status = ct_csv_map_parse(source->map, file->error, &reader->map);
    if (status == CT_OK && where)
        status = ct_words_split(where, file->error, &reader->where, &reader->where_count);
    if (status != CT_OK)
        return status;
    if (where && (reader->where_count == 0 || !strchr(reader->where[0], '=')))
        return ct_fail(file->error, CT_E_INPUT, "--where '%.80s': expected COLUMN=VALUE[,VALUE]", where);
    reader->where_places = ct_allocate(reader->where_count, sizeof *reader->where_places);
    if (reader->where_count > 0 && !reader->where_places)
        return ct_fail(file->error, CT_E_MEMORY, "out of memory");
    bool has_column = *reader->map.values[CT_CSV_COLLECTIVE].column != '\0';
    if (has_column == (source->collective != CT_COLLECTIVES))
        return ct_fail(file->error, CT_E_INPUT, "expected %s",
                       has_column ? "the collective either in a column or as an option, not both"
                                  : "a collective, as an option or in a column that the map names");
    if (source->methods)
        status = ct_csv_methods_parse(source->methods, source->collective, file->error, &reader->methods);
    bool has_method = *reader->map.values[CT_CSV_METHOD].column;
    bool is_named = source->pattern && strstr(source->pattern, "{method}");
    if (status == CT_OK && has_method && is_named)
        status = ct_fail(file->error, CT_E_INPUT,
                         "expected the method either in a column or in the names of files, not both");
    if (status == CT_OK && source->methods && !has_method && !is_named)
        status = ct_fail(file->error, CT_E_INPUT,
                         "a list of methods is of use only where the map names their column, or --file-name "
                         "has {method}");
    return status;
}

static int read_csv(struct ct_import_file *file)
{
    struct reader reader = {.file = file, .rows = {.name = file->name, .error = file->error}};
    int status = prepare(&reader);
    if (status == CT_OK)
        status = ct_rows_begin(&reader.rows, NULL);
    bool begun = false;
    for (char *line = ct_import_next_line(file); status == CT_OK && line; line = ct_import_next_line(file)) {
        if (!line[strspn(line, " \t")])
            continue;
        status = begun ? read_row(&reader, line) : read_header(&reader, line);
        begun = true;
    }
    ct_rows_close(&reader.rows);
    ct_words_free(reader.where, reader.where_count);
    free(reader.where_places);
    ct_csv_methods_free(&reader.methods);
    return status;
}

const struct ct_import_format ct_import_csv = {
    .name = "csv",
    .text = "comma-separated values, the first line naming the columns; --map says what they mean",
    .origin = "comma-separated values",
    .has_map = true,
    .read = read_csv,
};
