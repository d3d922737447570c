/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/import/file_name.h"
#include "base/file.h"
#include "base/number.h"
#include "samples/import/csv_map.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

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

/* --- facts --- */

static int take_number(const struct ct_facts *facts, enum ct_fact fact, const char *said,
                       struct ct_error *error, uint32_t *number)
{
    const char *word = facts->words[fact];
    size_t whole;
    if (!*word)
        return CT_OK;
    if (ct_whole_parse(word, INT_MAX, &whole) != CT_OK || whole == 0)
        return ct_fail(error, CT_E_INPUT, "%s has %s=%s: expected a whole number from 1 to %d", said,
                       ct_fact_name(fact), word, INT_MAX);
    *number = (uint32_t)whole;
    return CT_OK;
}

static int take_mapping(const char *word, const char *said, struct ct_error *error,
                        struct ct_import_source *source)
{
    if (!*word)
        return CT_OK;
    source->key.by = ct_mapped_find(word);
    return source->key.by != CT_MAPPED_WAYS
               ? CT_OK
               : ct_fail(error, CT_E_INPUT, "%s has by=%s: expected core, socket or node", said, word);
}

static int take_method(const char *word, const char *said, bool explains, struct ct_error *error,
                       struct ct_import_name *name)
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
    if (!spelling && explains)
        spelling = word;
    if (!spelling)
        status = ct_fail(error, CT_E_INPUT, "%s has the method '%s', which is not in --methods", said, word);
    else
        strcpy(name->method, spelling);
    ct_csv_methods_free(&methods);
    return status;
}

int ct_import_facts_take(const struct ct_facts *facts, const char *said, bool explains,
                         struct ct_error *error, struct ct_import_name *name)
{
    struct ct_import_source *source = &name->source;
    int status = take_mapping(facts->words[CT_FACT_BY], said, error, source);
    if (*facts->words[CT_FACT_COLLECTIVE]) {
        source->collective = ct_collective_find(facts->words[CT_FACT_COLLECTIVE]);
        assert(source->collective != CT_COLLECTIVES);
    }
    if (status == CT_OK)
        status = take_number(facts, CT_FACT_NODES, said, error, &source->key.nodes);
    if (status == CT_OK)
        status = take_number(facts, CT_FACT_PPN, said, error, &source->key.ppn);
    if (status == CT_OK)
        status = take_number(facts, CT_FACT_COMM_SIZE, said, error, &source->key.comm_size);
    if (status == CT_OK)
        status = take_method(facts->words[CT_FACT_METHOD], said, explains, error, name);
    if (status == CT_OK && *name->method)
        source->method = name->method;
    return status;
}

int ct_import_pattern_check(const struct ct_fact_pattern *pattern, bool has_collective,
                            struct ct_error *error)
{
    if (pattern->has[CT_FACT_MSG_BYTES])
        return ct_fact_pattern_fail(pattern->option, pattern->text, "{msg_bytes} is for columns alone",
                                    error);
    if (has_collective && pattern->has[CT_FACT_COLLECTIVE])
        return ct_fact_pattern_fail(
            pattern->option, pattern->text,
            "the files say their collectives: expected * in the place of {collective}", error);
    return CT_OK;
}

int ct_import_name_read(const struct ct_import_source *source, bool has_collective, bool explains,
                        struct ct_error *error, struct ct_import_name *ret_name)
{
    struct ct_fact_pattern pattern;
    struct ct_facts facts;
    struct ct_import_name name = {.source = *source};
    if (!source->pattern) {
        *ret_name = name;
        return CT_OK;
    }
    int status = ct_fact_pattern_read("--file-name", source->pattern, error, &pattern);
    if (status == CT_OK)
        status = ct_import_pattern_check(&pattern, has_collective, error);
    if (status == CT_OK &&
        !ct_fact_pattern_matches(&pattern, tail_of(source->path, source->pattern), '/', &facts))
        status = ct_fail(error, CT_E_INPUT, "%s: its name does not match --file-name '%.100s'", source->path,
                         source->pattern);
    if (status != CT_OK)
        return status;
    char *said = ct_format("%s: its name", source->path);
    status = said ? ct_import_facts_take(&facts, said, explains, error, &name)
                  : ct_fail(error, CT_E_MEMORY, "out of memory");
    free(said);
    if (status != CT_OK)
        return status;
    *ret_name = name;
    if (*name.method)
        ret_name->source.method = ret_name->method;
    return CT_OK;
}
