/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions: every predefined operation with the types that it goes with, and users' operations, one of
 * which does not commute, on types with gaps. The oracle combines all ranks' data one after another, in rank
 * order, with MPI_Reduce_local. Values are such that every order of evaluation gives the same. */
#include "library/execute/operands.h"
#include "trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS_MOST = 256, NAME = 48, ELEMENT = 64, MARGIN = 64, JUNK = 0x5a };

static struct reduction_kind kinds[KINDS_MOST];
static char names[KINDS_MOST][NAME];
static size_t kind_count;

static MPI_Op user_sum, matrix_product;
static MPI_Datatype four_ints, gapped_ints;
static char *send_memory, *recv_memory, *wanted, *operand;
static size_t room;

/* --- elements --- */

/* A whole number of any width: 1, 2 or 3. */
static size_t write_whole(struct random *random, void *element, size_t size)
{
    long value = 1 + (long)draw(random, 3); /* its low bytes come first on the machines that tests run on */
    memcpy(element, &value, size);
    return size;
}

static size_t write_char(struct random *random, void *element)
{
    return write_whole(random, element, sizeof(char));
}

static size_t write_short(struct random *random, void *element)
{
    return write_whole(random, element, sizeof(short));
}

static size_t write_int(struct random *random, void *element)
{
    return write_whole(random, element, sizeof(int));
}

static size_t write_long(struct random *random, void *element)
{
    return write_whole(random, element, sizeof(long));
}

static size_t write_bool(struct random *random, void *element)
{
    bool value = draw(random, 2);
    memcpy(element, &value, sizeof value);
    return sizeof value;
}

/* Powers of two: their sums and products are exact. */
static const double powers[] = {0.5, 1, 2};

static size_t write_float(struct random *random, void *element)
{
    float value = (float)powers[draw(random, 3)];
    memcpy(element, &value, sizeof value);
    return sizeof value;
}

static size_t write_double(struct random *random, void *element)
{
    double value = powers[draw(random, 3)];
    memcpy(element, &value, sizeof value);
    return sizeof value;
}

static size_t write_long_double(struct random *random, void *element)
{
    long double value = (long double)powers[draw(random, 3)];
    memset(element, 0, sizeof value);
    memcpy(element, &value, 10);
    return sizeof value;
}

/* Real ones: zeroes keep their sign. */
static size_t write_complex(struct random *random, void *element)
{
    double value[2] = {powers[draw(random, 3)], 0};
    memcpy(element, value, sizeof value);
    return sizeof value;
}

/* A value, which is `length` bytes, and behind it the place where it was. */
static size_t add_int(struct random *random, void *element, size_t length)
{
    return length + write_int(random, (char *)element + length);
}

static size_t write_double_int(struct random *random, void *element)
{
    return add_int(random, element, write_double(random, element));
}

static size_t write_float_int(struct random *random, void *element)
{
    return add_int(random, element, write_float(random, element));
}

static size_t write_long_int(struct random *random, void *element)
{
    return add_int(random, element, write_long(random, element));
}

static size_t write_two_ints(struct random *random, void *element)
{
    return add_int(random, element, write_int(random, element));
}

static size_t write_four_ints(struct random *random, void *element)
{
    size_t length = 0;
    for (int i = 0; i < 4; i++)
        length = add_int(random, element, length);
    return length;
}

/* --- operations --- */

/* Carries out a user's operation on elements whose signature is four ints. */
static void by_element(void *in, void *inout, int count, MPI_Datatype type,
                       void (*operate)(const unsigned a[4], unsigned b[4]))
{
    int bytes = count * 4 * (int)sizeof(unsigned), position = 0;
    unsigned *a = malloc((size_t)bytes + 1), *b = malloc((size_t)bytes + 1);
    if (!a || !b)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Pack(in, count, type, a, bytes, &position, MPI_COMM_SELF);
    position = 0;
    MPI_Pack(inout, count, type, b, bytes, &position, MPI_COMM_SELF);
    for (int i = 0; i < count; i++)
        operate(a + 4 * i, b + 4 * i);
    position = 0;
    MPI_Unpack(b, bytes, &position, inout, count, type, MPI_COMM_SELF);
    free(a);
    free(b);
}

