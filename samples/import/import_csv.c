/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/import/import_csv.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "samples/import/csv_map.h"
#include "samples/import/csv_table.h"
#include "samples/import/fact_pattern.h"
#include "samples/import/import_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Tables, a line a row. The columns have names, in the first line that is no comment or in the last comment
 * before it, or the map gives their numbers alone. Every row holds one result, or one in each of several
 * columns whose names say further facts. */

/* A column of results. */
struct results {
    size_t place;
    struct ct_facts facts; /* that its name says */
};

struct reader {
    struct ct_import_file *file;
    struct ct_csv_table table; /* cuts the lines of `file` */
    struct ct_csv_map map;
    struct ct_csv_methods methods;
    char **where; /* words of the source's condition: "COLUMN=VALUE", then further values of that column */
    size_t where_count;
    size_t *where_places;              /* the column of each word */
    size_t columns;                    /* of the header */
    size_t places[CT_CSV_FIELDS];      /* the columns that the map names */
    struct ct_fact_pattern pattern;    /* of the columns of results; no pieces: the map names one */
    enum ct_fact facts[CT_CSV_FIELDS]; /* what such a name says of each field; CT_FACTS: nothing */
    struct results *results;
    size_t result_count;
    size_t needed;             /* columns of each row; those behind may be missing */
    const struct results *now; /* of the column being read */
};

/* --- the header --- */

/* Names may be given with the mark of a comment before them, and without. */
static const char *bare(const char *name)
{
    return name + strspn(name, "#% \t");
}

/* "#3" is the third column. */
static bool is_number(const char *name)
{
    return *name == '#' && name[1] && !name[1 + strspn(name + 1, "0123456789")];
}

/* How many columns have this name, and the last one of them. */
static size_t count_columns(const struct reader *reader, const char *name, size_t *ret_place)
{
    const struct ct_rows *rows = &reader->table.rows;
    const bool numbered = is_number(name);
    size_t number, found = 0;
    for (size_t i = 0; i < rows->field_count; i++)
        if (numbered ? strcmp(rows->fields[i], name) == 0 : strcmp(bare(rows->fields[i]), bare(name)) == 0) {
            *ret_place = i;
            found++;
        }
    if (found == 0 && numbered && ct_whole_parse(name + 1, rows->field_count, &number) == CT_OK &&
        number > 0) {
        *ret_place = number - 1;
        found = 1;
    }
    return found;
}

static int find_column(const struct reader *reader, const char *name, size_t *ret_place)
{
    const struct ct_rows *rows = &reader->table.rows;
    size_t found = count_columns(reader, name, ret_place);
    if (found == 1)
        return CT_OK;
    if (found > 1)
        return ct_import_fail(reader->file,
                              "the column '%s' of the map occurs %zu times: expected #N, its number", name,
                              found);
    char names[400] = "";
    for (size_t i = 0, length = 0; i < rows->field_count && length < sizeof names; i++)
        length +=
            (size_t)snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "", rows->fields[i]);
    return ct_import_fail(reader->file, "no column '%s', which the map names: there are %s", name, names);
}

