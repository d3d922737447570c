/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/number.h"
#include "learners/c45/c45_data.h"
#include "learners/c45/c45_words.h"

#include <stdlib.h>
#include <string.h>

struct parser {
    struct ct_c45_reader reader;
    const char *file;
    struct ct_error *error;
    struct ct_c45_names names;
};

/* The next name; *ret_found says whether there was one. */
static int next(struct parser *parser, bool *ret_found)
{
    int status = ct_c45_reader_next(&parser->reader, ret_found);
    if (status == CT_E_INPUT)
        return ct_fail(parser->error, status, "%s:%zu: a name holds a NUL or the end of a line", parser->file,
                       parser->reader.name_line);
    return status == CT_OK ? status : ct_fail(parser->error, status, "%s: out of memory", parser->file);
}

static int add_word(struct parser *parser, struct ct_c45_words *words, const char *what)
{
    const struct ct_text *name = &parser->reader.name;
    size_t line = parser->reader.name_line;
    if (name->length == 0)
        return ct_fail(parser->error, CT_E_INPUT, "%s:%zu: an empty name: expected %s", parser->file, line,
                       what);
    if (ct_c45_words_find(words, name->data, name->length) != SIZE_MAX)
        return ct_fail(parser->error, CT_E_INPUT, "%s:%zu: '%s' stands here twice: expected each %s once",
                       parser->file, line, name->data, what);
    int status = ct_c45_words_add(words, name->data, name->length);
    return status == CT_OK        ? status
           : status == CT_E_LIMIT ? ct_fail(parser->error, status, "%s:%zu: more than %d names of one kind",
                                            parser->file, line, CT_C45_WORDS_MAX)
                                  : ct_fail(parser->error, status, "%s: out of memory", parser->file);
}

/* Names up to one that no comma follows. */
static int parse_list(struct parser *parser, struct ct_c45_words *words, const char *what)
{
    bool found;
    do {
        int status = next(parser, &found);
        if (status == CT_OK && !found)
            status = ct_fail(parser->error, CT_E_INPUT, "%s:%zu: the file ends: expected %s", parser->file,
                             parser->reader.line, what);
        if (status == CT_OK)
            status = add_word(parser, words, what);
        if (status != CT_OK)
            return status;
    } while (parser->reader.delimiter == ',');
    return CT_OK;
}

static void words_free(struct ct_c45_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->words[i]);
    free(words->words);
    free(words->slots);
    *words = (struct ct_c45_words){0};
}

/* N of `discrete N`: `word` is what stands behind the first word. Values beyond CT_C45_WORDS_MAX are refused
 * where they come. */
static bool parse_limit(const char *word, size_t *ret_limit)
{
    size_t limit;
    if (ct_whole_parse(word + strspn(word, " \t"), SIZE_MAX, &limit) != CT_OK || limit < 2)
        return false;
    *ret_limit = limit < CT_C45_WORDS_MAX ? limit : CT_C45_WORDS_MAX;
    return true;
}

/* What a single word in the place of values says. */
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
        return ct_fail(parser->error, CT_E_INPUT,
                       "%s:%zu: '%s' of %s: expected continuous, ignore, discrete N with N of 2 at least, or "
                       "several values",
                       parser->file, parser->reader.name_line, word, attribute->name);
    words_free(&attribute->values);
    return CT_OK;
}

int ct_c45_names_add(struct ct_c45_names *names, const char *name, size_t length, enum ct_c45_kind kind)
{
    int status = ct_grow(&names->attributes, &names->attribute_capacity, names->attribute_count + 1,
                         sizeof *names->attributes);
    char *copy = status == CT_OK ? strndup(name, length) : NULL;
    if (!copy)
        return status == CT_OK ? CT_E_MEMORY : status;
    names->attributes[names->attribute_count++] = (struct ct_c45_attribute){.name = copy, .kind = kind};
    return CT_OK;
}

/* The attribute whose name was read. */
static int parse_attribute(struct parser *parser)
{
    const struct ct_text *name = &parser->reader.name;
    if (parser->reader.delimiter != ':' || name->length == 0)
        return ct_fail(parser->error, CT_E_INPUT, "%s:%zu: '%s': expected an attribute's name with a colon",
                       parser->file, parser->reader.name_line, name->data);
    for (size_t i = 0; i < parser->names.attribute_count; i++)
        if (strcmp(parser->names.attributes[i].name, name->data) == 0)
            return ct_fail(parser->error, CT_E_INPUT, "%s:%zu: '%s' is the name of an attribute above",
                           parser->file, parser->reader.name_line, name->data);
    if (parser->names.attribute_count == CT_C45_WORDS_MAX)
        return ct_fail(parser->error, CT_E_LIMIT, "%s:%zu: more than %d attributes", parser->file,
                       parser->reader.name_line, CT_C45_WORDS_MAX);
    if (ct_c45_names_add(&parser->names, name->data, name->length, CT_C45_DISCRETE) != CT_OK)
        return ct_fail(parser->error, CT_E_MEMORY, "%s: out of memory", parser->file);
    struct ct_c45_attribute *attribute = &parser->names.attributes[parser->names.attribute_count - 1];
    int status = parse_list(parser, &attribute->values, "a value");
    if (status == CT_OK && attribute->values.count == 1)
        status = settle_kind(parser, attribute);
    attribute->trained = attribute->values.count;
    return status;
}

static int parse(struct parser *parser)
{
    bool found = true;
    int status = parse_list(parser, &parser->names.classes, "a class");
    while (status == CT_OK && (status = next(parser, &found)) == CT_OK && found)
        status = parse_attribute(parser);
    if (status == CT_OK && parser->names.attribute_count == 0)
        status = ct_fail(parser->error, CT_E_INPUT, "%s:%zu: the file ends: expected an attribute",
                         parser->file, parser->reader.line);
    return status;
}

int ct_c45_names_parse(const char *text, size_t length, const char *file, struct ct_error *error,
                       struct ct_c45_names *ret_names)
{
    struct parser parser = {.file = file, .error = error};
    ct_c45_reader_begin(&parser.reader, text, length);
    int status = parse(&parser);
    ct_text_free(&parser.reader.name);
    if (status == CT_OK)
        *ret_names = parser.names;
    else
        ct_c45_names_free(&parser.names);
    return status;
}

void ct_c45_names_free(struct ct_c45_names *names)
{
    for (size_t i = 0; i < names->attribute_count; i++) {
        free(names->attributes[i].name);
        words_free(&names->attributes[i].values);
    }
    words_free(&names->classes);
    free(names->attributes);
    *names = (struct ct_c45_names){0};
}
