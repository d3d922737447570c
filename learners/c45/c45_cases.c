/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "learners/c45/c45_data.h"
#include "learners/c45/c45_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct parser {
    struct ct_c45_reader reader;
    const char *file;
    struct ct_c45_names *names;
    struct ct_error *error;
    struct ct_c45_cases cases;
};

/* --- numbers --- */

/* Whole numbers of up to 15 digits, which most are: exact in a double. */
static bool parse_whole(const char *word, double *ret_number)
{
    enum { DIGITS = 15 };
    bool negative = *word == '-';
    const char *digit = word += negative;
    long long number = 0;
    for (; *digit >= '0' && *digit <= '9' && digit - word < DIGITS; digit++)
        number = 10 * number + (*digit - '0');
    if (*digit || digit == word || (negative && number == 0))
        return false;
    *ret_number = (double)(negative ? -number : number);
    return true;
}

static bool parse_number(const char *word, float *ret_number)
{
    double number;
    if (!parse_whole(word, &number)) {
        char *end;
        number = strtod(word, &end);
        if (end == word || *end)
            return false;
    }
    *ret_number = (float)number;
    return isfinite(*ret_number);
}

/* --- one case --- */

static int fail_value(const struct parser *parser, const char *expected, const char *of)
{
    return ct_fail(parser->error, CT_E_INPUT, "%s:%zu: '%.200s': expected %s%s%s", parser->file,
                   parser->reader.name_line, parser->reader.name.data, expected, of ? " of " : "",
                   of ? of : "");
}

static int set_discrete(struct parser *parser, struct ct_c45_attribute *attribute, uint16_t *value)
{
    const struct ct_text *name = &parser->reader.name;
    size_t found = ct_c45_words_find(&attribute->values, name->data, name->length);
    if (found == SIZE_MAX) {
        if (attribute->limit == 0 || name->length == 0)
            return fail_value(parser, "a value or ?", attribute->name);
        if (attribute->values.count == attribute->limit)
            return ct_fail(parser->error, CT_E_INPUT, "%s:%zu: '%.200s': expected at most %zu values of %s",
                           parser->file, parser->reader.name_line, name->data, attribute->limit,
                           attribute->name);
        found = attribute->values.count;
        int status = ct_c45_words_add(&attribute->values, name->data, name->length);
        if (status != CT_OK)
            return ct_fail(parser->error, status, "%s: out of memory", parser->file);
    }
    *value = (uint16_t)(found + 1);
    return CT_OK;
}

static int set_value(struct parser *parser, size_t index)
{
    struct ct_c45_attribute *attribute = &parser->names->attributes[index];
    union ct_c45_column *column = &parser->cases.columns[index];
    size_t place = parser->cases.count;
    const char *word = parser->reader.name.data;
    if (attribute->kind == CT_C45_IGNORED)
        return CT_OK;
    bool unknown = strcmp(word, "?") == 0;
    if (unknown)
        parser->cases.complete = false;
    if (attribute->kind == CT_C45_CONTINUOUS) {
        if (unknown)
            column->numbers[place] = NAN;
        else if (!parse_number(word, &column->numbers[place]))
            return fail_value(parser, "a number of single precision or ?", attribute->name);
        return CT_OK;
    }
    column->values[place] = CT_C45_UNKNOWN;
    return unknown ? CT_OK : set_discrete(parser, attribute, &column->values[place]);
}

static int set_class(struct parser *parser)
{
    const struct ct_text *name = &parser->reader.name;
    size_t found = ct_c45_words_find(&parser->names->classes, name->data, name->length);
    if (found == SIZE_MAX)
        return fail_value(parser, "a class", NULL);
    parser->cases.classes[parser->cases.count] = (uint16_t)found;
    return CT_OK;
}

