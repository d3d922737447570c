/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/mpich_tree.h"
#include "codegen/mpich_test.h"

#include "algorithms/collective.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MAX = 30, KEY_TEXT = 128 };

static const char algorithm_key[] = "algorithm=", collective_key[] = "collective=";

static bool begins(const char *word, const char *with)
{
    return strncmp(word, with, strlen(with)) == 0;
}

/* MPICH drops the blanks in a key. */
static void squeeze(const char *key, char text[KEY_TEXT])
{
    size_t length = 0;
    for (; *key && length < KEY_TEXT - 1; key++)
        if (*key != ' ')
            text[length++] = *key;
    text[length] = '\0';
}

bool ct_mpich_is_of_communicator(const char *key)
{
    char name[KEY_TEXT];
    size_t number;
    squeeze(key, name);
    const struct ct_mpich_test *test = ct_mpich_test_find(name, &number);
    return test && test->of_communicator;
}

/* One object as a place in the file, for error lines. */
struct place {
    const char *file;
    const char *collective;
    struct ct_error *error;
};

static int check_leaf(const struct place *place, struct json_object *object, const char *name)
{
    if (json_object_object_length(object) != 1)
        return ct_fail(place->error, CT_E_INPUT, "%s: %s: beside \"%s\" nothing may stand", place->file,
                       place->collective, name);
    if (!begins(name + strlen(algorithm_key), "MPIR_"))
        return ct_fail(place->error, CT_E_INPUT, "%s: %s: \"%s\": expected an algorithm MPIR_...",
                       place->file, place->collective, name);
    return CT_OK;
}

static int check_object(const struct place *place, struct json_object *object, int depth);

/* The tests of one object, and what is below them; every call must find one that holds. */
static int check_tests(const struct place *place, struct json_object *object, int depth)
{
    const struct ct_mpich_test *last = NULL;
    char name[KEY_TEXT];
    size_t number;
    json_object_object_foreach(object, key, value)
    {
        squeeze(key, name);
        if (last && ct_mpich_test_is_any(last))
            return ct_fail(place->error, CT_E_INPUT, "%s: %s: \"%s\" is never reached: it stands behind %s",
                           place->file, place->collective, name, last->key);
        last = ct_mpich_test_find(name, &number);
        if (!last)
            return ct_fail(place->error, CT_E_INPUT, "%s: %s: unknown test \"%s\"", place->file,
                           place->collective, name);
        if (!ct_mpich_test_is_defined(last, place->collective))
            return ct_fail(place->error, CT_E_INPUT, "%s: %s: \"%s\": MPICH has no such size of it",
                           place->file, place->collective, name);
        int status = check_object(place, value, depth + 1);
        if (status != CT_OK)
            return status;
    }
    if (last &&
        (ct_mpich_test_is_any(last) || (last->opposite && json_object_object_get(object, last->opposite))))
        return CT_OK;
    return ct_fail(place->error, CT_E_INPUT, "%s: %s: behind \"%s\" a test is missing that always holds",
                   place->file, place->collective, last ? last->key : "");
}

static int check_object(const struct place *place, struct json_object *object, int depth)
{
    if (!json_object_is_type(object, json_type_object) || depth > DEPTH_MAX)
        return ct_fail(place->error, CT_E_INPUT, "%s: %s: expected an object, at most %d deep", place->file,
                       place->collective, DEPTH_MAX);
    json_object_object_foreach(object, key, value)
    {
        (void)value;
        char name[KEY_TEXT];
        squeeze(key, name);
        if (begins(name, algorithm_key))
            return check_leaf(place, object, name);
    }
    return check_tests(place, object, depth);
}

static int check_tree(struct json_object *tree, const char *file, struct ct_error *error)
{
    if (!json_object_is_type(tree, json_type_object))
        return ct_fail(error, CT_E_INPUT, "%s: expected an object", file);
    json_object_object_foreach(tree, key, value)
    {
        char name[KEY_TEXT];
        squeeze(key, name);
        if (!begins(name, collective_key))
            return ct_fail(error, CT_E_INPUT, "%s: \"%s\": expected \"collective=...\"", file, name);
        const struct place place = {file, name + strlen(collective_key), error};
        int status = check_object(&place, value, 0);
        if (status != CT_OK)
            return status;
    }
    for (int c = 0; c < CT_COLLECTIVES; c++) {
        char name[KEY_TEXT];
        snprintf(name, sizeof name, "%s%s", collective_key, ct_collectives[c].name);
        if (!json_object_object_get(tree, name))
            return ct_fail(error, CT_E_INPUT, "%s: \"%s\" is missing, of which MPICH would die", file, name);
    }
    return CT_OK;
}

int ct_mpich_read(const char *text, size_t length, const char *name, struct ct_error *error,
                  struct json_object **ret_tree)
{
    if (length > INT_MAX)
        return ct_fail(error, CT_E_INPUT, "%s: too large", name);
    struct json_tokener *tokener = json_tokener_new_ex(DEPTH_MAX + 2);
    if (!tokener)
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", name);
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
    struct json_object *tree = json_tokener_parse_ex(tokener, text, (int)length);
    enum json_tokener_error flaw = json_tokener_get_error(tokener);
    size_t end = json_tokener_get_parse_end(tokener);
    json_tokener_free(tokener);
    int status = CT_OK;
    if (flaw == json_tokener_continue)
        status = ct_fail(error, CT_E_INPUT, "%s: the text ends too early", name);
    else if (flaw == json_tokener_success && tree && end < length && text[end] == '\0')
        status = ct_fail(error, CT_E_INPUT, "%s: byte %zu: a zero byte", name, end);
    else if (flaw != json_tokener_success || !tree)
        status = ct_fail(error, CT_E_INPUT, "%s: byte %zu: %s", name, end, json_tokener_error_desc(flaw));
    else
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
    char name[KEY_TEXT];
    snprintf(name, sizeof name, "%s%s", collective_key, call->collective);
    struct json_object *at = json_object_object_get(tree, name), *next;
    bool settled = true; /* so far all tests were about the communicator */
    for (; at; at = next) {
        next = NULL;
        json_object_object_foreach(at, key, value)
        {
            size_t number;
            squeeze(key, name);
            if (begins(name, algorithm_key))
                return strchr(key, '=') + 1;
            const struct ct_mpich_test *test = ct_mpich_test_find(name, &number);
            settled = settled && test->of_communicator;
            if (ct_mpich_test_holds(test, call, number, settled)) {
                next = value;
                break;
            }
        }
    }
    return NULL;
}
