/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/import/import_csv.h"
#include "base/text.h"
#include "samples/import/csv_header.h"
#include "samples/import/csv_map.h"
#include "samples/import/csv_table.h"
#include "samples/import/import_rows.h"

#include <math.h>
#include <string.h>

/* Tables, a line a row. The columns have names, in the first line that is no comment or in the last comment
 * before it, or the map gives their numbers alone. Every row holds one result, or one in each of several
 * columns whose names say further facts. */

struct reader {
    struct ct_import_file *file;
    struct ct_csv_table table; /* cuts the lines of `file` */
    struct ct_csv_header header;
    struct ct_csv_methods methods;
    const struct ct_csv_results *now; /* of the column being read */
    size_t rows;                      /* read so far, */
    size_t fewest_fields;             /* of all of them, */
    size_t shortest_fraction;         /* and of the last fields of all, from the point on */
};

/* --- rows --- */

static const char *word_of(const struct reader *reader, int field)
{
    return ct_csv_header_word(&reader->header, reader->now, field);
}

/* The value of a field that is a number; 0 if the map does not have it. */
static int read_number(const struct reader *reader, int field, double *ret_number)
{
    const struct ct_csv_value *value = &reader->header.map.values[field];
    *ret_number = value->constant;
    if (!value->is_given || !ct_csv_header_has(&reader->header, field))
        return CT_OK;
    const char *word = word_of(reader, field);
    const char *units = ct_csv_units_text((enum ct_csv_field)field);
    char unit[CT_CSV_UNIT];
    double number;
    int status = ct_csv_table_quantity(&reader->table, word, unit, &number);
    if (status == CT_OK && !*unit) {
        *ret_number = number * value->factor / value->divisor;
        return CT_OK;
    }
    if (status == CT_OK &&
        ct_csv_value_of_unit(value, (enum ct_csv_field)field, unit, number, ret_number) == CT_OK)
        return CT_OK;
    return ct_import_fail(reader->file,
                          "'%.40s' in the column '%s': expected a number, such as 4, 4e0 or 8K%s%s%s", word,
                          value->column, units ? ", or with the unit " : "", units ? units : "",
                          units ? "; --map may have no other factor for it" : "");
}

/* The same for a whole number, at least `least` if the map has it. */
static int read_whole(const struct reader *reader, int field, size_t least, size_t most, size_t *ret_number)
{
    double number;
    int status = read_number(reader, field, &number);
    if (status != CT_OK || !reader->header.map.values[field].is_given) {
        *ret_number = 0;
        return status;
    }
    if (!(number >= (double)least && number <= (double)most) || floor(number) < number)
        return ct_import_fail(reader->file, "%s is %g: expected a whole number from %zu to %zu",
                              ct_csv_field_name(field), number, least, most);
    *ret_number = (size_t)number;
    return CT_OK;
}

static int read_u32(const struct reader *reader, int field, uint32_t *ret_number)
{
    size_t number;
    int status = read_whole(reader, field, 0, INT32_MAX, &number);
    *ret_number = (uint32_t)number;
    return status;
}

static int read_numbers(const struct reader *reader, struct ct_import_row *row)
{
    const size_t exact = (size_t)1 << 53; /* beyond, doubles skip whole numbers */
    struct ct_run_cell *cell = &row->cell;
    int status = read_u32(reader, CT_CSV_LAUNCH, &cell->launch);
    for (int i = 0; status == CT_OK && i < CT_KEY_COLUMNS; i++) {
        const struct ct_key_descriptor *key = &ct_key_descriptors[i];
        size_t most = key->most < exact ? key->most : exact;
        size_t value;
        status = read_whole(reader, CT_CSV_KEYS + i, key->least, most, &value);
        if (status == CT_OK)
            ct_key_set(&cell->key, key, value);
    }
    if (status == CT_OK)
        status = read_u32(reader, CT_CSV_ROOT, &row->cell.key.root);
    if (status == CT_OK)
        status = read_whole(reader, CT_CSV_REPETITIONS, 0, exact, &row->repetitions);
    return status == CT_OK ? read_number(reader, CT_CSV_SECONDS, &row->seconds) : status;
}

