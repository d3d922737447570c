/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/import/csv_map.h"
#include "base/memory.h"
#include "base/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- columns --- */

const char *ct_csv_field_name(int field)
{
    static const char *const names[CT_CSV_FIELDS] = {
        [CT_CSV_COLLECTIVE] = "collective",   [CT_CSV_METHOD] = "method", [CT_CSV_BY] = "by",
        [CT_CSV_LAUNCH] = "launch",           [CT_CSV_ROOT] = "root",     [CT_CSV_SECONDS] = "seconds",
        [CT_CSV_REPETITIONS] = "repetitions",
    };
    return names[field] ? names[field] : ct_key_descriptors[field - CT_CSV_KEYS].name;
}

/* So many are a second; dividing by them rounds once. */
static const struct {
    const char *name;
    double in_a_second;
} units[] = {{"s", 1}, {"ms", 1e3}, {"us", 1e6}, {"ns", 1e9}};

/* K is 1024, as everywhere in colltune and in the benchmarks' sizes. */
static const struct {
    const char *name;
    double bytes;
} byte_units[] = {{"B", 1},       {"K", 0x1p10},   {"KB", 0x1p10},  {"KiB", 0x1p10},
                  {"M", 0x1p20},  {"MB", 0x1p20},  {"MiB", 0x1p20}, {"G", 0x1p30},
                  {"GB", 0x1p30}, {"GiB", 0x1p30}, {"bytes", 1}};

static const enum ct_csv_field msg_bytes = (enum ct_csv_field)(CT_CSV_KEYS + CT_KEY_MSG_BYTES);

const char *ct_csv_units_text(enum ct_csv_field field)
{
    return field == CT_CSV_SECONDS ? "s, ms, us or ns" : field == msg_bytes ? "B, KiB, MiB or GiB" : NULL;
}

int ct_csv_value_of_unit(const struct ct_csv_value *value, enum ct_csv_field field, const char *unit,
                         double number, double *ret_value)
{
    static const char micro[][3] = {"\xc2\xb5", "\xce\xbc"}; /* the sign, and the Greek letter */
    for (size_t i = 0; i < sizeof micro / sizeof micro[0]; i++)
        if (strncmp(unit, micro[i], 2) == 0 && strcmp(unit + 2, "s") == 0)
            unit = "us";
    for (size_t i = 0; field == CT_CSV_SECONDS && i < sizeof units / sizeof units[0]; i++)
        if (strcmp(units[i].name, unit) == 0 && value->factor == 1 &&
            (value->divisor == 1 || value->divisor == units[i].in_a_second)) {
            *ret_value = number / units[i].in_a_second;
            return CT_OK;
        }
    for (size_t i = 0; field == msg_bytes && i < sizeof byte_units / sizeof byte_units[0]; i++)
        if (strcmp(byte_units[i].name, unit) == 0 && value->factor == 1) {
            *ret_value = number * byte_units[i].bytes;
            return CT_OK;
        }
    return CT_E_INPUT;
}

static int unknown_field(const char *item, struct ct_error *error)
{
    char names[200] = "";
    for (size_t i = 0, length = 0; i < CT_CSV_FIELDS && length < sizeof names; i++)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "",
                                   ct_csv_field_name(i));
    return ct_fail(error, CT_E_INPUT, "'%s' in the map: expected FIELD=COLUMN, FIELD being one of %s", item,
                   names);
}

static int read_factor(const char *item, const char *word, enum ct_csv_field field, struct ct_error *error,
                       struct ct_csv_value *value)
{
    for (size_t i = 0; field == CT_CSV_SECONDS && i < sizeof units / sizeof units[0]; i++)
        if (strcmp(units[i].name, word) == 0) {
            value->divisor = units[i].in_a_second;
            return CT_OK;
        }
    if (ct_csv_is_word(field) || ct_number_parse(word, &value->factor) != CT_OK || !(value->factor > 0))
        return ct_fail(error, CT_E_INPUT, "'%s' in the map: expected behind the * %s", item,
                       field == CT_CSV_SECONDS ? "a factor such as 1e-6, or s, ms, us, ns"
                       : ct_csv_is_word(field) ? "nothing, for this is no number"
                                               : "a factor");
    return CT_OK;
}

