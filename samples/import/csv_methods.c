/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "samples/import/csv_map.h"

#include <stdlib.h>
#include <string.h>

/* Has an algorithm of that name (of any collective, where there are several) a parameter of this one? */
static bool has_parameter(const char *name, size_t name_length, const char *parameter,
                          size_t parameter_length)
{
    for (size_t i = 0; i < ct_algorithm_count; i++) {
        const struct ct_algorithm *algorithm = &ct_algorithms[i];
        if (strlen(algorithm->name) != name_length || strncmp(algorithm->name, name, name_length) != 0)
            continue;
        for (int k = 0; k < ct_parameter_count(algorithm->descriptor); k++) {
            const char *its = algorithm->descriptor->parameters[k]->name;
            if (strlen(its) == parameter_length && strncmp(its, parameter, parameter_length) == 0)
                return true;
        }
    }
    return false;
}

/* Where the item that begins here ends: at a comma, unless a further parameter of its method follows. */
static const char *end_of(const char *item)
{
    const char *end = item + strcspn(item, ",");
    const char *equals = memchr(item, '=', (size_t)(end - item));
    const char *colon = equals ? memchr(equals, ':', (size_t)(end - equals)) : NULL;
    if (!colon)
        return end;
    const char *name = equals + 1;
    const char *slash = memchr(name, '/', (size_t)(colon - name));
    if (slash)
        name = slash + 1;
    while (*end == ',' && end[1 + strcspn(end + 1, ",=")] == '=' &&
           has_parameter(name, (size_t)(colon - name), end + 1, strcspn(end + 1, ",=")))
        end += 1 + strcspn(end + 1, ",");
    return end;
}

static int read_item(const char *item, size_t length, enum ct_collective collective, struct ct_error *error,
                     struct ct_csv_method *ret_method)
{
    const char *equals = memchr(item, '=', length);
    size_t word = equals ? (size_t)(equals - item) : 0;
    size_t spelling = equals ? length - word - 1 : 0;
    if (word == 0 || spelling == 0 || word >= CT_CSV_NAME || spelling >= CT_METHOD_TEXT)
        return ct_fail(error, CT_E_INPUT,
                       "'%.*s' in the list of methods: expected WORD=METHOD, or WORD=- to leave it out",
                       (int)(length < CT_CSV_NAME ? length : CT_CSV_NAME), item);
    *ret_method = (struct ct_csv_method){{0}, {0}};
    memcpy(ret_method->word, item, word);
    memcpy(ret_method->spelling, equals + 1, spelling);
    struct ct_method method;
    if (collective == CT_COLLECTIVES || strcmp(ret_method->spelling, "-") == 0)
        return CT_OK;
    return ct_method_parse(ret_method->spelling, collective, error, &method);
}

int ct_csv_methods_parse(const char *list, enum ct_collective collective, struct ct_error *error,
                         struct ct_csv_methods *ret_methods)
{
    struct ct_csv_methods methods = {0};
    size_t capacity = 0;
    int status = CT_OK;
    for (const char *item = list; status == CT_OK; item++) {
        const char *end = end_of(item);
        if (ct_grow(&methods.list, &capacity, methods.count + 1, sizeof *methods.list) != CT_OK)
            status = ct_fail(error, CT_E_MEMORY, "out of memory");
        else
            status = read_item(item, (size_t)(end - item), collective, error, &methods.list[methods.count]);
        if (status == CT_OK && ct_csv_methods_find(&methods, methods.list[methods.count].word))
            status = ct_fail(error, CT_E_INPUT, "'%s' in the list of methods is given twice",
                             methods.list[methods.count].word);
        methods.count += status == CT_OK;
        item = end;
        if (!*end)
            break;
    }
    if (status == CT_OK)
        *ret_methods = methods;
    else
        ct_csv_methods_free(&methods);
    return status;
}

void ct_csv_methods_free(struct ct_csv_methods *methods)
{
    free(methods->list);
    *methods = (struct ct_csv_methods){0};
}

const char *ct_csv_methods_find(const struct ct_csv_methods *methods, const char *word)
{
    for (size_t i = 0; i < methods->count; i++)
        if (strcmp(methods->list[i].word, word) == 0)
            return methods->list[i].spelling;
    return NULL;
}