static int read_collective(const struct reader *reader, enum ct_collective *ret_collective)
{
    *ret_collective = reader->file->source->collective;
    if (ct_csv_header_has(&reader->header, CT_CSV_COLLECTIVE)) {
        const char *word = word_of(reader, CT_CSV_COLLECTIVE);
        *ret_collective = ct_import_collective(word);
        if (*ret_collective == CT_COLLECTIVES)
            return ct_import_fail(reader->file,
                                  "unknown collective '%.40s'; expected a name of `colltune list`, or of MPI",
                                  word);
    }
    if (ct_collectives[*ret_collective].has_size &&
        !reader->header.map.values[CT_CSV_KEYS + CT_KEY_MSG_BYTES].is_given)
        return ct_import_fail(reader->file, "the map names no msg_bytes, which %s has",
                              ct_collectives[*ret_collective].name);
    return CT_OK;
}

static int read_mapping(const struct reader *reader, struct ct_cell_key *key)
{
    if (!ct_csv_header_has(&reader->header, CT_CSV_BY))
        return CT_OK;
    const char *word = word_of(reader, CT_CSV_BY);
    key->by = ct_mapped_find(word);
    return key->by < CT_MAPPED_WAYS
               ? CT_OK
               : ct_import_fail(reader->file, "'%.40s' in the column '%s': expected core, socket or node",
                                word, reader->header.map.values[CT_CSV_BY].column);
}

/* Sets *ret_out if such rows are to be left out. */
static int read_method(const struct reader *reader, enum ct_collective collective,
                       struct ct_method *ret_method, bool *ret_out)
{
    *ret_out = false;
    if (!ct_csv_header_has(&reader->header, CT_CSV_METHOD))
        return ct_import_source_method(reader->file, collective, ret_method);
    const char *word = word_of(reader, CT_CSV_METHOD);
    const char *spelling = ct_csv_methods_find(&reader->methods, word);
    if (!spelling && (reader->methods.count == 0 || reader->file->request->explain))
        return ct_import_method(reader->file, collective, word, ret_method);
    if (!spelling)
        return ct_import_fail(
            reader->file,
            "the method '%.40s' is not in the list of methods: expected it in --methods, such as "
            "'%.40s=foreign/NAME'",
            word, word);
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
    for (size_t i = 0; i < reader->header.where_count; i++) {
        const char *word = reader->header.where[i], *equals = strchr(word, '=');
        if (equals && !has_value)
            return false;
        has_value =
            (has_value && !equals) || strcmp(reader->table.rows.fields[reader->header.where_places[i]],
                                             equals ? equals + 1 : word) == 0;
    }
    return has_value;
}

/* Turns the total of all ranks' blocks into one block. Sets *ret_out where that is less than a byte. */
static void divide_total(const struct reader *reader, struct ct_cell_key *key, bool *ret_out)
{
    size_t ranks = key->comm_size ? key->comm_size : reader->file->source->key.comm_size;
    if (!reader->header.map.values[CT_CSV_KEYS + CT_KEY_MSG_BYTES].is_total || ranks == 0)
        return;
    *ret_out = key->msg_bytes > 0 && key->msg_bytes < ranks;
    key->msg_bytes /= ranks;
}

