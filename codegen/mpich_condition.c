/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/mpich_condition.h"
#include "base/number.h"

#include <limits.h>
#include <string.h>

static bool begins(const char *word, const char *with)
{
    return strncmp(word, with, strlen(with)) == 0;
}

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

static bool flag_of(const struct ct_mpich_call *call, enum ct_mpich_flag flag)
{
    const bool flags[] = {
        [CT_MPICH_FLAG_INTER] = call->intercommunicator, [CT_MPICH_FLAG_NODES] = call->has_nodes,
        [CT_MPICH_FLAG_IN_ORDER] = call->nodes_in_order, [CT_MPICH_FLAG_COMMUTES] = call->commutative,
        [CT_MPICH_FLAG_BUILT_IN] = call->built_in,       [CT_MPICH_FLAG_IN_PLACE] = call->in_place,
        [CT_MPICH_FLAG_EQUAL] = call->equal_blocks,
    };
    return flags[flag];
}

static const struct ct_mpich_condition tests[] = {
    {"comm_size<=", comm_at_most, true, true, CT_MPICH_FLAG_NONE, false, NULL},
    {"comm_size<", comm_below, true, true, CT_MPICH_FLAG_NONE, false, NULL},
    {"comm_size=pow2", is_power_of_two, false, true, CT_MPICH_FLAG_NONE, false, NULL},
    {"comm_size=any", NULL, false, true, CT_MPICH_FLAG_NONE, false, NULL},
    {"comm_type=intra", NULL, false, true, CT_MPICH_FLAG_INTER, false, "comm_type=inter"},
    {"comm_type=inter", NULL, false, true, CT_MPICH_FLAG_INTER, true, "comm_type=intra"},
    {"comm_hierarchy=parent", NULL, false, true, CT_MPICH_FLAG_NODES, true, NULL},
    {"comm_hierarchy=any", NULL, false, true, CT_MPICH_FLAG_NONE, false, NULL},
    {"is_node_consecutive=yes", NULL, false, true, CT_MPICH_FLAG_IN_ORDER, true, "is_node_consecutive=no"},
    {"is_node_consecutive=no", NULL, false, true, CT_MPICH_FLAG_IN_ORDER, false, "is_node_consecutive=yes"},
    {"avg_msg_size<=", average_at_most, true, false, CT_MPICH_FLAG_NONE, false, NULL},
    {"avg_msg_size<", average_below, true, false, CT_MPICH_FLAG_NONE, false, NULL},
    {"avg_msg_size=any", NULL, false, false, CT_MPICH_FLAG_NONE, false, NULL},
    {"total_msg_size<=", total_at_most, true, false, CT_MPICH_FLAG_NONE, false, NULL},
    {"total_msg_size<", total_below, true, false, CT_MPICH_FLAG_NONE, false, NULL},
    {"total_msg_size=any", NULL, false, false, CT_MPICH_FLAG_NONE, false, NULL},
    {"count<=", elements_at_most, true, false, CT_MPICH_FLAG_NONE, false, NULL},
    {"count<pow2", elements_below_power, false, false, CT_MPICH_FLAG_NONE, false, NULL},
    {"count=any", NULL, false, false, CT_MPICH_FLAG_NONE, false, NULL},
    {"is_commutative=yes", NULL, false, false, CT_MPICH_FLAG_COMMUTES, true, "is_commutative=no"},
    {"is_commutative=no", NULL, false, false, CT_MPICH_FLAG_COMMUTES, false, "is_commutative=yes"},
    {"is_op_built_in=yes", NULL, false, false, CT_MPICH_FLAG_BUILT_IN, true, "is_op_built_in=no"},
    {"is_op_built_in=no", NULL, false, false, CT_MPICH_FLAG_BUILT_IN, false, "is_op_built_in=yes"},
    {"is_sendbuf_inplace=yes", NULL, false, false, CT_MPICH_FLAG_IN_PLACE, true, "is_sendbuf_inplace=no"},
    {"is_sendbuf_inplace=no", NULL, false, false, CT_MPICH_FLAG_IN_PLACE, false, "is_sendbuf_inplace=yes"},
    {"is_block_regular=yes", NULL, false, false, CT_MPICH_FLAG_EQUAL, true, "is_block_regular=no"},
    {"is_block_regular=no", NULL, false, false, CT_MPICH_FLAG_EQUAL, false, "is_block_regular=yes"},
};

const struct ct_mpich_condition *ct_mpich_condition_find(const char *key, size_t *ret_number)
{
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        const struct ct_mpich_condition *test = &tests[i];
        *ret_number = 0;
        if (test->numbered ? begins(key, test->key) &&
                                 ct_whole_parse(key + strlen(test->key), INT_MAX, ret_number) == CT_OK
                           : strcmp(key, test->key) == 0)
            return test;
    }
    return NULL;
}

bool ct_mpich_condition_is_any(const struct ct_mpich_condition *test)
{
    return !test->holds && test->flag == CT_MPICH_FLAG_NONE;
}

/* The collectives for which MPICH 4.0 knows the value that a condition tests. */
static const struct {
    const char *begins;
    const char *collectives;
} known[] = {
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

bool ct_mpich_condition_is_defined(const struct ct_mpich_condition *test, const char *collective)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (!begins(test->key, known[i].begins))
            continue;
        for (const char *at = strstr(known[i].collectives, collective); at && *at;
             at = strstr(at + 1, collective))
            if (at > known[i].collectives && at[-1] == ' ' && at[strlen(collective)] == ' ')
                return true;
        return false;
    }
    return true;
}

bool ct_mpich_condition_holds(const struct ct_mpich_condition *test, const struct ct_mpich_call *call,
                              size_t number, bool settled)
{
    if (ct_mpich_condition_is_any(test))
        return true;
    if (test->flag != CT_MPICH_FLAG_NONE)
        return flag_of(call, test->flag) == test->on;
    if (test->holds == comm_below && !settled)
        return comm_at_most(call, number);
    return test->holds(call, number);
}