/* The column that the map names for a field; NULL: none. */
static const char *column_of(const struct reader *reader, int field)
{
    const bool is_pattern = field == CT_CSV_SECONDS && reader->pattern.count > 0;
    const char *column = reader->map.values[field].column;
    return *column && !is_pattern && reader->facts[field] == CT_FACTS ? column : NULL;
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

/* Does the map name this column for another field? */
static bool is_taken(const struct reader *reader, size_t place)
{
    for (int i = 0; i < CT_CSV_FIELDS; i++)
        if (column_of(reader, i) && reader->places[i] == place)
            return true;
    return false;
}

/* The columns of results: that of the map, or those whose names match its pattern. */
static int find_results(struct reader *reader)
{
    const struct ct_rows *rows = &reader->table.rows;
    reader->results = ct_allocate(rows->field_count, sizeof *reader->results);
    if (!reader->results)
        return ct_fail(reader->file->error, CT_E_MEMORY, "out of memory");
    if (reader->pattern.count == 0) {
        reader->results[reader->result_count++].place = reader->places[CT_CSV_SECONDS];
        return CT_OK;
    }
    for (size_t i = 0; i < rows->field_count; i++) {
        struct results *results = &reader->results[reader->result_count];
        results->place = i;
        reader->result_count +=
            !is_taken(reader, i) &&
            ct_fact_pattern_matches(&reader->pattern, bare(rows->fields[i]), '\0', &results->facts);
    }
    return reader->result_count > 0
               ? CT_OK
               : ct_import_fail(reader->file, "no column whose name matches '%.100s'", reader->pattern.text);
}

static void need(struct reader *reader, size_t place)
{
    if (reader->needed <= place)
        reader->needed = place + 1;
}

/* Takes the fields of the line that was cut last as the header. */
static int take_header(struct reader *reader)
{
    int status = CT_OK;
    reader->columns = reader->table.rows.field_count;
    for (int i = 0; status == CT_OK && i < CT_CSV_FIELDS; i++)
        if (column_of(reader, i))
            status = find_column(reader, column_of(reader, i), &reader->places[i]);
    if (status == CT_OK)
        status = find_where(reader);
    if (status == CT_OK)
        status = find_results(reader);
    for (int i = 0; status == CT_OK && i < CT_CSV_FIELDS; i++)
        if (column_of(reader, i))
            need(reader, reader->places[i]);
    for (size_t i = 0; status == CT_OK && i < reader->where_count; i++)
        need(reader, reader->where_places[i]);
    for (size_t i = 0; status == CT_OK && i < reader->result_count; i++)
        need(reader, reader->results[i].place);
    return status;
}

/* Does the map give the numbers of all columns? */
static bool has_numbers_alone(const struct reader *reader)
{
    bool numbers = reader->pattern.count == 0;
    for (int i = 0; i < CT_CSV_FIELDS; i++)
        numbers &= !column_of(reader, i) || is_number(column_of(reader, i));
    for (size_t i = 0; i < reader->where_count; i++)
        numbers &= !strchr(reader->where[i], '=') || *reader->where[i] == '#';
    return numbers;
}

/* Cuts the first line that is no comment, and takes it or the comment before it as the header. Sets
 * *ret_is_row if the line is a row. */
static int read_header(struct reader *reader, char *line, char *comment, bool *ret_is_row)
{
    size_t place, named = 0;
    bool is_there = true;
    int status = CT_OK;
    *ret_is_row = false;
    if (comment && !has_numbers_alone(reader)) {
        status = ct_csv_table_cut(&reader->table, comment + strspn(comment, "#% \t"));
        for (int i = 0; status == CT_OK && i < CT_CSV_FIELDS; i++)
            if (column_of(reader, i)) {
                is_there &= count_columns(reader, column_of(reader, i), &place) > 0;
                named++;
            }
        if (status == CT_OK && is_there && named > 0) {
            *ret_is_row = true;
            return take_header(reader);
        }
        ct_csv_table_free(&reader->table);
    }
    status = ct_csv_table_cut(&reader->table, line);
    if (status == CT_OK)
        status = take_header(reader);
    double number;
    if (status == CT_OK && has_numbers_alone(reader)) {
        const char *seconds = reader->table.rows.fields[reader->results[0].place];
        *ret_is_row =
            ct_csv_is_missing(seconds) || ct_csv_table_number(&reader->table, seconds, &number) == CT_OK;
    }
    return status;
}

/* --- rows --- */

/* Does each row have a word of its own for the field? */
static bool has_word(const struct reader *reader, int field)
{
    return reader->facts[field] != CT_FACTS || *reader->map.values[field].column;
}

static const char *word_of(const struct reader *reader, int field)
{
    if (reader->facts[field] != CT_FACTS)
        return reader->now->facts.words[reader->facts[field]];
    return reader->table.rows.fields[field == CT_CSV_SECONDS ? reader->now->place : reader->places[field]];
}

/* The value of a field that is a number; 0 if the map does not have it. */
static int read_number(const struct reader *reader, int field, double *ret_number)
{
    const struct ct_csv_value *value = &reader->map.values[field];
    *ret_number = value->constant;
    if (!value->is_given || !has_word(reader, field))
        return CT_OK;
    const char *word = word_of(reader, field);
    double number;
    if (ct_csv_table_number(&reader->table, word, &number) != CT_OK)
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
    if (has_word(reader, CT_CSV_COLLECTIVE)) {
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
    if (!has_word(reader, CT_CSV_BY))
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
    if (!has_word(reader, CT_CSV_METHOD))
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
        has_value = (has_value && !equals) || strcmp(reader->table.rows.fields[reader->where_places[i]],
                                                     equals ? equals + 1 : word) == 0;
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

static int read_result(struct reader *reader)
{
    struct ct_import_row row = {.repetitions = 0};
    bool out = false;
    int status = read_collective(reader, &row.cell.collective);
    if (status == CT_OK)
        status = read_method(reader, row.cell.collective, &row.method, &out);
    if (status == CT_OK && !out && ct_csv_is_missing(word_of(reader, CT_CSV_SECONDS)))
        return ct_import_pass_over(reader->file, "rows", "without a time");
    if (status == CT_OK && !(out && reader->pattern.count > 0))
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

/* Reads the line that was cut last. */
static int read_row(struct reader *reader)
{
    int status = CT_OK;
    if (reader->table.rows.field_count < reader->needed || reader->table.rows.field_count > reader->columns)
        return ct_import_fail(reader->file, "%zu fields: expected %zu, as in the first line",
                              reader->table.rows.field_count, reader->columns);
    if (!is_selected(reader))
        return ct_import_pass_over(reader->file, "rows", "that --where does not select");
    for (size_t i = 0; status == CT_OK && i < reader->result_count; i++) {
        reader->now = &reader->results[i];
        status = read_result(reader);
    }
    return status;
}

/* --- the file --- */

/* What the names of columns of results say. */
static int prepare_pattern(struct reader *reader)
{
    struct ct_error *error = reader->file->error;
    const char *column = reader->map.values[CT_CSV_SECONDS].column;
    for (int i = 0; i < CT_CSV_FIELDS; i++)
        reader->facts[i] = CT_FACTS;
    if (!strchr(column, '{'))
        return CT_OK;
    int status = ct_fact_pattern_read("--map seconds=", column, error, &reader->pattern);
    for (int i = 0; status == CT_OK && i < CT_CSV_FIELDS; i++)
        for (int fact = 0; status == CT_OK && fact < CT_FACTS; fact++) {
            if (!reader->pattern.has[fact] ||
                strcmp(ct_csv_field_name(i), ct_fact_name((enum ct_fact)fact)) != 0)
                continue;
            if (reader->map.values[i].is_given)
                status = ct_fail(error, CT_E_INPUT,
                                 "the map has %s both in a column and in the names of the columns '%s'",
                                 ct_csv_field_name(i), column);
            reader->map.values[i] = (struct ct_csv_value){.is_given = true, .factor = 1, .divisor = 1};
            reader->facts[i] = (enum ct_fact)fact;
        }
    return status;
}

static int prepare(struct reader *reader)
{
    const struct ct_import_file *file = reader->file;
    const struct ct_import_source *source = file->source;
    const char *where = source->where;
    if (!source->map)
        return ct_fail(file->error, CT_E_INPUT, "expected a map: which columns hold what");
    int status = ct_csv_map_parse(source->map, file->error, &reader->map);
    if (status == CT_OK)
        status = prepare_pattern(reader);
    if (status == CT_OK && where)
        status = ct_words_split(where, file->error, &reader->where, &reader->where_count);
    if (status != CT_OK)
        return status;
    if (where && (reader->where_count == 0 || !strchr(reader->where[0], '=')))
        return ct_fail(file->error, CT_E_INPUT, "--where '%.80s': expected COLUMN=VALUE[,VALUE]", where);
    reader->where_places = ct_allocate(reader->where_count, sizeof *reader->where_places);
    if (reader->where_count > 0 && !reader->where_places)
        return ct_fail(file->error, CT_E_MEMORY, "out of memory");
    bool has_column = has_word(reader, CT_CSV_COLLECTIVE);
    if (has_column == (source->collective != CT_COLLECTIVES))
        return ct_fail(file->error, CT_E_INPUT, "expected %s",
                       has_column ? "the collective either in a column or as an option, not both"
                                  : "a collective, as an option or in a column that the map names");
    if (source->methods)
        status = ct_csv_methods_parse(source->methods, source->collective, file->error, &reader->methods);
    bool has_method = has_word(reader, CT_CSV_METHOD);
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
    struct reader reader = {.file = file, .table = {.file = file}};
    int status = prepare(&reader);
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
            status = read_header(&reader, line, comment, &is_row);
        if (status == CT_OK && is_row)
            status = ct_csv_table_cut(&reader.table, line);
        if (status == CT_OK && is_row)
            status = read_row(&reader);
        begun = true;
    }
    ct_csv_table_free(&reader.table);
    free(reader.results);
    ct_words_free(reader.where, reader.where_count);
    free(reader.where_places);
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
