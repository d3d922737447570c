/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/mpi/predefined_ops.h"

#include <stddef.h>

/* Groups of predefined types (MPI 4.0, section 6.9.2), the last of the types of pairs (6.9.4). */
enum {
    C_SIGNED = 1 << 0,
    C_UNSIGNED = 1 << 1,
    FORTRAN_INTEGER = 1 << 2,
    FLOATING_POINT = 1 << 3,
    C_LOGICAL = 1 << 4,
    FORTRAN_LOGICAL = 1 << 5,
    COMPLEX = 1 << 6,
    BYTE = 1 << 7,
    MULTI_LANGUAGE = 1 << 8,
    PAIR = 1 << 9,

    C_INTEGER = C_SIGNED | C_UNSIGNED,
    LOGICAL = C_LOGICAL | FORTRAN_LOGICAL,
    INTEGER = C_INTEGER | FORTRAN_INTEGER | MULTI_LANGUAGE
};

static const struct {
    MPI_Op op;
    unsigned groups; /* that it goes with */
} predefined_ops[] = {
    {MPI_MAX, INTEGER | FLOATING_POINT},
    {MPI_MIN, INTEGER | FLOATING_POINT},
    {MPI_SUM, INTEGER | FLOATING_POINT | COMPLEX},
    {MPI_PROD, INTEGER | FLOATING_POINT | COMPLEX},
    {MPI_LAND, C_INTEGER | LOGICAL},
    {MPI_LOR, C_INTEGER | LOGICAL},
    {MPI_LXOR, C_INTEGER | LOGICAL},
    {MPI_BAND, INTEGER | BYTE},
    {MPI_BOR, INTEGER | BYTE},
    {MPI_BXOR, INTEGER | BYTE},
    {MPI_MAXLOC, PAIR},
    {MPI_MINLOC, PAIR},
    {MPI_REPLACE, 0},
    {MPI_NO_OP, 0},
};

/* With optional types of up to 8 bytes a number. Those that an MPI library lacks are MPI_DATATYPE_NULL. */
static const struct {
    MPI_Datatype type;
    unsigned group;
} predefined_types[] = {
    {MPI_INT, C_SIGNED},
    {MPI_LONG, C_SIGNED},
    {MPI_SHORT, C_SIGNED},
    {MPI_UNSIGNED_SHORT, C_UNSIGNED},
    {MPI_UNSIGNED, C_UNSIGNED},
    {MPI_UNSIGNED_LONG, C_UNSIGNED},
    {MPI_LONG_LONG, C_SIGNED},
    {MPI_UNSIGNED_LONG_LONG, C_UNSIGNED},
    {MPI_SIGNED_CHAR, C_SIGNED},
    {MPI_UNSIGNED_CHAR, C_UNSIGNED},
    {MPI_INT8_T, C_SIGNED},
    {MPI_INT16_T, C_SIGNED},
    {MPI_INT32_T, C_SIGNED},
    {MPI_INT64_T, C_SIGNED},
    {MPI_UINT8_T, C_UNSIGNED},
    {MPI_UINT16_T, C_UNSIGNED},
    {MPI_UINT32_T, C_UNSIGNED},
    {MPI_UINT64_T, C_UNSIGNED},
    {MPI_INTEGER, FORTRAN_INTEGER},
    {MPI_INTEGER1, FORTRAN_INTEGER},
    {MPI_INTEGER2, FORTRAN_INTEGER},
    {MPI_INTEGER4, FORTRAN_INTEGER},
    {MPI_INTEGER8, FORTRAN_INTEGER},
    {MPI_FLOAT, FLOATING_POINT},
    {MPI_DOUBLE, FLOATING_POINT},
    {MPI_LONG_DOUBLE, FLOATING_POINT},
    {MPI_REAL, FLOATING_POINT},
    {MPI_DOUBLE_PRECISION, FLOATING_POINT},
    {MPI_REAL4, FLOATING_POINT},
    {MPI_REAL8, FLOATING_POINT},
    {MPI_LOGICAL, FORTRAN_LOGICAL},
    {MPI_C_BOOL, C_LOGICAL},
    {MPI_CXX_BOOL, C_LOGICAL},
    {MPI_COMPLEX, COMPLEX},
    {MPI_DOUBLE_COMPLEX, COMPLEX},
    {MPI_C_FLOAT_COMPLEX, COMPLEX},
    {MPI_C_DOUBLE_COMPLEX, COMPLEX},
    {MPI_C_LONG_DOUBLE_COMPLEX, COMPLEX},
    {MPI_COMPLEX8, COMPLEX},
    {MPI_COMPLEX16, COMPLEX},
    {MPI_CXX_FLOAT_COMPLEX, COMPLEX},
    {MPI_CXX_DOUBLE_COMPLEX, COMPLEX},
    {MPI_CXX_LONG_DOUBLE_COMPLEX, COMPLEX},
    {MPI_BYTE, BYTE},
    {MPI_AINT, MULTI_LANGUAGE},
    {MPI_OFFSET, MULTI_LANGUAGE},
    {MPI_COUNT, MULTI_LANGUAGE},
    {MPI_2INT, PAIR},
    {MPI_SHORT_INT, PAIR},
    {MPI_LONG_INT, PAIR},
    {MPI_FLOAT_INT, PAIR},
    {MPI_DOUBLE_INT, PAIR},
    {MPI_LONG_DOUBLE_INT, PAIR},
    {MPI_2INTEGER, PAIR},
    {MPI_2REAL, PAIR},
    {MPI_2DOUBLE_PRECISION, PAIR},
};

enum {
    OPS = sizeof predefined_ops / sizeof predefined_ops[0],
    TYPES = sizeof predefined_types / sizeof predefined_types[0]
};

static size_t find_op(MPI_Op op)
{
    size_t i = 0;
    while (i < OPS && predefined_ops[i].op != op)
        i++;
    return i;
}

bool ct_is_predefined_op(MPI_Op op)
{
    return find_op(op) < OPS;
}

static unsigned group_of_type(MPI_Datatype type)
{
    size_t i = 0;
    while (i < TYPES && predefined_types[i].type != type)
        i++;
    return i < TYPES ? predefined_types[i].group : 0;
}

bool ct_op_takes(MPI_Op op, MPI_Datatype type)
{
    size_t i = find_op(op);
    return i < OPS && (predefined_ops[i].groups & group_of_type(type)) != 0;
}

enum ct_number ct_number_of(MPI_Datatype type)
{
    static const struct {
        unsigned groups;
        enum ct_number number;
    } numbers[] = {{C_SIGNED | FORTRAN_INTEGER, CT_NUMBER_SIGNED},
                   {C_UNSIGNED | C_LOGICAL | BYTE, CT_NUMBER_UNSIGNED},
                   {FLOATING_POINT, CT_NUMBER_FLOATING},
                   {COMPLEX, CT_NUMBER_COMPLEX}};
    const unsigned group = group_of_type(type);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (group & numbers[i].groups)
            return numbers[i].number;
    return CT_NUMBER_OTHER;
}

bool ct_is_exact_reduction(MPI_Op op, MPI_Datatype type)
{
    return ct_is_predefined_op(op) && (group_of_type(type) & (INTEGER | LOGICAL | BYTE)) != 0;
}
