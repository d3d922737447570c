/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/import/file_name.h"
#include "base/number.h"
#include "samples/import/csv_map.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

enum { FIELD_TEXT = CT_METHOD_TEXT };

enum field { COLLECTIVE, METHOD, BY, NODES, PPN, COMM_SIZE, FIELDS };

static const struct {
    const char *name;
    bool is_number;
} fields[FIELDS] = {
    [COLLECTIVE] = {"collective", false},
    [METHOD] = {"method", false},
    [BY] = {"by", false},
    [NODES] = {"nodes", true},
    [PPN] = {"ppn", true},
    [COMM_SIZE] = {"comm_size", true},
};

/* A pattern, cut into what each of its pieces matches. */
struct piece {
    enum { LETTER, FIELD, ANYTHING } kind;
    char letter;
    enum field field;
};

enum { PIECES = 200, WILD = 8 };

struct pattern {
    struct piece pieces[PIECES];
    size_t count;
    bool has[FIELDS];
};

/* --- patterns --- */

static int wrong(const char *pattern, const char *why, struct ct_error *error)
{
    return ct_fail(error, CT_E_INPUT, "--file-name '%.100s': %s", pattern, why);
}

static int read_field(const char *text, const char *at, size_t length, struct ct_error *error,
                      struct pattern *pattern, struct piece *piece)
{
    size_t i = 0;
    while (i < FIELDS && (strlen(fields[i].name) != length || strncmp(fields[i].name, at, length) != 0))
        i++;
    if (i == FIELDS)
        return wrong(text, "expected {collective}, {method}, {by}, {nodes}, {ppn} or {comm_size}", error);
    if (pattern->has[i])
        return wrong(text, "expected each field once", error);
    pattern->has[i] = true;
    *piece = (struct piece){.kind = FIELD, .field = (enum field)i};
    return CT_OK;
}

static int read_pattern(const char *text, struct ct_error *error, struct pattern *pattern)
{
    size_t wild = 0;
    for (const char *at = text; *at; at++) {
        struct piece *piece = &pattern->pieces[pattern->count];
        if (pattern->count == PIECES)
            return wrong(text, "is too long", error);
        const char *end = *at == '{' ? strchr(at, '}') : NULL;
        *piece = (struct piece){.kind = *at == '*' ? ANYTHING : LETTER, .letter = *at};
        int status = CT_OK;
        if (*at == '{' && !end)
            status = wrong(text, "expected a } behind the {", error);
        else if (end)
            status = read_field(text, at + 1, (size_t)(end - at - 1), error, pattern, piece);
        if (status != CT_OK)
            return status;
        at = end ? end : at;
        wild += piece->kind != LETTER;
        pattern->count++;
    }
    return wild <= WILD ? CT_OK : wrong(text, "has too many fields and *", error);
}

/* --- names --- */

/* The end of the path that has as many slashes as the pattern. */
static const char *tail_of(const char *path, const char *pattern)
{
    size_t slashes = 0;
    for (const char *at = pattern; *at; at++)
        slashes += *at == '/';
    const char *tail = path + strlen(path);
    while (tail > path && (tail[-1] != '/' || slashes-- > 0))
        tail--;
    return tail;
}

/* Collectives and methods both contain what may part them: {collective}_{method}. */
static bool may_be(enum field field, const char *name, size_t length)
{
    if (field != COLLECTIVE)
        return true;
    for (int i = 0; i < CT_COLLECTIVES; i++)
        if (strlen(ct_collectives[i].name) == length && strncmp(ct_collectives[i].name, name, length) == 0)
            return true;
    return false;
}

/* Does the name match from this piece on? Longest fields first; the recursion is as deep as the pattern is
 * long. */
