/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/operand_types.h"
#include "measure/benchmark/program.h"

/* The datatypes and operations of measure/data_type.h and measure/operation.h for MPI. */

/* --- datatypes --- */

static int make_vector(MPI_Datatype *ret_type)
{
    return MPI_Type_vector(2, 1, 2, MPI_FLOAT, ret_type);
}

static int make_indexed(MPI_Datatype *ret_type)
{
    const int lengths[] = {3, 1, 4}, places[] = {0, 5, 8};
    return MPI_Type_indexed(3, lengths, places, MPI_BYTE, ret_type);
}

/* Where there is no function the type is MPI's own. */
static const struct {
    int (*make)(MPI_Datatype *ret_type);
    MPI_Datatype type;
} types[CT_DATA_TYPES] = {
    [CT_DATA_BYTE] = {NULL, MPI_BYTE},
    [CT_DATA_INT] = {NULL, MPI_INT},
    [CT_DATA_DOUBLE] = {NULL, MPI_DOUBLE},
    [CT_DATA_VECTOR] = {make_vector, MPI_DATATYPE_NULL},
    [CT_DATA_INDEXED] = {make_indexed, MPI_DATATYPE_NULL},
};

MPI_Datatype ct_bench_type_make(enum ct_data_type type)
{
    MPI_Datatype made;
    if (!types[type].make)
        return types[type].type;
    ct_bench_check(types[type].make(&made), ct_data_types[type].name);
    ct_bench_check(MPI_Type_commit(&made), "MPI_Type_commit");
    return made;
}

void ct_bench_type_free(enum ct_data_type type, MPI_Datatype *made)
{
    if (types[type].make)
        MPI_Type_free(made);
}

/* --- operations --- */

/* Numbers of MPI's own types. */
static void combine_numbers(enum ct_operation operation, const void *in, void *inout, int count,
                            MPI_Datatype type)
{
    double (*const apply)(double left, double right) = ct_operations[operation].combine;
    const int *left_ints = in;
    const double *left = in;
    int *ints = inout;
    double *values = inout;
    if (type == MPI_INT)
        for (int i = 0; i < count; i++)
            ints[i] = (int)(unsigned)(long long)apply(left_ints[i], ints[i]);
    else
        for (int i = 0; i < count; i++)
            values[i] = apply(left[i], values[i]);
}

/* Elements of a derived type. */
static void combine_elements(enum ct_operation operation, enum ct_data_type type, const void *in, void *inout,
                             int count)
{
    const size_t extent = ct_data_types[type].extent;
    const unsigned char *left = in;
    unsigned char *right = inout;
    for (int i = 0; i < count; i++, left += extent, right += extent)
        ct_data_type_set_number(type,
                                ct_operations[operation].combine(ct_data_type_number(type, left),
                                                                 ct_data_type_number(type, right)),
                                right);
}

/* MPI tells a function no more than the type's handle, which may be a copy: there is one for each layout. */
#define FUNCTIONS(name, operation)                                                                           \
    static void name(void *in, void *inout, int *count, MPI_Datatype *type)                                  \
    {                                                                                                        \
        combine_numbers(operation, in, inout, *count, *type);                                                \
    }                                                                                                        \
    static void name##_of_vectors(void *in, void *inout, int *count, MPI_Datatype *type)                     \
    {                                                                                                        \
        (void)type;                                                                                          \
        combine_elements(operation, CT_DATA_VECTOR, in, inout, *count);                                      \
    }                                                                                                        \
    static void name##_of_indexed(void *in, void *inout, int *count, MPI_Datatype *type)                     \
    {                                                                                                        \
        (void)type;                                                                                          \
        combine_elements(operation, CT_DATA_INDEXED, in, inout, *count);                                     \
    }

FUNCTIONS(sum_by_user, CT_OPERATION_USER)
FUNCTIONS(follow_by_user, CT_OPERATION_ORDERED)

static const struct {
    MPI_User_function *apply; /* NULL: the operation is MPI's own */
    MPI_User_function *of_vectors;
    MPI_User_function *of_indexed;
    MPI_Op op;
} ops[CT_OPERATIONS] = {
    [CT_OPERATION_SUM] = {.op = MPI_SUM},
    [CT_OPERATION_PROD] = {.op = MPI_PROD},
    [CT_OPERATION_MAX] = {.op = MPI_MAX},
    [CT_OPERATION_USER] = {sum_by_user, sum_by_user_of_vectors, sum_by_user_of_indexed, MPI_OP_NULL},
    [CT_OPERATION_ORDERED] = {follow_by_user, follow_by_user_of_vectors, follow_by_user_of_indexed,
                              MPI_OP_NULL},
};

MPI_Op ct_bench_op_make(enum ct_operation operation, enum ct_data_type type)
{
    MPI_User_function *apply = type == CT_DATA_VECTOR    ? ops[operation].of_vectors
                               : type == CT_DATA_INDEXED ? ops[operation].of_indexed
                                                         : ops[operation].apply;
    MPI_Op op;
    if (!apply)
        return ops[operation].op;
    ct_bench_check(MPI_Op_create(apply, ct_operations[operation].commutes, &op), "MPI_Op_create");
    return op;
}

void ct_bench_op_free(enum ct_operation operation, MPI_Op *op)
{
    if (ops[operation].apply)
        MPI_Op_free(op);
}
