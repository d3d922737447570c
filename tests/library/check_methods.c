/* SPDX-License-Identifier: BSD-3-Clause */
/* Every registered method over MPI against a serial oracle: all communicator sizes up to the job's, seeded
 * random counts and roots, contiguous types and types with gaps or swapped parts, different types of one
 * signature on different ranks, in place, operations that commute and a user's that does not. Buffers are
 * compared whole, gaps included. Prints how many cases were checked; ends with 1 where one differs. */
#include "algorithms/method.h"
#include "library/executor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ELEMENTS = 400, INTS = 4, ROOM = 1 << 14, OPERATIONS = 4 };

/* A datatype whose signature is `ints` MPI_INTs. */
struct shape {
    const char *name;
    int ints;
    MPI_Datatype type;
};

struct operation {
    const char *name;
    MPI_Op op;
    bool predefined; /* takes predefined types only */
    bool matrices;   /* takes elements of four ints */
};

static unsigned value_of(unsigned seed, int rank, size_t index)
{
    unsigned x = seed * 2654435761u + (unsigned)rank * 40503u + (unsigned)index * 2246822519u;
    x ^= x >> 15;
    x *= 2246822519u;
    return (x ^ (x >> 13)) % 1000u;
}

/* 2 x 2 matrices of unsigned ints: b = a b. */
static void multiply(const unsigned a[4], unsigned b[4])
{
    unsigned c[4] = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2],
                     a[2] * b[1] + a[3] * b[3]};
    memcpy(b, c, sizeof c);
}

static void add(const unsigned a[4], unsigned b[4])
{
    for (int i = 0; i < 4; i++)
        b[i] += a[i];
}

/* Carries out a user's operation on elements of any type whose signature is up to four ints. */
static void by_element(void *in, void *inout, int count, MPI_Datatype type,
                       void (*operate)(const unsigned a[4], unsigned b[4]))
{
    MPI_Aint lb, extent;
    int size;
    MPI_Type_get_extent(type, &lb, &extent);
    MPI_Type_size(type, &size);
    for (int i = 0; i < count; i++) {
        unsigned a[4] = {0}, b[4] = {0};
        int position = 0;
        MPI_Pack((char *)in + i * extent, 1, type, a, sizeof a, &position, MPI_COMM_SELF);
        position = 0;
        MPI_Pack((char *)inout + i * extent, 1, type, b, sizeof b, &position, MPI_COMM_SELF);
        operate(a, b);
        position = 0;
        MPI_Unpack(b, size, &position, (char *)inout + i * extent, 1, type, MPI_COMM_SELF);
    }
}

static void matrix_product(void *in, void *inout, int *count, MPI_Datatype *type)
{
    by_element(in, inout, *count, *type, multiply);
}

static void user_sum(void *in, void *inout, int *count, MPI_Datatype *type)
{
    by_element(in, inout, *count, *type, add);
}

struct shapes {
    struct shape plain[2];  /* contiguous: one int, four ints */
    struct shape gapped[2]; /* the same signatures with gaps, parts swapped, a negative lower bound */
};

static void commit(struct shape *shape, const char *name, int ints, MPI_Datatype type)
{
    MPI_Type_commit(&type);
    *shape = (struct shape){name, ints, type};
}

static void make_shapes(struct shapes *shapes)
{
    MPI_Datatype type, resized;
    shapes->plain[0] = (struct shape){"int", 1, MPI_INT};
    MPI_Type_contiguous(4, MPI_INT, &type);
    commit(&shapes->plain[1], "4 ints", 4, type);
    MPI_Type_create_resized(MPI_INT, -4, 16, &type);
    commit(&shapes->gapped[0], "int with gaps", 1, type);
    const int lengths[4] = {1, 1, 1, 1};
    const MPI_Aint places[4] = {8, -4, 20, 0};
    MPI_Type_create_hindexed(4, lengths, places, MPI_INT, &type);
    MPI_Type_create_resized(type, -4, 32, &resized);
    MPI_Type_free(&type);
    commit(&shapes->gapped[1], "4 swapped ints with gaps", 4, resized);
}

