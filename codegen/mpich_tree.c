/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/mpich_tree.h"
#include "codegen/mpich_condition.h"
#include "codegen/strict_json.h"

#include "plan/collective.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MAX = 30 };

static const char algorithm_key[] = "algorithm=", collective_key[] = "collective=";

static bool begins(const char *word, const char *with)
{
    return strncmp(word, with, strlen(with)) == 0;
}

bool ct_mpich_is_of_communicator(const char *key)
{
    size_t number;
    const struct ct_mpich_condition *test = ct_mpich_condition_find(key, &number);
    return test && test->of_communicator;
}

/* The place of one object in the file, for error lines. */
struct place {
    const char *file;
    const char *collective;
    struct ct_error *error;
};

static int check_leaf(const struct place *place, struct json_object *object, const char *key)
{
    char name[CT_JSON_KEY_TEXT];
    ct_json_key(key, name);
    if (json_object_object_length(object) != 1)
        return ct_fail(place->error, CT_E_INPUT, "%s: %s: beside \"%s\" nothing may stand", place->file,
                       place->collective, name);
    if (!begins(key + strlen(algorithm_key), "MPIR_"))
        return ct_fail(place->error, CT_E_INPUT, "%s: %s: \"%s\": expected an algorithm MPIR_...",
                       place->file, place->collective, name);
    return CT_OK;
}

static int check_object(const struct place *place, struct json_object *object, int depth);

/* Checks the tests of one object and everything below them: at least one test must hold for every call. */
static int check_tests(const struct place *place, struct json_object *object, int depth)
{
    const struct ct_mpich_condition *last = NULL;
    char name[CT_JSON_KEY_TEXT];
    size_t number;
    json_object_object_foreach(object, key, value)
    {
        ct_json_key(key, name);
        if (last && ct_mpich_condition_is_any(last))
            return ct_fail(place->error, CT_E_INPUT, "%s: %s: \"%s\" is never reached: it stands behind %s",
                           place->file, place->collective, name, last->key);
        last = ct_mpich_condition_find(key, &number);
        if (!last)
            return ct_fail(place->error, CT_E_INPUT, "%s: %s: unknown test \"%s\"", place->file,
                           place->collective, name);
        if (!ct_mpich_condition_is_defined(last, place->collective))
            return ct_fail(place->error, CT_E_INPUT, "%s: %s: \"%s\": MPICH does not know that of it",
                           place->file, place->collective, name);
        int status = check_object(place, value, depth + 1);
        if (status != CT_OK)
            return status;
    }
    if (!last)
        return ct_fail(place->error, CT_E_INPUT, "%s: %s: expected a test or an algorithm in each object",
                       place->file, place->collective);
    if (ct_mpich_condition_is_any(last) || (last->opposite && json_object_object_get(object, last->opposite)))
        return CT_OK;
    return ct_fail(place->error, CT_E_INPUT, "%s: %s: behind \"%s\" a test is missing that always holds",
                   place->file, place->collective, last->key);
}

static int check_object(const struct place *place, struct json_object *object, int depth)
{
    if (!json_object_is_type(object, json_type_object) || depth > DEPTH_MAX)
        return ct_fail(place->error, CT_E_INPUT, "%s: %s: expected an object, at most %d deep", place->file,
                       place->collective, DEPTH_MAX);
    json_object_object_foreach(object, key, value)
    {
        (void)value;
        if (begins(key, algorithm_key))
            return check_leaf(place, object, key);
    }
    return check_tests(place, object, depth);
}

static int check_tree(struct json_object *tree, const char *file, struct ct_error *error)
{
    if (!json_object_is_type(tree, json_type_object))
        return ct_fail(error, CT_E_INPUT, "%s: expected an object", file);
    json_object_object_foreach(tree, key, value)
    {
        char name[CT_JSON_KEY_TEXT];
        ct_json_key(key, name);
        if (!begins(key, collective_key))
            return ct_fail(error, CT_E_INPUT, "%s: \"%s\": expected \"collective=...\"", file, name);
        const struct place place = {file, name + strlen(collective_key), error};
        int status = check_object(&place, value, 0);
        if (status != CT_OK)
            return status;
    }
    for (int c = 0; c < CT_COLLECTIVES; c++) {
        char name[CT_JSON_KEY_TEXT];
        snprintf(name, sizeof name, "%s%s", collective_key, ct_collectives[c].name);
        if (!json_object_object_get(tree, name))
            return ct_fail(error, CT_E_INPUT, "%s: \"%s\" is missing, of which MPICH would die", file, name);
    }
    return CT_OK;
}

int ct_mpich_read(const char *text, size_t length, const char *name, struct ct_error *error,
                  struct json_object **ret_tree)
{
    struct json_object *tree;
    int status = ct_json_parse(text, length, DEPTH_MAX + 2, name, error, &tree);
    if (status != CT_OK)
        return status;
    status = check_tree(tree, name, error);
    if (status != CT_OK) {
        json_object_put(tree);
        return status;
    }
    *ret_tree = tree;
    return CT_OK;
}

const char *ct_mpich_decide(struct json_object *tree, const struct ct_mpich_call *call)
{
    char name[CT_JSON_KEY_TEXT];
    snprintf(name, sizeof name, "%s%s", collective_key, call->collective);
    struct json_object *at = json_object_object_get(tree, name), *next;
    bool settled = true; /* so far all tests were about the communicator */
    for (; at; at = next) {
        next = NULL;
        json_object_object_foreach(at, key, value)
        {
            size_t number;
            if (begins(key, algorithm_key))
                return strchr(key, '=') + 1;
            const struct ct_mpich_condition *test = ct_mpich_condition_find(key, &number);
            settled = settled && test->of_communicator;
            if (ct_mpich_condition_holds(test, call, number, settled)) {
                next = value;
                break;
            }
        }
    }
    return NULL;
}