/* 2 x 2 matrices: b = a b. */
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

/* The user's operations must see all elements of a call at once, where each rank has one block. */
static struct {
    bool is_block;
    int count;
    bool is_divided; /* an operation has seen another number */
} whole;

static void matrices(void *in, void *inout, int *count, MPI_Datatype *type)
{
    whole.is_divided = whole.is_divided || (whole.is_block && *count != whole.count);
    by_element(in, inout, *count, *type, multiply);
}

static void sums(void *in, void *inout, int *count, MPI_Datatype *type)
{
    whole.is_divided = whole.is_divided || (whole.is_block && *count != whole.count);
    by_element(in, inout, *count, *type, add);
}

/* --- what goes with what --- */

struct number {
    const char *name;
    MPI_Datatype type;
    size_t (*write)(struct random *random, void *element);
    size_t significant[2][2];
};

struct operation {
    const char *name;
    MPI_Op op;
};

static void add_kinds(const struct number *numbers, size_t number_count, const struct operation *operations,
                      size_t operation_count)
{
    for (size_t n = 0; n < number_count; n++) {
        for (size_t o = 0; o < operation_count; o++) {
            struct reduction_kind *kind = &kinds[kind_count];
            snprintf(names[kind_count], NAME, "%s of %s", operations[o].name, numbers[n].name);
            kind->name = names[kind_count++];
            kind->op = operations[o].op;
            kind->type = numbers[n].type;
            kind->write = numbers[n].write;
            memcpy(kind->significant, numbers[n].significant, sizeof kind->significant);
        }
    }
}

#define COUNT(array) (sizeof array / sizeof array[0])

static void add_predefined(void)
{
    const struct operation any[] = {
        {"max", MPI_MAX}, {"min", MPI_MIN}, {"sum", MPI_SUM}, {"product", MPI_PROD}};
    const struct operation algebra[] = {{"sum", MPI_SUM}, {"product", MPI_PROD}};
    const struct operation logic[] = {{"and", MPI_LAND}, {"or", MPI_LOR}, {"exclusive or", MPI_LXOR}};
    const struct operation bits[] = {
        {"bits and", MPI_BAND}, {"bits or", MPI_BOR}, {"bits exclusive or", MPI_BXOR}};
    const struct operation places[] = {{"max and where", MPI_MAXLOC}, {"min and where", MPI_MINLOC}};
    const struct number integers[] = {
        {"char", MPI_SIGNED_CHAR, write_char, {{0, 1}}}, {"short", MPI_SHORT, write_short, {{0, 2}}},
        {"int", MPI_INT, write_int, {{0, 4}}},           {"long", MPI_LONG, write_long, {{0, 8}}},
        {"unsigned", MPI_UNSIGNED, write_int, {{0, 4}}}, {"uint8_t", MPI_UINT8_T, write_char, {{0, 1}}},
        {"int64_t", MPI_INT64_T, write_long, {{0, 8}}},
    };
    const struct number reals[] = {{"float", MPI_FLOAT, write_float, {{0, 4}}},
                                   {"double", MPI_DOUBLE, write_double, {{0, 8}}},
                                   {"long double", MPI_LONG_DOUBLE, write_long_double, {{0, 10}}}};
    const struct number complexes[] = {{"complex", MPI_C_DOUBLE_COMPLEX, write_complex, {{0, 16}}}};
    const struct number truths[] = {{"bool", MPI_C_BOOL, write_bool, {{0, 1}}}};
    const struct number bytes[] = {{"byte", MPI_BYTE, write_char, {{0, 1}}}};
    const struct number pairs[] = {{"double and int", MPI_DOUBLE_INT, write_double_int, {{0, 8}, {8, 4}}},
                                   {"long and int", MPI_LONG_INT, write_long_int, {{0, 8}, {8, 4}}},
                                   {"float and int", MPI_FLOAT_INT, write_float_int, {{0, 4}, {4, 4}}},
                                   {"two ints", MPI_2INT, write_two_ints, {{0, 4}, {4, 4}}}};
    add_kinds(integers, COUNT(integers), any, COUNT(any));
    add_kinds(integers, COUNT(integers), logic, COUNT(logic));
    add_kinds(integers, COUNT(integers), bits, COUNT(bits));
    add_kinds(reals, COUNT(reals), any, COUNT(any));
    add_kinds(complexes, COUNT(complexes), algebra, COUNT(algebra));
    add_kinds(truths, COUNT(truths), logic, COUNT(logic));
    add_kinds(bytes, COUNT(bytes), bits, COUNT(bits));
#ifdef SMPI_H /* SimGrid 3.32 takes padding for part of the signature: those that have none */
    add_kinds(pairs + 2, 2, places, COUNT(places));
#else
    add_kinds(pairs, COUNT(pairs), places, COUNT(places));
#endif
}

