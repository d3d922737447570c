/* SPDX-License-Identifier: BSD-3-Clause */
/* Every method of every reduction through two sets of lanes at once: as its plan is written, and with the
 * receives that reduce. Both have the same results to the last bit, the latter copies no more bytes, and less
 * where a message need not be stored; operations and types that may not be divided are carried out as
 * written. Likewise methods whose sends may share a copy. With an argument long messages are copied out of
 * the senders' memory. Prints the bytes copied. */
#include "base/random.h"
#include "library/execute/channel.h"
#include "library/execute/describe_call.h"
#include "library/execute/executor.h"
#include "library/execute/kept_plans.h"
#include "library/execute/operands.h"
#include "tests/library/open_node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 20, REPEATED = 4, RANKS_MOST = 64, ELEMENT_MOST = 32, PLAIN = 0, FUSED = 1, WAYS = 2 };

static int rank, size;
static bool all_right = true;
static MPI_Op affine;
static struct ct_channel *channels[WAYS];
static struct ct_node *nodes[WAYS];
static char *inputs, *results[WAYS];
static size_t input_bytes;

static void check(int code)
{
    if (code != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Maps x -> a x + b, modulo 2^16 each, one behind the other: the order counts. */
static void compose(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const unsigned *first = in;
    unsigned *second = inout;
    (void)type;
    for (int i = 0; i < *count; i++) {
        unsigned a = (first[i] >> 16) * (second[i] >> 16), b = (first[i] >> 16) * (second[i] & 0xffff);
        second[i] = a << 16 | ((b + (first[i] & 0xffff)) & 0xffff);
    }
}

/* What is reduced, and whether it may be in pieces. */
struct kind {
    const char *name;
    MPI_Op op;
    MPI_Datatype type;
    bool is_divided;
    bool is_real; /* of doubles, in which sums depend on the order */
};

static void fill(const struct kind *kind, size_t bytes)
{
    uint64_t seed = (uint64_t)rank + 1;
    for (size_t i = 0; i < bytes; i++)
        inputs[i] = (char)(ct_random(&seed) % 100);
    for (size_t i = 0; kind->is_real && i < bytes / sizeof(double); i++)
        ((double *)(void *)inputs)[i] = (double)(ct_random(&seed) % 1000000) / 999983.0;
}

/* Calls often enough that the plan is kept. Returns the bytes that this rank has copied in the last call. */
static unsigned long long call(int way, const struct ct_method *method, const struct ct_operands *operands)
{
    unsigned long long copied = 0;
    for (int i = 0; i < REPEATED; i++) {
        copied = ct_node_copied(nodes[way]);
        if (operands->send.buffer == MPI_IN_PLACE)
            memcpy(results[way], inputs, input_bytes);
        check(ct_execute(channels[way], method, operands));
        copied = ct_node_copied(nodes[way]) - copied;
    }
    return copied;
}

static bool applies(const struct ct_method *method, const struct ct_operands *operands)
{
    struct ct_call described;
    check(ct_call_describe(channels[PLAIN], method->algorithm->collective, operands, &described));
    return ct_method_applies(method, &described, NULL);
}

struct total {
    unsigned long long copied[WAYS]; /* bytes */
    unsigned long long fused;        /* calls */
};

/* A call both ways, in place or not. */
static void compare(const struct ct_method *method, const struct kind *kind, size_t count, bool in_place,
                    struct total *total)
{
    const struct ct_collective_description *about = &ct_collectives[method->algorithm->collective];
    MPI_Aint lb, extent;
    MPI_Type_get_extent(kind->type, &lb, &extent);
    int *counts = malloc((size_t)size * sizeof *counts);
    for (int i = 0; i < size; i++)
        counts[i] = (int)(count + (size_t)i % 3);
    bool has_parts = about->input[0] == CT_CONTENTS_PARTS, is_at_root = about->has_root && rank != 0;
    size_t bytes = (count + 2) * (size_t)extent * (has_parts ? (size_t)size : 1);
    input_bytes = bytes;
    fill(kind, bytes);
    struct ct_operands operands =
        ct_reduction(in_place && !is_at_root ? MPI_IN_PLACE : inputs, NULL, count, kind->type, kind->op, 0);
    if (about->varies) {
        operands.recv.counts = counts;
        operands.send.counts = counts;
    }
    if (applies(method, &operands)) {
        unsigned long long copied[WAYS];
        for (int way = 0; way < WAYS; way++) {
            memset(results[way], 0, bytes);
            operands.recv.buffer = results[way];
            copied[way] = call(way, method, &operands);
            total->copied[way] += copied[way];
        }
        bool fused = channels[FUSED]->flight.fuses && channels[FUSED]->kept->last->reduces,
             is_same = memcmp(results[PLAIN], results[FUSED], bytes) == 0;
        total->fused += fused;
        bool right = is_same && copied[FUSED] <= copied[PLAIN] && !channels[PLAIN]->flight.fuses &&
                     (kind->is_divided || !fused);
        if (!right)
            printf("rank %d: %s/%s, %s, %zu elements%s: %s, %llu bytes copied, %llu when fused%s\n", rank,
                   about->name, method->algorithm->name, kind->name, count, in_place ? ", in place" : "",
                   is_same ? "same results" : "RESULTS DIFFER", copied[PLAIN], copied[FUSED],
                   fused && !kind->is_divided ? ": it must not be divided" : "");
        all_right = all_right && right;
    }
    free(counts);
}

static void compare_all(const struct ct_method *method, struct total *total)
{
    const struct kind kinds[] = {{"sum of doubles", MPI_SUM, MPI_DOUBLE, true, true},
                                 {"maximum of ints", MPI_MAX, MPI_INT, true, false},
                                 {"bits of bytes", MPI_BXOR, MPI_BYTE, true, false},
                                 {"places of minima", MPI_MINLOC, MPI_2INT, true, false},
                                 {"minima with gaps", MPI_MINLOC, MPI_DOUBLE_INT, false, false},
                                 {"maps", affine, MPI_UNSIGNED, false, false}};
    static const size_t counts[] = {5, 700, 30000};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
            for (int in_place = 0; in_place < 2; in_place++)
                compare(method, &kinds[k], counts[c], in_place, total);
}

/* With its usual parameters, but for segments. */
static void try_method(const struct ct_algorithm *algorithm, size_t segment)
{
    struct ct_method method = {.algorithm = algorithm};
    struct total total = {{0}};
    bool has_segments = false;
    for (int i = 0; i < ct_parameter_count(algorithm->descriptor); i++) {
        const struct ct_parameter *parameter = algorithm->descriptor->parameters[i];
        method.values[i] = ct_parameter_standard(parameter);
        if (parameter->in_bytes && parameter->least == 0) {
            method.values[i] = segment;
            has_segments = true;
        }
    }
    if (segment > 0 && !has_segments)
        return;
    compare_all(&method, &total);
    MPI_Allreduce(MPI_IN_PLACE, &total, 3, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    char spelling[CT_METHOD_TEXT];
    if (rank == 0)
        printf("%-48s %9llu KB copied, %9llu KB when fused (%llu calls)\n",
               ct_method_format(&method, true, spelling), total.copied[PLAIN] >> 10,
               total.copied[FUSED] >> 10, total.fused);
    bool saves = algorithm->collective == CT_COLLECTIVE_REDUCE && strcmp(algorithm->name, "binomial") == 0 &&
                 segment == 0 && size > 2;
    if (saves && (total.fused == 0 || total.copied[FUSED] >= total.copied[PLAIN])) {
        printf("rank %d: nothing is saved\n", rank);
        all_right = false;
    }
}

/* Methods whose ranks send one slice to several others in a round: that is one copy. */
static void try_sharing(const char *spelling)
{
    static const size_t counts[] = {100, 3000, 50000, 400000};
    struct ct_method method;
    struct total total = {{0}};
    if (ct_method_parse(spelling, CT_COLLECTIVES, NULL, &method) != CT_OK)
        abort();
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        const size_t bytes = counts[c] * (size_t)size;
        unsigned long long copied[WAYS];
        input_bytes = 0;
        fill(&(struct kind){0}, bytes);
        for (int way = 0; way < WAYS; way++) {
            struct ct_operands operands = ct_broadcast(results[way], bytes, MPI_BYTE, 0);
            memset(results[way], 0, bytes);
            if (rank == 0)
                memcpy(results[way], inputs, bytes);
            if (!ct_collectives[method.algorithm->collective].one_buffer) {
                operands.recv.count = counts[c];
                operands.send = (struct ct_side){.buffer = inputs, .count = counts[c], .type = MPI_BYTE};
            }
            total.copied[way] += copied[way] = call(way, &method, &operands);
        }
        total.fused += channels[FUSED]->flight.fuses;
        if (memcmp(results[PLAIN], results[FUSED], bytes) != 0 || copied[FUSED] > copied[PLAIN]) {
            printf("rank %d: %s, %zu bytes: results differ, or %llu bytes copied, %llu when shared\n", rank,
                   spelling, bytes, copied[PLAIN], copied[FUSED]);
            all_right = false;
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, &total, 3, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%-48s %9llu KB copied, %9llu KB when shared (%llu calls)\n", spelling,
               total.copied[PLAIN] >> 10, total.copied[FUSED] >> 10, total.fused);
    if (size > 2 && (total.fused == 0 || total.copied[FUSED] >= total.copied[PLAIN])) {
        printf("rank %d: nothing is saved\n", rank);
        all_right = false;
    }
}

/* The last rank calls with more elements or fewer; the root gets the error, and the next call is right. */
static void try_wrong_lengths(void)
{
    enum { COUNT = 12000, CHANGE = 3 };
    struct ct_method method;
    int *ones = malloc((COUNT + CHANGE) * sizeof *ones), *sums = malloc((COUNT + CHANGE) * sizeof *sums);
    bool is_last = rank == size - 1;
    if (ct_method_parse("reduce/linear", CT_COLLECTIVES, NULL, &method) != CT_OK)
        abort();
    for (int i = 0; i < COUNT + CHANGE; i++)
        ones[i] = 1;
    for (int i = 0; i < 3 * REPEATED; i++) {
        const int changes[] = {0, CHANGE, 0, -CHANGE};
        int change = i < REPEATED ? 0 : changes[i % 4], class = MPI_SUCCESS;
        size_t count = (size_t)(COUNT + (is_last ? change : 0));
        const struct ct_operands operands = ct_reduction(ones, sums, count, MPI_INT, MPI_SUM, 0);
        sums[0] = sums[COUNT] = 0;
        int code = ct_execute(channels[FUSED], &method, &operands);
        if (rank == 0) {
            MPI_Error_class(code, &class);
            bool right = change == 0  ? class == MPI_SUCCESS && sums[0] == size && sums[COUNT - 1] == size
                         : change > 0 ? class == MPI_ERR_TRUNCATE
                                      : class != MPI_SUCCESS;
            right = right && sums[COUNT] == 0 && (i < REPEATED - 1 || channels[FUSED]->flight.fuses);
            if (!right)
                printf("wrong lengths: call %d returns class %d, %d, %d, %d\n", i, class, sums[0],
                       sums[COUNT - 1], sums[COUNT]);
            all_right = all_right && right;
        }
    }
    free(ones);
    free(sums);
}

static void open_ways(bool copies, MPI_Comm *comms)
{
    int labels[RANKS_MOST]; /* of nodes of two ranks, as two-level methods see them */
    for (int i = 0; i < RANKS_MOST; i++)
        labels[i] = i / 2;
    for (int way = 0; way < WAYS; way++) {
        const struct ct_node_wishes wishes = {.lanes = true, .sleep = copies, .plain = way == PLAIN};
        nodes[way] = open_node_of_world(&wishes);
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[way]);
        check(nodes[way] ? ct_channel_open(comms[way], CT_WAIT_YIELD, &channels[way]) : MPI_ERR_OTHER);
        check(ct_channel_set_nodes(channels[way], labels));
        check(ct_channel_use_lanes(channels[way], nodes[way]));
        ct_channel_set_context(channels[way], (unsigned)way + 1);
        /* What is copied must not depend on times. */
        for (int i = 0; i < size; i++)
            if (ct_node_lane(nodes[way], i))
                ct_node_lane(nodes[way], i)->learns_ways = false;
        results[way] = malloc((size_t)size * ROOM);
    }
    inputs = malloc((size_t)size * ROOM);
}

int main(int argc, char **argv)
{
    MPI_Comm comms[WAYS];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Op_create(compose, false, &affine);
    open_ways(argc > 1, comms);
    for (size_t i = 0; i < ct_algorithm_count; i++) {
        if (!ct_collectives[ct_algorithms[i].collective].reduces || ct_is_native(&ct_algorithms[i]))
            continue;
        try_method(&ct_algorithms[i], 0);
        try_method(&ct_algorithms[i], 8192);
    }
    try_sharing("bcast/linear");
    try_sharing("bcast/binomial:seg=8K");
    try_sharing("bcast/knomial");
    try_sharing("allgather/linear");
    try_wrong_lengths();
    int right = all_right;
    MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s\n", right ? "all right" : "WRONG");
    for (int way = 0; way < WAYS; way++) {
        ct_channel_close(channels[way]);
        MPI_Comm_free(&comms[way]);
        ct_node_close(nodes[way]);
        free(results[way]);
    }
    free(inputs);
    MPI_Op_free(&affine);
    MPI_Finalize();
    return right ? 0 : 1;
}