static int read_result(struct reader *reader)
{
    struct ct_import_row row = {.repetitions = 0};
    bool out = false;
    int status = read_collective(reader, &row.cell.collective);
    if (status == CT_OK)
        status = read_method(reader, row.cell.collective, &row.method, &out);
    if (status == CT_OK && !out && ct_csv_is_missing(word_of(reader, CT_CSV_SECONDS)))
        return ct_import_pass_over(reader->file, "rows", "without a time");
    if (status == CT_OK && !(out && reader->header.pattern.count > 0))
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

/* Refuses a last row without a newline that has fewer fields, or whose last number has fewer digits behind
 * the point, than every row before: the file is probably cut within it. */
static int check_end(struct reader *reader)
{
    const struct ct_rows *rows = &reader->table.rows;
    const char *last = rows->fields[rows->field_count - 1];
    const size_t fraction = strlen(last + strcspn(last, ".,"));
    const bool is_short = rows->field_count < reader->fewest_fields || fraction < reader->shortest_fraction;
    if (reader->file->is_torn && reader->rows > 0 && is_short)
        return ct_import_fail(reader->file,
                              "the file ends here without a newline, in a row that is shorter than all rows "
                              "before it: it may be cut; expected a newline behind a complete row");
    if (reader->rows == 0 || rows->field_count < reader->fewest_fields)
        reader->fewest_fields = rows->field_count;
    if (reader->rows == 0 || fraction < reader->shortest_fraction)
        reader->shortest_fraction = fraction;
    reader->rows++;
    return CT_OK;
}

/* Reads the line that was cut last. */
static int read_row(struct reader *reader)
{
    if (reader->table.rows.field_count < reader->header.needed ||
        reader->table.rows.field_count > reader->header.columns)
        return ct_import_fail(reader->file, "%zu field%s: expected %zu, as in the first line",
                              reader->table.rows.field_count, ct_s(reader->table.rows.field_count),
                              reader->header.columns);
    int status = check_end(reader);
    if (status != CT_OK)
        return status;
    if (!is_selected(reader))
        return ct_import_pass_over(reader->file, "rows", "that --where does not select");
    for (size_t i = 0; status == CT_OK && i < reader->header.result_count; i++) {
        reader->now = &reader->header.results[i];
        status = read_result(reader);
    }
    return status;
}

/* --- the file --- */

/* Checks that collective and method have one origin each, and reads the list of methods. */
static int prepare(struct reader *reader)
{
    const struct ct_import_file *file = reader->file;
    const struct ct_import_source *source = file->source;
    bool has_collective = ct_csv_header_has(&reader->header, CT_CSV_COLLECTIVE);
    bool has_method = ct_csv_header_has(&reader->header, CT_CSV_METHOD);
    bool is_named = source->pattern && strstr(source->pattern, "{method}");
    if (has_collective == (source->collective != CT_COLLECTIVES))
        return ct_fail(file->error, CT_E_INPUT, "expected %s",
                       has_collective ? "the collective either in a column or as an option, not both"
                                      : "a collective, as an option or in a column that the map names");
    int status = source->methods ? ct_csv_methods_parse(source->methods, source->collective, file->error,
                                                        &reader->methods)
                                 : CT_OK;
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
    struct reader reader = {.file = file, .table = {.file = file}};
    int status = ct_csv_header_prepare(&reader.table, &reader.header);
    if (status == CT_OK)
        status = prepare(&reader);
    bool begun = false;
    char *comment = NULL;
    for (char *line = ct_import_next_line(file); status == CT_OK && line; line = ct_import_next_line(file)) {
        bool is_row = true;
        if (!line[strspn(line, " \t")])
            continue;
        if (ct_csv_is_comment(line)) {
            comment = line;
            continue;
        }
        if (!begun)
            status = ct_csv_header_read(&reader.header, line, comment, &is_row);
        if (status == CT_OK && is_row)
            status = ct_csv_table_cut(&reader.table, line);
        if (status == CT_OK && is_row)
            status = read_row(&reader);
        begun = true;
    }
    ct_csv_table_free(&reader.table);
    ct_csv_header_free(&reader.header);
    ct_csv_methods_free(&reader.methods);
    return status;
}

const struct ct_import_format ct_import_csv = {
    .name = "csv",
    .text = "tables, of values separated by commas, semicolons, tabs or blanks; --map says what the columns "
            "mean",
    .origin = "comma-separated values",
    .has_map = true,
    .read = read_csv,
};