void reduction_begin(void)
{
    MPI_Datatype type;
    MPI_Op_create(sums, 1, &user_sum);
    MPI_Op_create(matrices, 0, &matrix_product);
    MPI_Type_contiguous(4, MPI_INT, &four_ints);
    MPI_Type_commit(&four_ints);
    const int lengths[4] = {1, 1, 1, 1};
    const MPI_Aint places[4] = {8, -4, 20, 0};
    MPI_Type_create_hindexed(4, lengths, places, MPI_INT, &type);
    MPI_Type_create_resized(type, -4, 32, &gapped_ints);
    MPI_Type_free(&type);
    MPI_Type_commit(&gapped_ints);
    add_predefined();
    const struct number users[] = {
        {"4 ints", four_ints, write_four_ints, {{0, 16}}},
        {"4 swapped ints with gaps", gapped_ints, write_four_ints, {{-(size_t)4, 8}, {8, 16}}}};
    const struct operation own[] = {{"user's sum", user_sum}, {"matrix product", matrix_product}};
#ifdef SMPI_H /* SimGrid 3.32 lays resized types out wrongly */
    size_t usable = 1;
#else
    size_t usable = COUNT(users);
#endif
    for (int often = 0; often < 3; often++) /* as they are the hardest */
        add_kinds(users, usable, own, COUNT(own));
}

void reduction_end(void)
{
    MPI_Op_free(&user_sum);
    MPI_Op_free(&matrix_product);
    MPI_Type_free(&four_ints);
    MPI_Type_free(&gapped_ints);
    free(send_memory);
    free(recv_memory);
    free(wanted);
    free(operand);
}

size_t reduction_kind_count(void)
{
    return kind_count;
}

const struct reduction_kind *reduction_kind(size_t index)
{
    return &kinds[index % kind_count];
}

/* --- trials --- */

static MPI_Aint extent_of(const struct trial *trial)
{
    MPI_Aint lb, extent;
    MPI_Type_get_extent(trial->kind->type, &lb, &extent);
    return extent;
}

/* Elements before the part of `rank` in an input of parts. */
static size_t part_begin(const struct trial *trial, int rank)
{
    size_t begin = 0;
    for (int i = 0; i < rank; i++)
        begin += trial->lengths[i];
    return begin;
}

static size_t input_length(const struct trial *trial)
{
    return ct_collectives[trial->collective].input[0] == CT_CONTENTS_PARTS ? part_begin(trial, trial->size)
                                                                           : trial->count;
}

/* Bytes of `n` elements and of what surrounds them. */
static size_t memory_for(const struct trial *trial, size_t n)
{
    return n * (size_t)extent_of(trial) + 2 * MARGIN;
}

