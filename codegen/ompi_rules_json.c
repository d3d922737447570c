/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/ompi_rules.h"
#include "codegen/strict_json.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

enum { DEPTH_MAX = 32, VERSION = 3 };

struct reader {
    const char *name;
    const char *collective;
    struct ct_error *error;
    struct ct_ompi_file file;
};

static int refuse(const struct reader *reader, const char *what, const char *expected)
{
    return ct_fail(reader->error, CT_E_INPUT, "%s: %s%s%s: expected %s", reader->name,
                   reader->collective ? reader->collective : "", reader->collective ? ": " : "", what,
                   expected);
}

/* A word by which Open MPI takes a size as having no bound. */
static bool is_unbounded(struct json_object *value)
{
    static const char *const words[] = {"inf", "Inf", "INF"};
    for (size_t i = 0; json_object_is_type(value, json_type_string) && i < sizeof words / sizeof words[0];
         i++)
        if (strcmp(json_object_get_string(value), words[i]) == 0)
            return true;
    return false;
}

/* A field that may be missing; then *ret_number stays. */
static int read_number(const struct reader *reader, struct json_object *object, const char *field,
                       int64_t most, size_t *ret_number)
{
    struct json_object *value;
    if (!json_object_object_get_ex(object, field, &value))
        return CT_OK;
    if (*ret_number == SIZE_MAX && is_unbounded(value))
        return CT_OK;
    if (!json_object_is_type(value, json_type_int) || json_object_get_int64(value) < 0 ||
        json_object_get_uint64(value) >
            (uint64_t)most) /* what is larger than 64 bits comes as the greatest */
        return refuse(reader, field, "a whole number that is not too large");
    *ret_number = (size_t)json_object_get_int64(value);
    return CT_OK;
}

/* It is a number, or a name. */
static int read_algorithm(const struct reader *reader, struct json_object *object,
                          enum ct_collective collective, size_t *ret_algorithm)
{
    struct json_object *value;
    *ret_algorithm = SIZE_MAX;
    if (json_object_object_get_ex(object, "alg", &value) && json_object_is_type(value, json_type_string)) {
        if (ct_ompi_named(collective, json_object_get_string(value), ret_algorithm))
            return CT_OK;
    } else {
        size_t number = SIZE_MAX - 1; /* no size: no word says it */
        const int status = read_number(reader, object, "alg", INT_MAX, &number);
        if (status != CT_OK || ct_ompi_has(collective, number, reader->file.release)) {
            *ret_algorithm = number;
            return status;
        }
    }
    return refuse(reader, "alg", "the number or the name of an algorithm of Open MPI 6");
}

static int read_rule(struct reader *reader, struct json_object *object, enum ct_collective collective)
{
    struct ct_ompi_rule rule = {.most = SIZE_MAX};
    const struct {
        const char *name;
        size_t *number;
        int64_t most;
    } fields[] = {
        {"msg_size_min", &rule.least, INT64_MAX}, {"msg_size_max", &rule.most, INT64_MAX},
        {"faninout", &rule.fanout, INT_MAX},      {"seg_size", &rule.segment, INT_MAX},
        {"reqs", &rule.requests, INT_MAX},
    };
    if (!json_object_is_type(object, json_type_object))
        return refuse(reader, "a rule", "an object");
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < sizeof fields / sizeof fields[0]; i++)
        status = read_number(reader, object, fields[i].name, fields[i].most, fields[i].number);
    if (status == CT_OK)
        status = read_algorithm(reader, object, collective, &rule.algorithm);
    if (status != CT_OK)
        return status;
    if (rule.least > rule.most)
        return refuse(reader, "msg_size_max", "at least msg_size_min");
    return ct_ompi_add_rule(&reader->file, &rule);
}

static int read_row(struct reader *reader, struct json_object *object, enum ct_collective collective)
{
    struct ct_ompi_row row = {.collective = collective, .most = SIZE_MAX};
    struct json_object *rules = NULL, *distribution = NULL;
    if (!json_object_is_type(object, json_type_object) ||
        !json_object_object_get_ex(object, "rules", &rules) || !json_object_is_type(rules, json_type_array))
        return refuse(reader, "rules", "an array of rules for each range of communicator sizes");
    if (json_object_object_get_ex(object, "comm_rank_distribution", &distribution) &&
        (!json_object_is_type(distribution, json_type_string) ||
         strcmp(json_object_get_string(distribution), "any") != 0))
        return refuse(reader, "comm_rank_distribution", "\"any\"");
    int status = read_number(reader, object, "comm_size_min", INT_MAX, &row.least);
    if (status == CT_OK)
        status = read_number(reader, object, "comm_size_max", INT_MAX, &row.most);
    if (status == CT_OK && row.least > row.most)
        status = refuse(reader, "comm_size_max", "at least comm_size_min");
    if (status == CT_OK)
        status = ct_ompi_add_row(&reader->file, &row);
    for (size_t i = 0; status == CT_OK && i < json_object_array_length(rules); i++)
        status = read_rule(reader, json_object_array_get_idx(rules, i), collective);
    return status;
}

static int read_collectives(struct reader *reader, struct json_object *tree)
{
    struct json_object *version = NULL, *collectives = NULL;
    if (!json_object_is_type(tree, json_type_object) ||
        !json_object_object_get_ex(tree, "rule_file_version", &version) ||
        json_object_get_int(version) != VERSION)
        return refuse(reader, "rule_file_version", "3");
    if (!json_object_object_get_ex(tree, "collectives", &collectives) ||
        !json_object_is_type(collectives, json_type_object))
        return refuse(reader, "collectives", "an object");
    json_object_object_foreach(collectives, key, rows)
    {
        enum ct_collective collective = ct_collective_find(key);
        char name[CT_JSON_KEY_TEXT];
        reader->collective = ct_json_key(key, name);
        if (collective == CT_COLLECTIVES || ct_ompi_number(collective) < 0)
            return refuse(reader, "unknown", "a collective that Open MPI has rules of");
        if (!json_object_is_type(rows, json_type_array))
            return refuse(reader, "its value", "an array");
        for (size_t i = 0; i < json_object_array_length(rows); i++) {
            int status = read_row(reader, json_object_array_get_idx(rows, i), collective);
            if (status != CT_OK)
                return status;
        }
    }
    return CT_OK;
}

int ct_ompi_read_json(const char *text, const char *name, struct ct_error *error,
                      struct ct_ompi_file *ret_file)
{
    struct reader reader = {.name = name, .error = error, .file.release = 6};
    struct json_object *tree;
    int status = ct_json_parse(text, strlen(text), DEPTH_MAX, name, error, &tree);
    if (status != CT_OK)
        return status;
    status = read_collectives(&reader, tree);
    json_object_put(tree);
    if (status != CT_OK) {
        ct_ompi_file_free(&reader.file);
        return status == CT_E_MEMORY ? ct_fail(error, status, "%s: out of memory", name) : status;
    }
    *ret_file = reader.file;
    return CT_OK;
}
