/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/mpich_tree.h"
#include "base/number.h"
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

/* The conditions that are the keys in MPICH's selection files. */
static const struct condition {
    const char *key;
    bool numbered;        /* a number follows the key */
    const char *opposite; /* if both keys stand side by side, one of them holds; or NULL */
} conditions[] = {
    {"comm_size<=", true, NULL},
    {"comm_size<", true, NULL},
    {"comm_size=pow2", false, NULL},
    {"comm_size=any", false, NULL},
    {"comm_type=intra", false, "comm_type=inter"},
    {"comm_type=inter", false, "comm_type=intra"},
    {"comm_hierarchy=parent", false, NULL},
    {"comm_hierarchy=any", false, NULL},
    {"is_node_consecutive=yes", false, "is_node_consecutive=no"},
    {"is_node_consecutive=no", false, "is_node_consecutive=yes"},
    {"avg_msg_size<=", true, NULL},
    {"avg_msg_size<", true, NULL},
    {"avg_msg_size=any", false, NULL},
    {"total_msg_size<=", true, NULL},
    {"total_msg_size<", true, NULL},
    {"total_msg_size=any", false, NULL},
    {"count<=", true, NULL},
    {"count<pow2", false, NULL},
    {"count=any", false, NULL},
    {"is_commutative=yes", false, "is_commutative=no"},
    {"is_commutative=no", false, "is_commutative=yes"},
    {"is_op_built_in=yes", false, "is_op_built_in=no"},
    {"is_op_built_in=no", false, "is_op_built_in=yes"},
    {"is_sendbuf_inplace=yes", false, "is_sendbuf_inplace=no"},
    {"is_sendbuf_inplace=no", false, "is_sendbuf_inplace=yes"},
    {"is_block_regular=yes", false, "is_block_regular=no"},
    {"is_block_regular=no", false, "is_block_regular=yes"},
};

/* The collectives for which MPICH 4.0 knows the value that a condition tests. */
static const struct {
    const char *name; /* keys begin so */
    const char *collectives;
} values[] = {
    {"avg_msg_size", " bcast allreduce reduce alltoall ibcast iallreduce ireduce ialltoall "},
    {"total_msg_size", " bcast scatter gather allgather allgatherv alltoall alltoallv alltoallw reduce "
                       "reduce_scatter_block reduce_scatter allreduce ibcast iscatter igather iallgather "
                       "iallgatherv ialltoall ialltoallv ialltoallw ireduce ireduce_scatter_block "
                       "ireduce_scatter iallreduce "},
    {"count", " bcast allgather allgatherv reduce reduce_scatter_block reduce_scatter allreduce iallgather "
              "iallgatherv ireduce ireduce_scatter_block ireduce_scatter iallreduce "},
    {"is_commutative", " reduce reduce_scatter_block reduce_scatter allreduce ireduce ireduce_scatter_block "
                       "ireduce_scatter iallreduce "},
    {"is_op_built_in", " reduce allreduce ireduce iallreduce "},
    {"is_sendbuf_inplace", " alltoall alltoallv alltoallw ialltoall ialltoallv ialltoallw "},
    {"is_block_regular", " reduce_scatter ireduce_scatter "},
};

/* The condition of this key (without blanks); NULL if the key is none. */
static const struct condition *find_condition(const char *key)
{
    for (size_t i = 0; i < sizeof conditions / sizeof conditions[0]; i++) {
        const struct condition *condition = &conditions[i];
        size_t number;
        if (condition->numbered ? begins(key, condition->key) &&
                                      ct_whole_parse(key + strlen(condition->key), INT_MAX, &number) == CT_OK
                                : strcmp(key, condition->key) == 0)
            return condition;
    }
    return NULL;
}

static bool holds_always(const struct condition *condition)
{
    const char *equals = strchr(condition->key, '=');
    return equals && strcmp(equals, "=any") == 0;
}

/* Between blanks, the collectives for which MPICH 4.0 knows the value that a condition tests, and aborts for
 * others; NULL if the value is of the communicator. */
static const char *collectives_of(const char *key)
{
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (begins(key, values[i].name))
            return values[i].collectives;
    return NULL;
}

static bool is_defined(const struct condition *condition, const char *collective)
{
    const char *collectives = collectives_of(condition->key);
    for (const char *at = collectives; at && *at && (at = strstr(at + 1, collective));)
        if (at[-1] == ' ' && at[strlen(collective)] == ' ')
            return true;
    return !collectives;
}

bool ct_mpich_is_of_communicator(const char *key)
{
    return find_condition(key) && !collectives_of(key);
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
        return ct_fail(place->error, CT_E_INPUT, "%s: %s: expected nothing beside \"%s\"", place->file,
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
    const struct condition *last = NULL;
    char name[CT_JSON_KEY_TEXT];
    json_object_object_foreach(object, key, value)
    {
        ct_json_key(key, name);
        if (last && holds_always(last))
            return ct_fail(place->error, CT_E_INPUT,
                           "%s: %s: \"%s\" is never reached, because it comes after %s", place->file,
                           place->collective, name, last->key);
        last = find_condition(key);
        if (!last)
            return ct_fail(place->error, CT_E_INPUT, "%s: %s: unknown test \"%s\"", place->file,
                           place->collective, name);
        if (!is_defined(last, place->collective))
            return ct_fail(place->error, CT_E_INPUT, "%s: %s: \"%s\": MPICH does not know this value for it",
                           place->file, place->collective, name);
        int status = check_object(place, value, depth + 1);
        if (status != CT_OK)
            return status;
    }
    if (!last)
        return ct_fail(place->error, CT_E_INPUT, "%s: %s: expected a test or an algorithm in each object",
                       place->file, place->collective);
    if (holds_always(last) || (last->opposite && json_object_object_get(object, last->opposite)))
        return CT_OK;
    return ct_fail(place->error, CT_E_INPUT, "%s: %s: after \"%s\" a test is missing that always holds",
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
    for (int c = 0; c < CT_DENSE_COLLECTIVES; c++) {
        char name[CT_JSON_KEY_TEXT];
        snprintf(name, sizeof name, "%s%s", collective_key, ct_collectives[c].name);
        if (!json_object_object_get(tree, name))
            return ct_fail(error, CT_E_INPUT, "%s: \"%s\" is missing; without it MPICH aborts", file, name);
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