static void make_room(size_t length)
{
    if (length <= room)
        return;
    char **const memories[] = {&send_memory, &recv_memory, &wanted, &operand};
    for (size_t i = 0; i < COUNT(memories); i++) {
        free(*memories[i]);
        *memories[i] = malloc(length);
        if (!*memories[i])
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    room = length;
}

void reduction_draw(struct trial *trial, struct random *random)
{
    static int counts[RANKS_MOST];
    const struct ct_collective_description *about = &ct_collectives[trial->collective];
    (void)random;
    trial->in_place = trial->in_place && ct_may_be_in_place(trial->collective, trial->rank == trial->root);
    trial->types = trial->kind->name;
    whole.is_block = about->input[0] != CT_CONTENTS_PARTS;
    whole.count = (int)trial->count;
    whole.is_divided = false;
    make_room(memory_for(trial, input_length(trial)));
    trial->operands =
        ct_reduction(trial->in_place ? MPI_IN_PLACE : send_memory + MARGIN, recv_memory + MARGIN,
                     trial->count, trial->kind->type, trial->kind->op, trial->root);
    if (about->varies) {
        for (int i = 0; i < trial->size; i++)
            counts[i] = (int)trial->lengths[i];
        trial->operands.recv.counts = counts;
    }
}

/* Writes elements [begin, begin + n) of a rank's input. */
static void write_elements(const struct trial *trial, int rank, size_t begin, size_t n, char *base)
{
    unsigned char *packed = malloc(n * ELEMENT + 1);
    size_t length = 0;
    int position = 0;
    for (size_t i = 0; packed && i < n; i++) {
        struct random random = {.state =
                                    trial->seed + 7919u * (unsigned)rank + 104729u * (unsigned)(begin + i)};
        draw(&random, 2);
        draw(&random, 2);
        length += trial->kind->write(&random, packed + length);
    }
    if (n > 0)
        MPI_Unpack(packed, (int)length, &position, base, (int)n, trial->kind->type, MPI_COMM_SELF);
    free(packed);
}

void reduction_fill(struct trial *trial)
{
    size_t n = input_length(trial), length = memory_for(trial, n);
    memset(send_memory, JUNK, length);
    memset(recv_memory, JUNK, length);
    write_elements(trial, trial->rank, 0, n, (trial->in_place ? recv_memory : send_memory) + MARGIN);
}

/* Where in `wanted` the result of this rank is, and how long; nothing where it has none. */
static size_t combine_wanted(const struct trial *trial)
{
    const struct ct_collective_description *about = &ct_collectives[trial->collective];
    enum ct_contents result = about->result[about->has_root && trial->rank != trial->root];
    int last = trial->size - 1;
    size_t begin = 0, n = result == CT_CONTENTS_NOTHING ? 0 : trial->count;
    if (result == CT_CONTENTS_OF_FIRST)
        last = trial->rank;
    if (result == CT_CONTENTS_OF_EARLIER)
        last = trial->rank - 1;
    if (result == CT_CONTENTS_PART_OF_ALL) {
        begin = part_begin(trial, trial->rank);
        n = trial->lengths[trial->rank];
    }
    if (last < 0)
        return 0;
    write_elements(trial, last, begin, n, wanted + MARGIN);
    for (int rank = last - 1; rank >= 0 && n > 0; rank--) {
        memset(operand, JUNK, memory_for(trial, n));
        write_elements(trial, rank, begin, n, operand + MARGIN);
        MPI_Reduce_local(operand + MARGIN, wanted + MARGIN, (int)n, trial->kind->type, trial->kind->op);
    }
    return n;
}

/* Are the elements' significant bytes alike, and all bytes that belong to no element? */
static bool alike(const struct trial *trial, const char *got, const char *want, size_t n, size_t length)
{
    MPI_Aint extent = extent_of(trial);
    for (size_t i = 0; i < n; i++)
        for (int part = 0; part < 2; part++) {
            const size_t *bytes = trial->kind->significant[part];
            MPI_Aint at = MARGIN + (MPI_Aint)i * extent + (MPI_Aint)bytes[0];
            if (memcmp(got + at, want + at, bytes[1]) != 0)
                return false;
        }
    size_t end = MARGIN + n * (size_t)extent, before = n > 0 ? MARGIN / 2 : end;
    return memcmp(got, want, before) == 0 && memcmp(got + end, want + end, length - end) == 0;
}

bool reduction_right(const struct trial *trial)
{
    size_t n = input_length(trial), length = memory_for(trial, n);
    memset(wanted, JUNK, length);
    if (trial->in_place) /* what is no result may not change */
        write_elements(trial, trial->rank, 0, n, wanted + MARGIN);
    size_t results = combine_wanted(trial);
    if (whole.is_divided)
        return false;
    if (!alike(trial, recv_memory, wanted, trial->in_place ? n : results, length))
        return false;
    if (trial->in_place)
        return true;
    memset(wanted, JUNK, length);
    write_elements(trial, trial->rank, 0, n, wanted + MARGIN);
    return alike(trial, send_memory, wanted, n, length);
}
