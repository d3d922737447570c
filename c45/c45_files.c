/* SPDX-License-Identifier: BSD-3-Clause */
#include "c45/c45_files.h"
#include "base/file.h"
#include "base/number.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- one name after the other --- */

void ct_c45_reader_begin(struct ct_c45_reader *reader, const char *text, size_t length)
{
    *reader = (struct ct_c45_reader){.text = text, .length = length, .line = 1, .name_line = 1};
}

static int peek(const struct ct_c45_reader *reader)
{
    return reader->place < reader->length ? (unsigned char)reader->text[reader->place] : EOF;
}

static int take(struct ct_c45_reader *reader)
{
    int character = peek(reader);
    if (character != EOF)
        reader->place++;
    if (character == '\n')
        reader->line++;
    return character;
}

static bool is_blank(int character)
{
    return character == ' ' || character == '\t' || character == '\n';
}

static void skip_line(struct ct_c45_reader *reader)
{
    while (peek(reader) != EOF && take(reader) != '\n')
        ;
}

/* Blanks and comments before a name. */
static void skip_blanks(struct ct_c45_reader *reader)
{
    for (;;) {
        int character = peek(reader);
        if (character == '|')
            skip_line(reader);
        else if (is_blank(character))
            take(reader);
        else
            return;
    }
}

/* Adds a character to the name; of a run of spaces, the first. */
static void keep(struct ct_c45_reader *reader, int character)
{
    char byte = (char)character;
    ct_text_append_bytes(&reader->name, &byte, 1);
    while (character == ' ' && peek(reader) == ' ')
        take(reader);
}

/* Takes a character and what belongs to it; true if the name ends. */
static bool step(struct ct_c45_reader *reader, int character)
{
    if (character == '.') {
        int next = peek(reader);
        if (next == EOF || next == '|' || is_blank(next)) {
            reader->delimiter = take(reader);
            return true;
        }
        keep(reader, '.');
        /* the character after such a period is part of the name, even a delimiter */
        character = take(reader);
    } else if (character == ':' || character == ',' || character == '\n' || character == '|' ||
               character == EOF) {
        reader->delimiter = character;
        return true;
    }
    if (character == '\\')
        character = take(reader);
    if (character == EOF) {
        reader->delimiter = EOF;
        return true;
    }
    keep(reader, character);
    return false;
}

/* Characters that step() must look at. */
static const bool second_look[UCHAR_MAX + 1] = {[':'] = true, [','] = true,  ['\n'] = true, ['|'] = true,
                                                ['.'] = true, ['\\'] = true, [' '] = true,  ['\0'] = true};

/* Takes the characters up to the next one of these in one piece. */
static void take_plain(struct ct_c45_reader *reader)
{
    const char *from = reader->text + reader->place;
    size_t most = reader->length - reader->place, length = 0;
    while (length < most && !second_look[(unsigned char)from[length]])
        length++;
    ct_text_append_bytes(&reader->name, from, length);
    reader->place += length;
}

int ct_c45_reader_next(struct ct_c45_reader *reader, bool *ret_found)
{
    struct ct_text *name = &reader->name;
    name->length = 0;
    skip_blanks(reader);
    reader->name_line = reader->line;
    *ret_found = peek(reader) != EOF;
    if (!*ret_found)
        return CT_OK;
    do
        take_plain(reader);
    while (!step(reader, take(reader)));
    if (reader->delimiter == '|') {
        skip_line(reader);
        reader->delimiter = '\n';
    }
    while (name->length > 0 && is_blank((unsigned char)name->data[name->length - 1]))
        name->length--;
    ct_text_append_bytes(name, "", 0);
    if (name->failed)
        return CT_E_MEMORY;
    name->data[name->length] = '\0';
    return memchr(name->data, '\0', name->length) || strchr(name->data, '\n') ? CT_E_INPUT : CT_OK;
}

/* --- .names and .data --- */

struct parser {
    struct ct_c45_reader reader;
    struct ct_error error; /* without file and line */
    struct ct_c45_names *names;
    struct ct_c45_cases cases;
};

static int out_of_memory(struct parser *parser)
{
    return ct_fail(&parser->error, CT_E_MEMORY, "out of memory");
}

/* Ends parsing; an error gets file and line. */
static int end(struct parser *parser, int status, const char *file, struct ct_error *error)
{
    ct_text_free(&parser->reader.name);
    return status == CT_OK
               ? CT_OK
               : ct_fail(error, status, "%s:%zu: %s", file, parser->reader.name_line, parser->error.text);
}

/* The next name; *ret_found: there is one. */
static int next(struct parser *parser, bool *ret_found)
{
    int status = ct_c45_reader_next(&parser->reader, ret_found);
    if (status == CT_E_INPUT)
        return ct_fail(&parser->error, status, "the name has a NUL or an escaped newline");
    return status == CT_OK ? status : out_of_memory(parser);
}

/* .names */

