/* SPDX-License-Identifier: BSD-3-Clause */
/* Short calls through lanes take shortcuts, and others do not: results are those of the MPI library. Two
 * ranks or more. */
#include "library/execute/channel.h"
#include "library/execute/describe_call.h"
#include "library/execute/executor.h"
#include "library/execute/kept_plans.h"
#include "library/execute/native_call.h"
#include "library/execute/operands.h"
#include "library/execute/shortcut.h"
#include "library/mpi/predefined_ops.h"
#include "tests/library/open_node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 10, BYTES = 65536 };

/* A call, and whether it has a shortcut. */
static const struct trial {
    const char *method;
    MPI_Datatype type;
    MPI_Op op;
    int count;
    bool is_short;
} trials[] = {
    {"allreduce/recursive_doubling", MPI_DOUBLE, MPI_SUM, 1, true},
    {"allreduce/recursive_doubling", MPI_DOUBLE, MPI_MAX, 6, true},
    {"allreduce/recursive_doubling", MPI_DOUBLE, MPI_SUM, 7, true}, /* in a chunk */
    {"allreduce/recursive_doubling", MPI_DOUBLE, MPI_MAX, 128, true},
    {"allreduce/recursive_doubling", MPI_DOUBLE, MPI_SUM, 504, true},
    {"allreduce/recursive_doubling", MPI_DOUBLE, MPI_SUM, 505, false}, /* more than 63 lines */
    {"allreduce/recursive_doubling", MPI_INT, MPI_MIN, 3, true},
    {"allreduce/recursive_doubling", MPI_FLOAT, MPI_SUM, 2, true},
    {"allreduce/recursive_doubling", MPI_LONG, MPI_SUM, 2, true},
    {"allreduce/recursive_doubling", MPI_INT, MPI_LOR, 1, true},
    {"allreduce/recursive_doubling", MPI_2INT, MPI_MAXLOC, 1, false},       /* pairs are not ours */
    {"allreduce/recursive_doubling", MPI_DOUBLE_INT, MPI_MAXLOC, 1, false}, /* elements with gaps */
    {"allreduce/ring", MPI_INT, MPI_SUM, 8, true},
    {"reduce/binomial", MPI_INT, MPI_SUM, 1, true},
    {"scan/recursive_doubling", MPI_INT, MPI_SUM, 1, true},
    {"bcast/binomial", MPI_DOUBLE, MPI_OP_NULL, 1, true},
    {"bcast/binomial", MPI_DOUBLE, MPI_OP_NULL, 100, true},
    {"bcast/binomial", MPI_DOUBLE, MPI_OP_NULL, 505, false},
    {"alltoall/pairwise", MPI_INT, MPI_OP_NULL, 200, true},
    {"allgather/bruck", MPI_INT, MPI_OP_NULL, 1, true},
    {"alltoall/pairwise", MPI_INT, MPI_OP_NULL, 2, true},
    {"gather/binomial", MPI_INT, MPI_OP_NULL, 1, true},
    {"barrier/dissemination", MPI_DATATYPE_NULL, MPI_OP_NULL, 0, true},
};

static bool right = true;

static void expect(bool is_right, const struct trial *trial, const char *what)
{
    if (!is_right)
        printf("%s, %d elements: %s\n", trial->method, trial->count, what);
    right = right && is_right;
}

static void fill(char *bytes, const struct trial *trial, int round)
{
    memset(bytes, 0, BYTES);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 8 * trial->count; i++) {
        if (trial->type == MPI_DOUBLE)
            ((double *)bytes)[i] = rank - round + i;
        else if (trial->type == MPI_FLOAT)
            ((float *)bytes)[i] = (float)(rank + round - i);
        else if (trial->type == MPI_LONG)
            ((long *)bytes)[i] = rank * round - i;
        else
            ((int *)bytes)[i] = rank * round + i;
    }
}

