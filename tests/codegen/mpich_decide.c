/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/codegen/mpich_decide.h"
#include "base/number.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static bool comm_at_most(const struct ct_mpich_call *call, size_t n)
{
    return call->comm_size <= n;
}

static bool comm_below(const struct ct_mpich_call *call, size_t n)
{
    return call->comm_size < n;
}

static bool is_power_of_two(const struct ct_mpich_call *call, size_t n)
{
    (void)n;
    return (call->comm_size & (call->comm_size - 1)) == 0;
}

static bool average_at_most(const struct ct_mpich_call *call, size_t n)
{
    return call->average_bytes <= n;
}

static bool average_below(const struct ct_mpich_call *call, size_t n)
{
    return call->average_bytes < n;
}

static bool total_at_most(const struct ct_mpich_call *call, size_t n)
{
    return call->total_bytes <= n;
}

static bool total_below(const struct ct_mpich_call *call, size_t n)
{
    return call->total_bytes < n;
}

static bool elements_at_most(const struct ct_mpich_call *call, size_t n)
{
    return call->elements <= n;
}

static bool elements_below_power(const struct ct_mpich_call *call, size_t n)
{
    (void)n;
    size_t power = 1;
    while (power <= call->comm_size / 2)
        power *= 2;
    return call->elements < power;
}

/* A key and what it tests; NULL holds always. The number follows the key. */
static const struct {
    const char *key;
    bool (*holds)(const struct ct_mpich_call *call, size_t n);
} tests[] = {
    {"comm_size<=", comm_at_most},        {"comm_size<", comm_below},
    {"comm_size=pow2", is_power_of_two},  {"avg_msg_size<=", average_at_most},
    {"avg_msg_size<", average_below},     {"total_msg_size<=", total_at_most},
    {"total_msg_size<", total_below},     {"count<=", elements_at_most},
    {"count<pow2", elements_below_power},
};

/* Does a test of a yes-or-no property hold? "=any" does always. */
static bool flag_holds(const char *key, const struct ct_mpich_call *call)
{
    const struct {
        const char *key;
        bool value;
    } flags[] = {
        {"comm_type=inter", call->intercommunicator},
        {"comm_type=intra", !call->intercommunicator},
        {"comm_hierarchy=parent", call->has_nodes},
        {"is_node_consecutive=yes", call->nodes_in_order},
        {"is_node_consecutive=no", !call->nodes_in_order},
        {"is_commutative=yes", call->commutative},
        {"is_commutative=no", !call->commutative},
        {"is_op_built_in=yes", call->built_in},
        {"is_op_built_in=no", !call->built_in},
        {"is_sendbuf_inplace=yes", call->in_place},
        {"is_sendbuf_inplace=no", !call->in_place},
        {"is_block_regular=yes", call->equal_blocks},
        {"is_block_regular=no", !call->equal_blocks},
    };
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (strcmp(flags[i].key, key) == 0)
            return flags[i].value;
    return strcmp(strchr(key, '='), "=any") == 0;
}

/* `settled`: so far all tests were about the communicator. */
static bool key_holds(const char *key, const struct ct_mpich_call *call, bool settled)
{
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        size_t number = 0, length = strlen(tests[i].key);
        if (strncmp(key, tests[i].key, length) == 0 &&
            (!key[length] || ct_whole_parse(key + length, INT_MAX, &number) == CT_OK))
            return tests[i].holds == comm_below && !settled ? comm_at_most(call, number)
                                                            : tests[i].holds(call, number);
    }
    return flag_holds(key, call);
}

const char *ct_mpich_decide(struct json_object *tree, const struct ct_mpich_call *call)
{
    char name[128];
    snprintf(name, sizeof name, "%s%s", "collective=", call->collective);
    struct json_object *at = json_object_object_get(tree, name), *next;
    bool settled = true; /* so far all tests were about the communicator */
    for (; at; at = next) {
        next = NULL;
        json_object_object_foreach(at, key, value)
        {
            if (strncmp(key, "algorithm=", strlen("algorithm=")) == 0)
                return strchr(key, '=') + 1;
            settled = settled && ct_mpich_is_of_communicator(key);
            if (key_holds(key, call, settled)) {
                next = value;
                break;
            }
        }
    }
    return NULL;
}