static int add_word(struct parser *parser, struct ct_c45_words *words, const char *what)
{
    const struct ct_text *name = &parser->reader.name;
    if (name->length == 0)
        return ct_fail(&parser->error, CT_E_INPUT, "an empty name; expected %s", what);
    if (ct_c45_words_find(words, name->data, name->length) != SIZE_MAX)
        return ct_fail(&parser->error, CT_E_INPUT, "'%s' occurs twice; expected %s that is new", name->data,
                       what);
    int status = ct_c45_words_add(words, name->data, name->length);
    if (status == CT_E_LIMIT)
        return ct_fail(&parser->error, status, "more than %d names of one kind", CT_C45_WORDS_MAX);
    return status == CT_OK ? status : out_of_memory(parser);
}

/* Names with commas between them. */
static int parse_list(struct parser *parser, struct ct_c45_words *words, const char *what)
{
    bool found;
    do {
        int status = next(parser, &found);
        if (status != CT_OK)
            return status;
        if (!found)
            return ct_fail(&parser->error, CT_E_INPUT, "the file ends; expected %s", what);
        status = add_word(parser, words, what);
        if (status != CT_OK)
            return status;
    } while (parser->reader.delimiter == ',');
    return CT_OK;
}

/* N of `discrete N`; `word` is the text after the first word. N may be more than CT_C45_WORDS_MAX: then a
 * value beyond that number is refused. */
static bool parse_limit(const char *word, size_t *ret_limit)
{
    size_t limit;
    if (ct_whole_parse(word + strspn(word, " \t"), SIZE_MAX, &limit) != CT_OK || limit < 2)
        return false;
    *ret_limit = limit < CT_C45_WORDS_MAX ? limit : CT_C45_WORDS_MAX;
    return true;
}

/* A single word in the place of the values tells the kind. */
static int settle_kind(struct parser *parser, struct ct_c45_attribute *attribute)
{
    static const char prefix[] = "discrete";
    const char *word = attribute->values.words[0];
    if (strcmp(word, "continuous") == 0)
        attribute->kind = CT_C45_CONTINUOUS;
    else if (strcmp(word, "ignore") == 0)
        attribute->kind = CT_C45_IGNORED;
    else if (strncmp(word, prefix, strlen(prefix)) != 0 ||
             !parse_limit(word + strlen(prefix), &attribute->limit))
        return ct_fail(&parser->error, CT_E_INPUT,
                       "'%s' of %s: expected continuous, ignore, discrete N (N at least 2), or several "
                       "values",
                       word, attribute->name);
    ct_c45_words_free(&attribute->values);
    return CT_OK;
}

/* Reads an attribute, whose name has been read. */
static int parse_attribute(struct parser *parser)
{
    const struct ct_text *name = &parser->reader.name;
    if (parser->reader.delimiter != ':' || name->length == 0)
        return ct_fail(&parser->error, CT_E_INPUT, "'%s': expected the name of an attribute and a colon",
                       name->data);
    for (size_t i = 0; i < parser->names->attribute_count; i++)
        if (strcmp(parser->names->attributes[i].name, name->data) == 0)
            return ct_fail(&parser->error, CT_E_INPUT, "'%s' is the name of an earlier attribute",
                           name->data);
    if (parser->names->attribute_count == CT_C45_WORDS_MAX)
        return ct_fail(&parser->error, CT_E_LIMIT, "more than %d attributes", CT_C45_WORDS_MAX);
    if (ct_c45_names_add(parser->names, name->data, name->length, CT_C45_DISCRETE) != CT_OK)
        return out_of_memory(parser);
    struct ct_c45_attribute *attribute = &parser->names->attributes[parser->names->attribute_count - 1];
    int status = parse_list(parser, &attribute->values, "a value");
    if (status == CT_OK && attribute->values.count == 1)
        status = settle_kind(parser, attribute);
    attribute->trained = attribute->values.count;
    return status;
}

static int parse_names(struct parser *parser)
{
    bool found = true;
    int status = parse_list(parser, &parser->names->classes, "a class");
    while (status == CT_OK && (status = next(parser, &found)) == CT_OK && found)
        status = parse_attribute(parser);
    if (status == CT_OK && parser->names->attribute_count == 0)
        return ct_fail(&parser->error, CT_E_INPUT, "the file ends; expected an attribute");
    return status;
}

int ct_c45_names_parse(const char *text, size_t length, const char *file, struct ct_error *error,
                       struct ct_c45_names *ret_names)
{
    struct ct_c45_names names = {0};
    struct parser parser = {.names = &names};
    ct_c45_reader_begin(&parser.reader, text, length);
    int status = end(&parser, parse_names(&parser), file, error);
    if (status == CT_OK)
        *ret_names = names;
    else
        ct_c45_names_free(&names);
    return status;
}

/* .data and .test */

/* Most numbers are whole and have at most 15 digits: they are exact in a double. */
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