/* Case and columns to the file's end; *ret_more says whether there was a case. */
static int parse_case(struct parser *parser, bool *ret_more)
{
    size_t values = parser->names->attribute_count;
    for (size_t i = 0; i <= values; i++) {
        bool found;
        int status = ct_c45_reader_next(&parser->reader, &found);
        if (status == CT_E_INPUT)
            return ct_fail(parser->error, status, "%s:%zu: a name holds a NUL or the end of a line",
                           parser->file, parser->reader.name_line);
        if (status == CT_OK && !found) {
            *ret_more = false;
            return i == 0 ? CT_OK
                          : ct_fail(parser->error, CT_E_INPUT,
                                    "%s:%zu: the file ends within a case: expected %zu values and a class",
                                    parser->file, parser->reader.line, values);
        }
        if (status == CT_OK && i == 0)
            status = ct_c45_cases_reserve(&parser->cases, parser->names);
        if (status == CT_E_LIMIT)
            return ct_fail(parser->error, status, "%s: more than %d cases", parser->file, CT_C45_CASES_MAX);
        if (status != CT_OK)
            return ct_fail(parser->error, status, "%s: out of memory", parser->file);
        status = i < values ? set_value(parser, i) : set_class(parser);
        if (status != CT_OK)
            return status;
    }
    parser->cases.count++;
    *ret_more = true;
    return CT_OK;
}

/* --- all cases --- */

static int reserve_column(union ct_c45_column *column, enum ct_c45_kind kind, size_t capacity)
{
    if (kind == CT_C45_CONTINUOUS) {
        float *numbers = realloc(column->numbers, capacity * sizeof *numbers);
        if (!numbers)
            return CT_E_MEMORY;
        column->numbers = numbers;
    } else if (kind == CT_C45_DISCRETE) {
        uint16_t *values = realloc(column->values, capacity * sizeof *values);
        if (!values)
            return CT_E_MEMORY;
        column->values = values;
    }
    return CT_OK;
}

int ct_c45_cases_reserve(struct ct_c45_cases *cases, const struct ct_c45_names *names)
{
    enum { FIRST = 64 };
    if (cases->count < cases->capacity)
        return CT_OK;
    if (cases->count == CT_C45_CASES_MAX)
        return CT_E_LIMIT;
    size_t capacity = cases->capacity ? 2 * cases->capacity : FIRST;
    if (!cases->columns) {
        cases->columns = ct_allocate(names->attribute_count, sizeof *cases->columns);
        if (!cases->columns)
            return CT_E_MEMORY;
        cases->column_count = names->attribute_count;
    }
    uint16_t *classes = realloc(cases->classes, capacity * sizeof *classes);
    if (!classes)
        return CT_E_MEMORY;
    cases->classes = classes;
    for (size_t i = 0; i < cases->column_count; i++)
        if (reserve_column(&cases->columns[i], names->attributes[i].kind, capacity) != CT_OK)
            return CT_E_MEMORY;
    cases->capacity = capacity;
    return CT_OK;
}

int ct_c45_cases_parse(const char *text, size_t length, const char *file, bool training,
                       struct ct_c45_names *names, struct ct_error *error, struct ct_c45_cases *ret_cases)
{
    struct parser parser = {.file = file, .names = names, .error = error, .cases.complete = true};
    bool more = true;
    int status = CT_OK;
    ct_c45_reader_begin(&parser.reader, text, length);
    while (status == CT_OK && more)
        status = parse_case(&parser, &more);
    if (status == CT_OK && parser.cases.count == 0)
        status = ct_fail(error, CT_E_INPUT, "%s: there are no cases", file);
    for (size_t i = 0; training && i < names->attribute_count; i++)
        names->attributes[i].trained = names->attributes[i].values.count;
    ct_text_free(&parser.reader.name);
    if (status == CT_OK)
        *ret_cases = parser.cases;
    else
        ct_c45_cases_free(&parser.cases);
    return status;
}

void ct_c45_cases_free(struct ct_c45_cases *cases)
{
    for (size_t i = 0; i < cases->column_count; i++)
        free(cases->columns[i].numbers); /* whichever of the two it is */
    free(cases->columns);
    free(cases->classes);
    *cases = (struct ct_c45_cases){0};
}