static bool matches(const struct pattern *pattern, size_t at, const char *name,
                    char (*ret_fields)[FIELD_TEXT])
{
    if (at == pattern->count)
        return !*name;
    const struct piece *piece = &pattern->pieces[at];
    if (piece->kind == LETTER)
        return *name == piece->letter && matches(pattern, at + 1, name + 1, ret_fields);
    bool is_field = piece->kind == FIELD;
    size_t most =
        is_field && fields[piece->field].is_number ? strspn(name, "0123456789") : strcspn(name, "/");
    if (most >= FIELD_TEXT)
        most = FIELD_TEXT - 1;
    for (size_t length = most + 1; length-- > (is_field ? 1 : 0);)
        if ((!is_field || may_be(piece->field, name, length)) &&
            matches(pattern, at + 1, name + length, ret_fields)) {
            if (is_field) {
                memcpy(ret_fields[piece->field], name, length);
                ret_fields[piece->field][length] = '\0';
            }
            return true;
        }
    return false;
}

/* --- facts --- */

static int take_number(const char *path, const char *word, enum field field, struct ct_error *error,
                       uint32_t *number)
{
    size_t whole;
    if (!*word)
        return CT_OK;
    if (ct_whole_parse(word, INT_MAX, &whole) != CT_OK || whole == 0)
        return ct_fail(error, CT_E_INPUT, "%s: its name has %s=%s: expected a whole number from 1 to %d",
                       path, fields[field].name, word, INT_MAX);
    *number = (uint32_t)whole;
    return CT_OK;
}

static int take_collective(const char *word, bool has_collective, struct ct_error *error,
                           struct ct_import_source *source)
{
    if (!*word)
        return CT_OK;
    if (has_collective)
        return wrong(source->pattern,
                     "the files say their collectives: expected * in the place of {collective}", error);
    source->collective = ct_collective_find(word);
    assert(source->collective != CT_COLLECTIVES);
    return CT_OK;
}

static int take_mapping(const char *word, struct ct_error *error, struct ct_import_source *source)
{
    if (!*word)
        return CT_OK;
    source->key.by = ct_mapped_find(word);
    return source->key.by != CT_MAPPED_WAYS
               ? CT_OK
               : ct_fail(error, CT_E_INPUT, "%s: its name has by=%s: expected core, socket or node",
                         source->path, word);
}

static int take_method(const char *word, struct ct_error *error, struct ct_import_name *name)
{
    struct ct_import_source *source = &name->source;
    struct ct_csv_methods methods = {0};
    int status = CT_OK;
    if (!*word)
        return CT_OK;
    if (source->methods)
        status = ct_csv_methods_parse(source->methods, source->collective, error, &methods);
    if (status != CT_OK)
        return status;
    const char *spelling = source->methods ? ct_csv_methods_find(&methods, word) : word;
    if (!spelling)
        status = ct_fail(error, CT_E_INPUT, "%s: its name has the method '%s', which is not in --methods",
                         source->path, word);
    else
        strcpy(name->method, spelling);
    ct_csv_methods_free(&methods);
    return status;
}

int ct_import_name_read(const struct ct_import_source *source, bool has_collective, struct ct_error *error,
                        struct ct_import_name *ret_name)
{
    struct pattern pattern = {.count = 0};
    char words[FIELDS][FIELD_TEXT] = {""};
    struct ct_import_name name = {.source = *source};
    if (!source->pattern) {
        *ret_name = name;
        return CT_OK;
    }
    int status = read_pattern(source->pattern, error, &pattern);
    if (status == CT_OK && !matches(&pattern, 0, tail_of(source->path, source->pattern), words))
        status = ct_fail(error, CT_E_INPUT, "%s: its name does not match --file-name '%.100s'", source->path,
                         source->pattern);
    if (status == CT_OK)
        status = take_collective(words[COLLECTIVE], has_collective, error, &name.source);
    if (status == CT_OK)
        status = take_mapping(words[BY], error, &name.source);
    if (status == CT_OK)
        status = take_number(source->path, words[NODES], NODES, error, &name.source.key.nodes);
    if (status == CT_OK)
        status = take_number(source->path, words[PPN], PPN, error, &name.source.key.ppn);
    if (status == CT_OK)
        status = take_number(source->path, words[COMM_SIZE], COMM_SIZE, error, &name.source.key.comm_size);
    if (status == CT_OK)
        status = take_method(words[METHOD], error, &name);
    if (status != CT_OK)
        return status;
    *ret_name = name;
    if (*name.method)
        ret_name->source.method = ret_name->method;
    return CT_OK;
}
