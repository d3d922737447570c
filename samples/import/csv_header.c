/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/import/csv_header.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- what the source says --- */

/* What the names of columns of results say. */
static int prepare_pattern(struct ct_csv_header *header)
{
    struct ct_error *error = header->table->file->error;
    const char *column = header->map.values[CT_CSV_SECONDS].column;
    for (int i = 0; i < CT_CSV_FIELDS; i++)
        header->facts[i] = CT_FACTS;
    if (!strchr(column, '{'))
        return CT_OK;
    int status = ct_fact_pattern_read("--map seconds=", column, error, &header->pattern);
    for (int i = 0; status == CT_OK && i < CT_CSV_FIELDS; i++)
        for (int fact = 0; status == CT_OK && fact < CT_FACTS; fact++) {
            if (!header->pattern.has[fact] ||
                strcmp(ct_csv_field_name(i), ct_fact_name((enum ct_fact)fact)) != 0)
                continue;
            if (header->map.values[i].is_given)
                status = ct_fail(error, CT_E_INPUT,
                                 "the map has %s both in a column and in the names of the columns '%s'",
                                 ct_csv_field_name(i), column);
            header->map.values[i] = (struct ct_csv_value){.is_given = true, .factor = 1, .divisor = 1};
            header->facts[i] = (enum ct_fact)fact;
        }
    return status;
}

static int prepare_where(struct ct_csv_header *header)
{
    struct ct_error *error = header->table->file->error;
    const char *where = header->table->file->source->where;
    if (!where)
        return CT_OK;
    int status = ct_words_split(where, error, &header->where, &header->where_count);
    if (status != CT_OK)
        return status;
    if (header->where_count == 0 || !strchr(header->where[0], '='))
        return ct_fail(error, CT_E_INPUT, "--where '%.80s': expected COLUMN=VALUE[,VALUE]", where);
    header->where_places = ct_allocate(header->where_count, sizeof *header->where_places);
    return header->where_places ? CT_OK : ct_fail(error, CT_E_MEMORY, "out of memory");
}

int ct_csv_header_prepare(struct ct_csv_table *table, struct ct_csv_header *ret_header)
{
    const struct ct_import_file *file = table->file;
    *ret_header = (struct ct_csv_header){.table = table};
    if (!file->source->map)
        return ct_fail(file->error, CT_E_INPUT,
                       "--map is missing; expected FIELD=COLUMN for what the columns hold, for example "
                       "seconds=latency*us");
    int status = ct_csv_map_parse(file->source->map, file->error, &ret_header->map);
    if (status == CT_OK)
        status = prepare_pattern(ret_header);
    return status == CT_OK ? prepare_where(ret_header) : status;
}

void ct_csv_header_free(struct ct_csv_header *header)
{
    free(header->results);
    ct_words_free(header->where, header->where_count);
    free(header->where_places);
}

/* --- the columns --- */

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
static size_t count_columns(const struct ct_csv_header *header, const char *name, size_t *ret_place)
{
    const struct ct_rows *rows = &header->table->rows;
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

/* `namer` names it: the map or --where. */
static int find_column(const struct ct_csv_header *header, const char *name, const char *namer,
                       size_t *ret_place)
{
    const struct ct_rows *rows = &header->table->rows;
    size_t found = count_columns(header, name, ret_place);
    if (found == 1)
        return CT_OK;
    if (found > 1)
        return ct_import_fail(header->table->file,
                              "the column '%s' of %s occurs %zu times: expected #N, its number", name, namer,
                              found);
    char names[400] = "";
    for (size_t i = 0, length = 0; i < rows->field_count && length < sizeof names; i++)
        length +=
            (size_t)snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "", rows->fields[i]);
    return ct_import_fail(header->table->file, "no column '%s', which %s names: there are %s", name, namer,
                          names);
}

/* The column that the map names for a field; NULL: none. */
static const char *column_of(const struct ct_csv_header *header, int field)
{
    const bool is_pattern = field == CT_CSV_SECONDS && header->pattern.count > 0;
    const char *column = header->map.values[field].column;
    return *column && !is_pattern && header->facts[field] == CT_FACTS ? column : NULL;
}

static int find_where(struct ct_csv_header *header)
{
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < header->where_count; i++) {
        char *equals = strchr(header->where[i], '=');
        if (!equals) {
            header->where_places[i] = header->where_places[i - 1];
            continue;
        }
        *equals = '\0';
        status = find_column(header, header->where[i], "--where", &header->where_places[i]);
        *equals = '=';
    }
    return status;
}

