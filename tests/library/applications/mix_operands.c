/* SPDX-License-Identifier: BSD-3-Clause */
#include "mix_operands.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct place {
    double value;
    int index;
};

/* 2 x 2, row by row; products modulo 2^32 are associative and do not commute. */
struct matrix {
    uint32_t entry[4];
};

/* A number with a gap before and after it. */
struct island {
    char before[4];
    uint32_t number;
    char after[8];
};

static void write_integer(void *element, int rank, int index)
{
    int64_t value = (int64_t)(mix_value((uint64_t)rank, (uint64_t)index) >> 16) - ((int64_t)1 << 46);
    memcpy(element, &value, sizeof value);
}

static uint64_t read_integer(uint64_t hash, const void *element)
{
    return mix_hash(hash, element, sizeof(int64_t));
}

static void write_bits(void *element, int rank, int index)
{
    uint32_t value = (uint32_t)mix_value((uint64_t)rank, (uint64_t)index);
    memcpy(element, &value, sizeof value);
}

static uint64_t read_bits(uint64_t hash, const void *element)
{
    return mix_hash(hash, element, sizeof(uint32_t));
}

static void write_place(void *element, int rank, int index)
{
    struct place *place = element;
    place->value = (double)(mix_value((uint64_t)rank, (uint64_t)index) % 5);
    place->index = rank;
}

static uint64_t read_place(uint64_t hash, const void *element)
{
    const struct place *place = element;
    return mix_hash(mix_hash(hash, &place->value, sizeof place->value), &place->index, sizeof place->index);
}

static double number(int rank, int index)
{
    return ldexp((double)(mix_value((uint64_t)rank, (uint64_t)index) >> 11), -53) + 0.1;
}

static void write_number(void *element, int rank, int index)
{
    double value = number(rank, index);
    memcpy(element, &value, sizeof value);
}

static uint64_t read_number(uint64_t hash, const void *element)
{
    return mix_hash(hash, element, sizeof(double));
}

static void write_matrix(void *element, int rank, int index)
{
    struct matrix *matrix = element;
    for (int i = 0; i < 4; i++)
        matrix->entry[i] = (uint32_t)mix_value((uint64_t)rank, (uint64_t)(4 * index + i)) | 1u;
}

static uint64_t read_matrix(uint64_t hash, const void *element)
{
    return mix_hash(hash, element, sizeof(struct matrix));
}

static void multiply(void *in, void *inout, int *n, MPI_Datatype *type)
{
    const struct matrix *left = in;
    struct matrix *right = inout;
    (void)type;
    for (int i = 0; i < *n; i++) {
        const uint32_t *a = left[i].entry, *b = right[i].entry;
        right[i] = (struct matrix){{a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3],
                                    a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]}};
    }
}

static void write_island(void *element, int rank, int index)
{
    struct island *island = element;
    memset(island, 0x55, sizeof *island);
    island->number = (uint32_t)mix_value((uint64_t)rank, (uint64_t)index);
}

static uint64_t read_island(uint64_t hash, const void *element)
{
    const struct island *island = element;
    return mix_hash(hash, &island->number, sizeof island->number);
}

static void add_islands(void *in, void *inout, int *n, MPI_Datatype *type)
{
    const struct island *from = in;
    struct island *to = inout;
    (void)type;
    for (int i = 0; i < *n; i++)
        to[i].number += from[i].number;
}

static MPI_Datatype matrix_type(void)
{
    MPI_Datatype type;
    MPI_Type_contiguous(4, MPI_UINT32_T, &type);
    MPI_Type_commit(&type);
    return type;
}

static MPI_Datatype island_type(void)
{
    MPI_Datatype type, resized, member = MPI_UINT32_T;
    int length = 1;
    MPI_Aint displacement = (MPI_Aint)offsetof(struct island, number);
    MPI_Type_create_struct(1, &length, &displacement, &member, &type);
    MPI_Type_create_resized(type, 0, (MPI_Aint)sizeof(struct island), &resized);
    MPI_Type_commit(&resized);
    MPI_Type_free(&type);
    return resized;
}

enum { MATRICES = 4, ISLANDS = 5 };

void mix_operands_make(struct mix_operand operands[MIX_OPERANDS])
{
    MPI_Op product, sum;
    MPI_Op_create(multiply, 0, &product);
    MPI_Op_create(add_islands, 1, &sum);
    const struct mix_operand all[MIX_OPERANDS] = {
        {"integers", MPI_INT64_T, MPI_SUM, sizeof(int64_t), 1, write_integer, read_integer},
        {"bits", MPI_UINT32_T, MPI_BXOR, sizeof(uint32_t), 1, write_bits, read_bits},
        {"places", MPI_DOUBLE_INT, MPI_MAXLOC, sizeof(struct place), 1, write_place, read_place},
        {"numbers", MPI_DOUBLE, MPI_SUM, sizeof(double), 0, write_number, read_number},
        [MATRICES] = {"matrices", matrix_type(), product, sizeof(struct matrix), 1, write_matrix,
                      read_matrix},
        [ISLANDS] = {"islands", island_type(), sum, sizeof(struct island), 1, write_island, read_island},
    };
    memcpy(operands, all, sizeof all);
}

void mix_operands_free(struct mix_operand operands[MIX_OPERANDS])
{
    for (int i = MATRICES; i < MIX_OPERANDS; i++) {
        MPI_Op_free(&operands[i].op);
        MPI_Type_free(&operands[i].type);
    }
}

void *mix_operand_input(const struct mix_operand *operand, int rank, int n)
{
    unsigned char *elements = mix_allocate((size_t)n * operand->extent);
    memset(elements, 0, (size_t)n * operand->extent);
    for (int i = 0; i < n; i++)
        operand->write(elements + (size_t)i * operand->extent, rank, i);
    return elements;
}

uint64_t mix_operand_hash(const struct mix_operand *operand, const void *elements, int n)
{
    const unsigned char *bytes = elements;
    uint64_t hash = (uint64_t)n;
    for (int i = 0; i < n; i++)
        hash = operand->read(hash, bytes + (size_t)i * operand->extent);
    return hash;
}

int mix_operand_within(const struct mix_operand *operand, const void *elements, int n, int size)
{
    const double *sums = elements;
    if (operand->exact)
        return 1;
    for (int i = 0; i < n; i++) {
        long double sum = 0;
        for (int rank = 0; rank < size; rank++)
            sum += (long double)number(rank, i);
        if (fabsl((long double)sums[i] - sum) > size * (long double)DBL_EPSILON * sum)
            return 0;
    }
    return 1;
}