static int read_value(const char *item, char *word, enum ct_csv_field field, struct ct_error *error,
                      struct ct_csv_value *ret_value)
{
    struct ct_csv_value value = {.is_given = true, .factor = 1, .divisor = 1};
    size_t size;
    if (!ct_csv_is_word(field) && *word >= '0' && *word <= '9') {
        if (ct_size_parse(word, &size) == CT_OK)
            value.constant = (double)size;
        else if (ct_number_parse(word, &value.constant) != CT_OK)
            return ct_fail(error, CT_E_INPUT, "'%s' in the map: expected a number or a column's name", item);
        *ret_value = value;
        return CT_OK;
    }
    static const char by_ranks[] = "/ranks";
    size_t length = strlen(word), tail = strlen(by_ranks);
    if (field == msg_bytes && length > tail && strcmp(word + length - tail, by_ranks) == 0) {
        word[length - tail] = '\0';
        value.is_total = true;
    }
    char *star = strrchr(word, '*');
    if (star) {
        *star = '\0';
        int status = read_factor(item, star + 1, field, error, &value);
        if (status != CT_OK)
            return status;
    }
    if (!*word || strlen(word) >= sizeof value.column)
        return ct_fail(error, CT_E_INPUT, "'%s' in the map: expected a column's name, of at most %d letters",
                       item, CT_CSV_NAME - 1);
    strcpy(value.column, word);
    *ret_value = value;
    return CT_OK;
}

static int read_item(const char *item, struct ct_error *error, struct ct_csv_map *map)
{
    char text[2 * CT_CSV_NAME];
    size_t name = strcspn(item, "=");
    int field = 0;
    if (strlen(item) >= sizeof text)
        return ct_fail(error, CT_E_INPUT, "'%.40s...' in the map is too long", item);
    strcpy(text, item);
    while (field < CT_CSV_FIELDS &&
           (strlen(ct_csv_field_name(field)) != name || strncmp(ct_csv_field_name(field), item, name) != 0))
        field++;
    if (field == CT_CSV_FIELDS || item[name] != '=')
        return unknown_field(item, error);
    if (map->values[field].is_given)
        return ct_fail(error, CT_E_INPUT, "'%s' in the map: %s is given twice", item,
                       ct_csv_field_name(field));
    return read_value(item, text + name + 1, (enum ct_csv_field)field, error, &map->values[field]);
}

int ct_csv_map_parse(const char *map, struct ct_error *error, struct ct_csv_map *ret_map)
{
    struct ct_csv_map made = {0};
    char **items;
    size_t count;
    int status = ct_words_split(map, error, &items, &count);
    if (status != CT_OK)
        return status;
    for (size_t i = 0; status == CT_OK && i < count; i++)
        status = read_item(items[i], error, &made);
    ct_words_free(items, count);
    if (status == CT_OK && !made.values[CT_CSV_SECONDS].is_given)
        status = ct_fail(error, CT_E_INPUT, "the map names no seconds: expected as in seconds=latency*us");
    if (status == CT_OK && !*made.values[CT_CSV_SECONDS].column)
        status = ct_fail(error, CT_E_INPUT, "the map has the same seconds for all rows: expected a column");
    if (status == CT_OK)
        *ret_map = made;
    return status;
}

/* --- methods --- */

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

static int read_method_item(const char *item, size_t length, enum ct_collective collective,
                            struct ct_error *error, struct ct_csv_method *ret_method)
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
    return ct_method_parse_any(ret_method->spelling, collective, error, &method);
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
            status =
                read_method_item(item, (size_t)(end - item), collective, error, &methods.list[methods.count]);
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
