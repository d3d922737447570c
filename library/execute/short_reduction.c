/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/execute/short_reduction.h"
#include "library/mpi/predefined_ops.h"

#include <stdint.h>

/* `a` is from the lower ranks. */
#define CT_REDUCTION(name, type, result)                                                                     \
    static void name(const void *from, void *to, size_t n)                                                   \
    {                                                                                                        \
        const type *in = from;                                                                               \
        type *out = to;                                                                                      \
        for (size_t i = 0; i < n; i++) {                                                                     \
            const type a = in[i], b = out[i];                                                                \
            out[i] = (type)(result);                                                                         \
        }                                                                                                    \
    }

#define CT_EXTREMES(name, type)                                                                              \
    CT_REDUCTION(max_##name, type, b > a ? b : a)                                                            \
    CT_REDUCTION(min_##name, type, b < a ? b : a)

#define CT_ARITHMETIC(name, type)                                                                            \
    CT_EXTREMES(name, type)                                                                                  \
    CT_REDUCTION(sum_##name, type, b + a)                                                                    \
    CT_REDUCTION(prod_##name, type, b *a)

/* Sums and products of integers wrap around, as those of the MPI libraries do. So they are those of unsigned
 * ones, which short ones are made to be: in C they would become int. */
#define CT_INTEGERS(bits)                                                                                    \
    CT_EXTREMES(i##bits, int##bits##_t)                                                                      \
    CT_REDUCTION(sum_u##bits, uint##bits##_t, (uint64_t)a + b)                                               \
    CT_REDUCTION(prod_u##bits, uint##bits##_t, (uint64_t)a *b)                                               \
    CT_REDUCTION(land_u##bits, uint##bits##_t, a &&b)                                                        \
    CT_REDUCTION(lor_u##bits, uint##bits##_t, a || b)                                                        \
    CT_REDUCTION(lxor_u##bits, uint##bits##_t, !a != !b)                                                     \
    CT_REDUCTION(band_u##bits, uint##bits##_t, a &b)                                                         \
    CT_REDUCTION(bor_u##bits, uint##bits##_t, a | b)                                                         \
    CT_REDUCTION(bxor_u##bits, uint##bits##_t, a ^ b)

CT_INTEGERS(8)
CT_INTEGERS(16)
CT_INTEGERS(32)
CT_INTEGERS(64)
CT_ARITHMETIC(float, float)
CT_ARITHMETIC(double, double)

static void sum_float_complex(const void *from, void *to, size_t n)
{
    sum_float(from, to, 2 * n);
}

static void sum_double_complex(const void *from, void *to, size_t n)
{
    sum_double(from, to, 2 * n);
}

/* Elements are told apart by what they are and how long: Fortran's have the lengths that the MPI library was
 * built for. */
enum class { I8, I16, I32, I64, U8, U16, U32, U64, F32, F64, C32, C64, CLASSES };

static const struct {
    enum ct_number number;
    size_t bytes;
} classes[CLASSES] = {
    [I8] = {CT_NUMBER_SIGNED, sizeof(int8_t)},      [I16] = {CT_NUMBER_SIGNED, sizeof(int16_t)},
    [I32] = {CT_NUMBER_SIGNED, sizeof(int32_t)},    [I64] = {CT_NUMBER_SIGNED, sizeof(int64_t)},
    [U8] = {CT_NUMBER_UNSIGNED, sizeof(uint8_t)},   [U16] = {CT_NUMBER_UNSIGNED, sizeof(uint16_t)},
    [U32] = {CT_NUMBER_UNSIGNED, sizeof(uint32_t)}, [U64] = {CT_NUMBER_UNSIGNED, sizeof(uint64_t)},
    [F32] = {CT_NUMBER_FLOATING, sizeof(float)},    [F64] = {CT_NUMBER_FLOATING, sizeof(double)},
    [C32] = {CT_NUMBER_COMPLEX, 2 * sizeof(float)}, [C64] = {CT_NUMBER_COMPLEX, 2 * sizeof(double)},
};

/* Those of integers, whether these are signed or not. */
#define CT_OF_INTEGERS(op)                                                                                   \
    [I8] = op##_u8, [I16] = op##_u16, [I32] = op##_u32, [I64] = op##_u64, [U8] = op##_u8, [U16] = op##_u16,  \
    [U32] = op##_u32, [U64] = op##_u64

/* MPICH 4.0 compares large unsigned integers as signed ones. Ranks must agree, also with those of them that
 * reduce by PMPI_Reduce_local(). */
#define CT_OF_ORDERED(op)                                                                                    \
    [I8] = op##_i8, [I16] = op##_i16, [I32] = op##_i32, [I64] = op##_i64, [F32] = op##_float,                \
    [F64] = op##_double

static const struct {
    MPI_Op op;
    ct_short_reduction *of[CLASSES];
} reductions[] = {
    {MPI_SUM,
     {CT_OF_INTEGERS(sum), [F32] = sum_float, [F64] = sum_double, [C32] = sum_float_complex,
      [C64] = sum_double_complex}},
    {MPI_PROD, {CT_OF_INTEGERS(prod), [F32] = prod_float, [F64] = prod_double}},
    {MPI_MAX, {CT_OF_ORDERED(max)}},
    {MPI_MIN, {CT_OF_ORDERED(min)}},
    {MPI_LAND, {CT_OF_INTEGERS(land)}},
    {MPI_LOR, {CT_OF_INTEGERS(lor)}},
    {MPI_LXOR, {CT_OF_INTEGERS(lxor)}},
    {MPI_BAND, {CT_OF_INTEGERS(band)}},
    {MPI_BOR, {CT_OF_INTEGERS(bor)}},
    {MPI_BXOR, {CT_OF_INTEGERS(bxor)}},
};

ct_short_reduction *ct_short_reduction_of(MPI_Op op, MPI_Datatype type, size_t bytes)
{
    const enum ct_number number = ct_number_of(type);
    int class = 0;
    while (class < CLASSES && (classes[class].number != number || classes[class].bytes != bytes))
        class ++;
    for (size_t i = 0; class < CLASSES && i < sizeof reductions / sizeof reductions[0]; i++)
        if (reductions[i].op == op)
            return ct_op_takes(op, type) ? reductions[i].of[class] : NULL;
    return NULL;
}