static void free_shapes(struct shapes *shapes)
{
    MPI_Type_free(&shapes->plain[1].type);
    MPI_Type_free(&shapes->gapped[0].type);
    MPI_Type_free(&shapes->gapped[1].type);
}

struct buffer {
    char memory[ROOM];
    char *base;
};

static void fill(struct buffer *buffer, const unsigned *ints, size_t count, const struct shape *shape,
                 int junk)
{
    memset(buffer->memory, junk, sizeof buffer->memory);
    buffer->base = buffer->memory + 64;
    int position = 0;
    if (ints && count > 0)
        MPI_Unpack(ints, (int)(count * (size_t)shape->ints * sizeof *ints), &position, buffer->base,
                   (int)count, shape->type, MPI_COMM_SELF);
}

struct trial {
    const struct ct_method *method;
    struct ct_channel *channel;
    int rank, size;
    unsigned seed;
    size_t count;
    int root;
    bool in_place;
    const struct shape *shape;
    const struct operation *operation;
};

static void expected_reduction(const struct trial *trial, unsigned *result)
{
    size_t n = trial->count * (size_t)trial->shape->ints;
    for (size_t i = 0; i < n; i++)
        result[i] = value_of(trial->seed, trial->size - 1, i);
    for (int rank = trial->size - 2; rank >= 0; rank--) {
        size_t width = trial->operation->matrices ? 4 : 1;
        for (size_t i = 0; i < n; i += width) {
            unsigned lower[4];
            for (size_t k = 0; k < width; k++)
                lower[k] = value_of(trial->seed, rank, i + k);
            if (trial->operation->matrices)
                multiply(lower, &result[i]);
            else if (trial->operation->op != MPI_MAX)
                result[i] += lower[0];
            else if (lower[0] > result[i])
                result[i] = lower[0];
        }
    }
}

static bool try_one(const struct trial *trial)
{
    static struct buffer send, recv, expected;
    static unsigned own[MOST_ELEMENTS * INTS], result[MOST_ELEMENTS * INTS];
    enum ct_collective collective = trial->method->algorithm->collective;
    const struct ct_collective_description *about = &ct_collectives[collective];
    bool at_root = !about->has_root || trial->rank == trial->root;
    size_t n = trial->count * (size_t)trial->shape->ints;
    for (size_t i = 0; i < n; i++)
        own[i] = value_of(trial->seed, trial->rank, i);

    bool in_place = trial->in_place && at_root && about->reduces;
    bool input_in_recv = in_place || (about->one_buffer && at_root);
    fill(&send, own, trial->count, trial->shape, 0x5a);
    fill(&recv, input_in_recv ? own : NULL, trial->count, trial->shape, 0xa5);
    fill(&expected, input_in_recv ? own : NULL, trial->count, trial->shape, 0xa5);
    if (about->result[at_root ? 0 : 1] != CT_NOTHING) {
        if (about->reduces)
            expected_reduction(trial, result);
        else
            for (size_t i = 0; i < n; i++)
                result[i] = value_of(trial->seed, trial->root, i);
        fill(&expected, result, trial->count, trial->shape, 0xa5);
    }

    struct ct_operands operands = {.send = in_place ? MPI_IN_PLACE : send.base,
                                   .recv = recv.base,
                                   .count = trial->count,
                                   .type = trial->shape->type,
                                   .op = trial->operation->op,
                                   .root = trial->root};
    int code = ct_execute(trial->channel, trial->method, &operands);
    if (code == MPI_SUCCESS && memcmp(recv.memory, expected.memory, sizeof recv.memory) == 0)
        return true;
    char spelling[CT_METHOD_TEXT];
    printf("rank %d of %d: %s root %d count %zu type '%s' op %s%s: %s\n", trial->rank, trial->size,
           ct_method_format(trial->method, true, spelling), trial->root, trial->count, trial->shape->name,
           trial->operation->name, in_place ? " in place" : "", code ? "MPI error" : "wrong result");
    return false;
}

static unsigned next_random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static const size_t counts[] = {0, 1, 2, 7, 64, 333};

