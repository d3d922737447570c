/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/import/csv_table.h"
#include "base/number.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const char blanks[] = " \t";

/* --- lines --- */

static char separator_of(const char *line)
{
    for (const char *separator = ",;\t "; *separator; separator++)
        if (strchr(line, *separator))
            return *separator;
    return ',';
}

/* One tab for each run of blanks. */
static void join_blanks(char *line)
{
    char *to = line;
    for (const char *from = line + strspn(line, blanks); *from;) {
        size_t word = strcspn(from, blanks), gap = strspn(from + word, blanks);
        memmove(to, from, word);
        to += word;
        from += word + gap;
        if (*from)
            *to++ = '\t';
    }
    *to = '\0';
}

int ct_csv_table_cut(struct ct_csv_table *table, char *line)
{
    struct ct_rows *rows = &table->rows;
    int status = CT_OK;
    if (!table->separator) {
        table->separator = separator_of(line + strspn(line, blanks));
        *rows = (struct ct_rows){.name = table->file->name, .error = table->file->error};
        rows->separator = table->separator == ' ' ? '\t' : table->separator;
        status = ct_rows_begin(rows, NULL);
    }
    if (status != CT_OK)
        return status;
    if (table->separator == ' ')
        join_blanks(line);
    rows->line = table->file->line;
    status = ct_rows_split(rows, line);
    for (size_t i = 0; status == CT_OK && i < rows->field_count; i++) {
        char *field = rows->fields[i] + strspn(rows->fields[i], blanks);
        size_t length = strlen(field);
        while (length > 0 && strchr(blanks, field[length - 1]))
            length--;
        field[length] = '\0';
        rows->fields[i] = field;
    }
    return status;
}

void ct_csv_table_free(struct ct_csv_table *table)
{
    ct_rows_close(&table->rows);
    *table = (struct ct_csv_table){.file = table->file};
}

bool ct_csv_is_comment(const char *line)
{
    line += strspn(line, blanks);
    return *line == '#' || *line == '%';
}

/* --- fields --- */

bool ct_csv_is_missing(const char *field)
{
    static const char *const words[] = {"", "-", "NA", "N/A", "nan", "null", "none"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcasecmp(words[i], field) == 0)
            return true;
    return false;
}

/* Where the deviation begins, behind the number: "(0.1)", "+-0.1", "+/-0.1" or the same with the sign for
 * both; the end of the field if there is none. */
static const char *deviation_of(const char *field)
{
    static const char *const signs[] = {"+-", "+/-", "\xc2\xb1"};
    double number;
    char text[40];
    const char *begin = strchr(field, '('), *end = field + strlen(field), *value = begin ? begin + 1 : NULL;
    if (begin && end[-1] == ')')
        end--;
    for (size_t i = 0; !begin && i < sizeof signs / sizeof signs[0]; i++) {
        begin = strstr(field, signs[i]);
        value = begin ? begin + strlen(signs[i]) : NULL;
    }
    if (!begin || (*begin == '(' && !*end))
        return field + strlen(field);
    value += strspn(value, blanks);
    if (end < value || (size_t)(end - value) >= sizeof text)
        return field + strlen(field);
    memcpy(text, value, (size_t)(end - value));
    text[end - value] = '\0';
    return ct_number_parse(text, &number) == CT_OK ? begin : field + strlen(field);
}

int ct_csv_table_number(const struct ct_csv_table *table, const char *field, double *ret_number)
{
    char unit[CT_CSV_UNIT];
    double number;
    int status = ct_csv_table_quantity(table, field, unit, &number);
    if (status != CT_OK || *unit)
        return CT_E_INPUT;
    *ret_number = number;
    return CT_OK;
}

/* Reads the number, and replaces a decimal comma in it. */
static int read_decimal(const struct ct_csv_table *table, char *text, double *ret_number)
{
    const bool is_comma_free = table->separator == ';' || table->separator == '\t';
    char *comma = is_comma_free && !strchr(text, '.') ? strchr(text, ',') : NULL;
    size_t size;
    if (comma)
        *comma = '.';
    if (ct_size_parse(text, &size) == CT_OK) {
        *ret_number = (double)size;
        return CT_OK;
    }
    return ct_number_parse(text, ret_number) == CT_OK ? CT_OK : CT_E_INPUT;
}

static size_t length_without_blanks(const char *text, size_t length)
{
    while (length > 0 && strchr(blanks, text[length - 1]))
        length--;
    return length;
}

int ct_csv_table_quantity(const struct ct_csv_table *table, const char *field, char ret_unit[CT_CSV_UNIT],
                          double *ret_number)
{
    char text[64];
    size_t length = length_without_blanks(field, (size_t)(deviation_of(field) - field));
    if (length >= sizeof text)
        return CT_E_INPUT;
    memcpy(text, field, length);
    text[length] = '\0';
    if (read_decimal(table, text, ret_number) == CT_OK) {
        *ret_unit = '\0';
        return CT_OK;
    }
    size_t number = length; /* a unit is of letters, of which that for micro is not of ASCII */
    while (number > 0 && (isalpha((unsigned char)text[number - 1]) || (text[number - 1] & 0x80)))
        number--;
    if (number == length || length - number >= CT_CSV_UNIT)
        return CT_E_INPUT;
    char unit[CT_CSV_UNIT];
    strcpy(unit, text + number);
    text[length_without_blanks(text, number)] = '\0';
    if (read_decimal(table, text, ret_number) != CT_OK)
        return CT_E_INPUT;
    strcpy(ret_unit, unit);
    return CT_OK;
}