static int fail_value(struct parser *parser, const char *expected, const char *of)
{
    return ct_fail(&parser->error, CT_E_INPUT, "'%.200s': expected %s%s%s", parser->reader.name.data,
                   expected, of ? " of " : "", of ? of : "");
}

static int set_discrete(struct parser *parser, struct ct_c45_attribute *attribute, uint16_t *value)
{
    const struct ct_text *name = &parser->reader.name;
    size_t found = ct_c45_words_find(&attribute->values, name->data, name->length);
    if (found == SIZE_MAX) {
        if (attribute->limit == 0 || name->length == 0)
            return fail_value(parser, "a value or ?", attribute->name);
        if (attribute->values.count == attribute->limit)
            return ct_fail(&parser->error, CT_E_INPUT, "'%.200s': expected at most %zu values of %s",
                           name->data, attribute->limit, attribute->name);
        found = attribute->values.count;
        int status = ct_c45_words_add(&attribute->values, name->data, name->length);
        if (status != CT_OK)
            return out_of_memory(parser);
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

/* Reads a case; *ret_more: there was one. */
static int parse_case(struct parser *parser, bool *ret_more)
{
    size_t values = parser->names->attribute_count;
    for (size_t i = 0; i <= values; i++) {
        bool found;
        int status = next(parser, &found);
        if (status != CT_OK)
            return status;
        if (!found && i > 0)
            return ct_fail(&parser->error, CT_E_INPUT,
                           "the file ends within a case; expected %zu values and a class", values);
        if (!found) {
            *ret_more = false;
            return CT_OK;
        }
        if (i == 0)
            status = ct_c45_cases_reserve(&parser->cases, parser->names);
        if (status == CT_E_LIMIT)
            return ct_fail(&parser->error, status, "more than %d cases", CT_C45_CASES_MAX);
        if (status != CT_OK)
            return out_of_memory(parser);
        status = i < values ? set_value(parser, i) : set_class(parser);
        if (status != CT_OK)
            return status;
    }
    parser->cases.count++;
    *ret_more = true;
    return CT_OK;
}

int ct_c45_cases_parse(const char *text, size_t length, const char *file, bool training,
                       struct ct_c45_names *names, struct ct_error *error, struct ct_c45_cases *ret_cases)
{
    struct parser parser = {.names = names, .cases.complete = true};
    bool more = true;
    int status = CT_OK;
    ct_c45_reader_begin(&parser.reader, text, length);
    while (status == CT_OK && more)
        status = parse_case(&parser, &more);
    status = end(&parser, status, file, error);
    if (status == CT_OK && parser.cases.count == 0)
        status = ct_fail(error, CT_E_INPUT, "%s: there are no cases", file);
    for (size_t i = 0; training && i < names->attribute_count; i++)
        names->attributes[i].trained = names->attributes[i].values.count;
    if (status == CT_OK)
        *ret_cases = parser.cases;
    else
        ct_c45_cases_free(&parser.cases);
    return status;
}

/* --- files --- */

int ct_c45_names_read(const char *path, struct ct_error *error, struct ct_c45_names *ret_names)
{
    char *text;
    size_t length;
    int status = ct_lines_read(path, error, &text, &length);
    if (status != CT_OK)
        return status;
    status = ct_c45_names_parse(text, length, path, error, ret_names);
    free(text);
    return status;
}

int ct_c45_cases_read(const char *path, bool training, struct ct_c45_names *names, struct ct_error *error,
                      struct ct_c45_cases *ret_cases)
{
    char *text;
    size_t length;
    int status = ct_lines_read(path, error, &text, &length);
    if (status != CT_OK)
        return status;
    status = ct_c45_cases_parse(text, length, path, training, names, error, ret_cases);
    free(text);
    return status;
}

static void write_name(const char *name, struct ct_text *text)
{
    for (; *name; name++)
        ct_text_append(text, "%s%c", strchr(":,.|\\", *name) ? "\\" : "", *name);
}

void ct_c45_map_write(const struct ct_c45_map *c45, const char *comment, struct ct_text *names,
                      struct ct_text *data)
{
    const size_t attributes = c45->columns.count;
    ct_text_append(names, "| %.*s\n", (int)strcspn(comment, "\n"), comment);
    for (size_t c = 0; c < c45->names.classes.count; c++) {
        ct_text_append(names, "%s", c > 0 ? ",\n" : "");
        write_name(c45->names.classes.words[c], names);
    }
    ct_text_append(names, ".\n\n");
    for (size_t a = 0; a < attributes; a++)
        ct_text_append(names, "%s: continuous.\n", c45->names.attributes[a].name);
    for (size_t i = 0; i < c45->cases.count; i++) {
        for (size_t a = 0; a < attributes; a++)
            ct_text_append(data, "%zu,", c45->values[i * attributes + a]);
        write_name(c45->names.classes.words[c45->cases.classes[i]], data);
        ct_text_append(data, "\n");
    }
}