/* All cases of one method on one communicator; *cases counts them. */
static bool try_method(const struct ct_method *method, struct ct_channel *channel, int rank, int size,
                       const struct shapes *shapes, const struct operation *operations, size_t *cases)
{
    bool right = true;
    unsigned random = 12345u + (unsigned)size;
    const struct ct_collective_description *about = &ct_collectives[method->algorithm->collective];
    int roots = about->has_root ? size : 1;
    for (int root = 0; root < roots; root++) {
        bool telling = size <= 5 || root < 2 || root == size / 2 || root == size - 1;
        if (!telling)
            continue;
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            for (int kind = 0; kind < 2 * OPERATIONS * 2; kind++) {
                const struct operation *operation = &operations[kind / 4];
                int wide = operation->matrices || (!operation->predefined && next_random(&random) % 2);
                /* types may differ from rank to rank where only data moves */
                bool gapped = kind & 1 && (about->reduces ? !operation->predefined : rank % 2 == 0);
                struct trial trial = {method,
                                      channel,
                                      rank,
                                      size,
                                      next_random(&random),
                                      counts[c],
                                      root,
                                      kind & 2,
                                      gapped ? &shapes->gapped[wide] : &shapes->plain[wide],
                                      operation};
                struct ct_operands asked = {.send = NULL,
                                            .count = trial.count,
                                            .type = trial.shape->type,
                                            .op = operation->op,
                                            .root = root};
                struct ct_call call;
                ct_call_describe(channel, method->algorithm->collective, &asked, &call);
                if (!ct_method_applies(method, &call, NULL))
                    continue;
                right = try_one(&trial) && right;
                ++*cases;
            }
        }
    }
    return right;
}

static bool try_size(MPI_Comm comm, enum ct_wait_policy policy, const struct shapes *shapes,
                     const struct operation *operations, size_t *cases)
{
    int rank, size;
    bool right = true;
    struct ct_channel *channel;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (ct_channel_open(comm, policy, &channel) != MPI_SUCCESS)
        return false;
    for (size_t a = 0; a < ct_algorithm_count; a++) {
        static const char *const segments[] = {"", "seg=4", "seg=100", "seg=1K"};
        if (!ct_algorithms[a]->build)
            continue;
        for (size_t s = 0; s < (ct_algorithms[a]->parameters[0] ? 4u : 1u); s++) {
            struct ct_method method;
            char spelling[CT_METHOD_TEXT];
            snprintf(spelling, sizeof spelling, "%s:%s", ct_algorithms[a]->name, segments[s]);
            if (ct_method_parse(spelling, ct_algorithms[a]->collective, NULL, &method) != CT_OK)
                return false;
            right = try_method(&method, channel, rank, size, shapes, operations, cases) && right;
        }
    }
    ct_channel_close(channel);
    return right;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    struct shapes shapes;
    make_shapes(&shapes);
    MPI_Op product, sum;
    MPI_Op_create(matrix_product, 0, &product);
    MPI_Op_create(user_sum, 1, &sum);
    const struct operation operations[OPERATIONS] = {{"sum", MPI_SUM, true, false},
                                                     {"max", MPI_MAX, true, false},
                                                     {"user's sum", sum, false, false},
                                                     {"matrix product", product, false, true}};

    enum ct_wait_policy policy = ct_wait_policy_find(MPI_COMM_WORLD);
    bool right = true;
    size_t cases = 0;
    for (int p = argc > 1 ? atoi(argv[1]) : 1; p <= size; p++) {
        MPI_Comm comm;
        MPI_Comm_split(MPI_COMM_WORLD, rank < p ? 0 : MPI_UNDEFINED, rank, &comm);
        if (comm == MPI_COMM_NULL)
            continue;
        right = try_size(comm, policy, &shapes, operations, &cases) && right;
        MPI_Comm_free(&comm);
    }
    int all = right;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%zu cases on up to %d ranks: %s\n", cases, size, all ? "all right" : "WRONG");
    MPI_Op_free(&sum);
    MPI_Op_free(&product);
    free_shapes(&shapes);
    MPI_Finalize();
    return all ? 0 : 1;
}