/* Does the map name this column for another field? */
static bool is_taken(const struct ct_csv_header *header, size_t place)
{
    for (int i = 0; i < CT_CSV_FIELDS; i++)
        if (column_of(header, i) && header->places[i] == place)
            return true;
    return false;
}

/* The columns of results: that of the map, or those whose names match its pattern. */
static int find_results(struct ct_csv_header *header)
{
    const struct ct_rows *rows = &header->table->rows;
    header->results = ct_allocate(rows->field_count, sizeof *header->results);
    if (!header->results)
        return ct_fail(header->table->file->error, CT_E_MEMORY, "out of memory");
    if (header->pattern.count == 0) {
        header->results[header->result_count++].place = header->places[CT_CSV_SECONDS];
        return CT_OK;
    }
    for (size_t i = 0; i < rows->field_count; i++) {
        struct ct_csv_results *results = &header->results[header->result_count];
        results->place = i;
        header->result_count +=
            !is_taken(header, i) &&
            ct_fact_pattern_matches(&header->pattern, bare(rows->fields[i]), '\0', &results->facts);
    }
    return header->result_count > 0
               ? CT_OK
               : ct_import_fail(header->table->file, "no column whose name matches '%.100s'",
                                header->pattern.text);
}

static void need(struct ct_csv_header *header, size_t place)
{
    if (header->needed <= place)
        header->needed = place + 1;
}

/* Takes the fields of the line that was cut last as the header. */
static int take_header(struct ct_csv_header *header)
{
    int status = CT_OK;
    header->columns = header->table->rows.field_count;
    for (int i = 0; status == CT_OK && i < CT_CSV_FIELDS; i++)
        if (column_of(header, i))
            status = find_column(header, column_of(header, i), "the map", &header->places[i]);
    if (status == CT_OK)
        status = find_where(header);
    if (status == CT_OK)
        status = find_results(header);
    for (int i = 0; status == CT_OK && i < CT_CSV_FIELDS; i++)
        if (column_of(header, i))
            need(header, header->places[i]);
    for (size_t i = 0; status == CT_OK && i < header->where_count; i++)
        need(header, header->where_places[i]);
    for (size_t i = 0; status == CT_OK && i < header->result_count; i++)
        need(header, header->results[i].place);
    return status;
}

/* Does the map give the numbers of all columns? */
static bool has_numbers_alone(const struct ct_csv_header *header)
{
    bool numbers = header->pattern.count == 0;
    for (int i = 0; i < CT_CSV_FIELDS; i++)
        numbers &= !column_of(header, i) || is_number(column_of(header, i));
    for (size_t i = 0; i < header->where_count; i++)
        numbers &= !strchr(header->where[i], '=') || *header->where[i] == '#';
    return numbers;
}

int ct_csv_header_read(struct ct_csv_header *header, char *line, char *comment, bool *ret_is_row)
{
    size_t place, named = 0;
    bool is_there = true;
    int status = CT_OK;
    *ret_is_row = false;
    if (comment && !has_numbers_alone(header)) {
        status = ct_csv_table_cut(header->table, comment + strspn(comment, "#% \t"));
        for (int i = 0; status == CT_OK && i < CT_CSV_FIELDS; i++)
            if (column_of(header, i)) {
                is_there &= count_columns(header, column_of(header, i), &place) > 0;
                named++;
            }
        if (status == CT_OK && is_there && named > 0) {
            *ret_is_row = true;
            return take_header(header);
        }
        ct_csv_table_free(header->table);
    }
    status = ct_csv_table_cut(header->table, line);
    if (status == CT_OK)
        status = take_header(header);
    char unit[CT_CSV_UNIT];
    double number;
    if (status == CT_OK && has_numbers_alone(header)) {
        const char *seconds = header->table->rows.fields[header->results[0].place];
        *ret_is_row = ct_csv_is_missing(seconds) ||
                      ct_csv_table_quantity(header->table, seconds, unit, &number) == CT_OK;
    }
    return status;
}

/* --- a row's words --- */

bool ct_csv_header_has(const struct ct_csv_header *header, int field)
{
    return header->facts[field] != CT_FACTS || *header->map.values[field].column;
}

const char *ct_csv_header_word(const struct ct_csv_header *header, const struct ct_csv_results *results,
                               int field)
{
    if (header->facts[field] != CT_FACTS)
        return results->facts.words[header->facts[field]];
    return header->table->rows.fields[field == CT_CSV_SECONDS ? results->place : header->places[field]];
}