/* Compares calls with those of the MPI library. */
static void try(const struct trial *trial, struct ct_channel *channel)
{
    static _Alignas(64) char from[BYTES], to[BYTES], native[BYTES];
    struct ct_short_call shorter = {0};
    struct ct_method method;
    struct ct_call call;
    if (ct_method_parse(trial->method, CT_COLLECTIVES, NULL, &method) != CT_OK)
        abort();
    enum ct_collective collective = method.algorithm->collective;
    struct ct_operands operands = ct_reduction(from, to, (size_t)trial->count, trial->type, trial->op, 0);
    if (!ct_collectives[collective].reduces) {
        operands.send.count = operands.recv.count;
        operands.send.type = operands.recv.type;
    }
    for (int round = 0; round < ROUNDS; round++) {
        fill(from, trial, round);
        fill(to, trial, round);
        memcpy(native, to, BYTES);
        bool is_short = ct_short_call_is_kept(&shorter);
        int code = ct_call_describe(channel, collective, &operands, &call);
        if (code == MPI_SUCCESS)
            code = is_short ? ct_execute_short(channel, &shorter, &method, &operands, &call)
                            : ct_execute_call(channel, &method, &operands, &call);
        expect(code == MPI_SUCCESS, trial, "an error");
        if (!is_short)
            ct_short_call_find(channel, &shorter);
        struct ct_operands natively = operands;
        natively.recv.buffer = native;
        ct_native_call(collective, &natively, MPI_COMM_WORLD);
        expect(memcmp(to, native, BYTES) == 0, trial, "a wrong result");
    }
    bool is_found = ct_short_call_is_kept(&shorter);
    bool reduces = !is_found || ct_shortcut_reduces(shorter.kept->shortcut);
    if (!channel->flight.messages.node)
        expect(!is_found, trial, "a shortcut without lanes");
    else if (trial->is_short || reduces) /* a rank that does not reduce may have one with any operation */
        expect(is_found == trial->is_short, trial, trial->is_short ? "no shortcut" : "a shortcut");
}

/* Is a reduction that of the MPI library? Elements have digits that may overflow, and zeros. */
static void try_reduction(MPI_Op op, MPI_Datatype type, int round, int *tried)
{
    static _Alignas(64) unsigned char from[BYTES], to[BYTES], native[BYTES];
    enum { ELEMENTS = 7 };
    int size = 0;
    if (type == MPI_DATATYPE_NULL)
        return;
    MPI_Type_size(type, &size);
    ct_short_reduction *reduction = ct_short_reduction_of(op, type, (size_t)size);
    if (!reduction)
        return;
    const enum ct_number number = ct_number_of(type);
    const bool is_floating = number == CT_NUMBER_FLOATING || number == CT_NUMBER_COMPLEX;
    const bool is_logical = type == MPI_C_BOOL || type == MPI_CXX_BOOL;
    for (int i = 0; i < ELEMENTS * size; i++) {
        from[i] = (unsigned char)(i % 3 == round % 3 ? 0 : 37 * i + 101 * round);
        to[i] = (unsigned char)(i % 5 == round % 5 ? 0 : 59 * i + 83 * round);
        from[i] = is_logical ? from[i] & 1 : from[i];
        to[i] = is_logical ? to[i] & 1 : to[i];
    }
    for (int i = 0; is_floating && i < 2 * ELEMENTS; i++) {
        const double a = (i - 3) * 0.7 * round, b = (5 - i) * 1.3;
        if (size == 4 || type == MPI_C_FLOAT_COMPLEX) {
            ((float *)from)[i] = (float)a;
            ((float *)to)[i] = (float)b;
        } else {
            ((double *)from)[i] = a;
            ((double *)to)[i] = b;
        }
    }
    memcpy(native, to, BYTES);
    reduction(from, to, ELEMENTS);
    MPI_Reduce_local(from, native, ELEMENTS, type, op);
    if (memcmp(to, native, BYTES) != 0 || ct_short_reduction_of(op, type, 3)) {
        char name[MPI_MAX_OBJECT_NAME];
        int length;
        MPI_Type_get_name(type, name, &length);
        printf("%s: a wrong reduction\n", name);
        right = false;
    }
    ++*tried;
}

