/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/execute/short_reduction.h"

/* The sum of integers wraps around, as that of the MPI libraries does. So it is that of unsigned ones. */
#define CT_REDUCTIONS(name, type, sum_type)                                                                  \
    static void name##_sum(const void *from, void *to, size_t n)                                             \
    {                                                                                                        \
        const sum_type *in = from;                                                                           \
        sum_type *out = to;                                                                                  \
        for (size_t i = 0; i < n; i++)                                                                       \
            out[i] += in[i];                                                                                 \
    }                                                                                                        \
    static void name##_max(const void *from, void *to, size_t n)                                             \
    {                                                                                                        \
        const type *in = from;                                                                               \
        type *out = to;                                                                                      \
        for (size_t i = 0; i < n; i++)                                                                       \
            out[i] = out[i] > in[i] ? out[i] : in[i];                                                        \
    }                                                                                                        \
    static void name##_min(const void *from, void *to, size_t n)                                             \
    {                                                                                                        \
        const type *in = from;                                                                               \
        type *out = to;                                                                                      \
        for (size_t i = 0; i < n; i++)                                                                       \
            out[i] = out[i] < in[i] ? out[i] : in[i];                                                        \
    }

CT_REDUCTIONS(double, double, double)
CT_REDUCTIONS(float, float, float)
CT_REDUCTIONS(int, int, unsigned)
CT_REDUCTIONS(long, long, unsigned long)

enum { SUM, MAX, MIN, OPERATIONS };

static const MPI_Op ops[OPERATIONS] = {[SUM] = MPI_SUM, [MAX] = MPI_MAX, [MIN] = MPI_MIN};

/* Fortran's types have the sizes that the MPI library was built for. Those that it lacks are
 * MPI_DATATYPE_NULL. */
static const struct {
    MPI_Datatype type;
    size_t bytes;
    ct_short_reduction *of[OPERATIONS];
} reductions[] = {
    {MPI_DOUBLE, sizeof(double), {double_sum, double_max, double_min}},
    {MPI_FLOAT, sizeof(float), {float_sum, float_max, float_min}},
    {MPI_INT, sizeof(int), {int_sum, int_max, int_min}},
    {MPI_LONG, sizeof(long), {long_sum, long_max, long_min}},
    {MPI_DOUBLE_PRECISION, sizeof(double), {double_sum, double_max, double_min}},
    {MPI_INTEGER, sizeof(int), {int_sum, int_max, int_min}},
};

ct_short_reduction *ct_short_reduction_of(MPI_Op op, MPI_Datatype type, size_t bytes)
{
    for (size_t i = 0; i < sizeof reductions / sizeof reductions[0]; i++)
        for (int k = 0; k < OPERATIONS; k++)
            if (reductions[i].type == type && reductions[i].bytes == bytes && ops[k] == op)
                return reductions[i].of[k];
    return NULL;
}