static void try_reductions(void)
{
    const MPI_Op ops[] = {MPI_SUM,  MPI_PROD, MPI_MAX, MPI_MIN,  MPI_LAND,   MPI_LOR,
                          MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR, MPI_MAXLOC, MPI_OP_NULL};
    const MPI_Datatype types[] = {MPI_INT,
                                  MPI_LONG,
                                  MPI_SHORT,
                                  MPI_UNSIGNED_SHORT,
                                  MPI_UNSIGNED,
                                  MPI_UNSIGNED_LONG,
                                  MPI_LONG_LONG,
                                  MPI_UNSIGNED_LONG_LONG,
                                  MPI_SIGNED_CHAR,
                                  MPI_UNSIGNED_CHAR,
                                  MPI_INT8_T,
                                  MPI_INT16_T,
                                  MPI_UINT32_T,
                                  MPI_UINT64_T,
                                  MPI_INTEGER,
                                  MPI_INTEGER8,
                                  MPI_FLOAT,
                                  MPI_DOUBLE,
                                  MPI_LONG_DOUBLE,
                                  MPI_DOUBLE_PRECISION,
                                  MPI_REAL,
                                  MPI_C_BOOL,
                                  MPI_CXX_BOOL,
                                  MPI_LOGICAL,
                                  MPI_C_FLOAT_COMPLEX,
                                  MPI_C_DOUBLE_COMPLEX,
                                  MPI_DOUBLE_COMPLEX,
                                  MPI_BYTE,
                                  MPI_AINT,
                                  MPI_COUNT,
                                  MPI_2INT,
                                  MPI_DOUBLE_INT};
    int tried = 0;
    for (size_t op = 0; op < sizeof ops / sizeof ops[0]; op++)
        for (size_t type = 0; type < sizeof types / sizeof types[0]; type++)
            for (int round = 0; round < ROUNDS; round++)
                try_reduction(ops[op], types[type], round, &tried);
    if (tried < 160 * ROUNDS) {
        printf("only %d reductions\n", tried);
        right = false;
    }
}

/* With pauses and without, whatever the CPU's take. */
static void set_pauses(struct ct_node *node, bool pauses)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int rank = 0; node && rank < size; rank++)
        if (ct_node_lane(node, rank))
            ct_node_lane(node, rank)->pauses = pauses;
}

/* Ranks that share CPUs leave theirs to others instead. */
static void expect_no_pauses_of_sleepers(void)
{
    const struct ct_node_wishes wishes = {.lanes = true, .sleep = true};
    struct ct_node *node = open_node_of_world(&wishes);
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int rank = 0; node && rank < size; rank++)
        if (ct_node_lane(node, rank) && ct_node_lane(node, rank)->pauses) {
            printf("ranks that share CPUs pause\n");
            right = false;
        }
    ct_node_close(node);
}

int main(int argc, char **argv)
{
    struct ct_channel *channel;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const struct ct_node_wishes wishes = {.lanes = true};
    struct ct_node *node = getenv("LANES") ? open_node_of_world(&wishes) : NULL;
    if ((getenv("LANES") && !node) || ct_channel_open(comm, CT_WAIT_YIELD, &channel) != MPI_SUCCESS ||
        ct_channel_use_lanes(channel, node) != MPI_SUCCESS)
        abort();
    for (int pauses = 0; pauses < 2; pauses++) {
        set_pauses(node, pauses);
        for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++)
            try(&trials[i], channel);
    }
    expect_no_pauses_of_sleepers();
    try_reductions();
    ct_channel_close(channel);
    MPI_Comm_free(&comm);
    ct_node_close(node);
    MPI_Finalize();
    return right ? 0 : 1;
}
