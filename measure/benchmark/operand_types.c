/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/benchmark.h"

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

static void combine(enum ct_operation operation, const void *in, void *inout, int count, MPI_Datatype type)
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

static void sum_by_user(void *in, void *inout, int *count, MPI_Datatype *type)
{
    combine(CT_OPERATION_USER, in, inout, *count, *type);
}

static void follow_by_user(void *in, void *inout, int *count, MPI_Datatype *type)
{
    combine(CT_OPERATION_ORDERED, in, inout, *count, *type);
}

static const struct {
    MPI_User_function *apply; /* NULL: the operation is MPI's own */
    MPI_Op op;
} ops[CT_OPERATIONS] = {
    [CT_OPERATION_SUM] = {NULL, MPI_SUM},
    [CT_OPERATION_PROD] = {NULL, MPI_PROD},
    [CT_OPERATION_MAX] = {NULL, MPI_MAX},
    [CT_OPERATION_USER] = {sum_by_user, MPI_OP_NULL},
    [CT_OPERATION_ORDERED] = {follow_by_user, MPI_OP_NULL},
};

MPI_Op ct_bench_op_make(enum ct_operation operation)
{
    MPI_Op op;
    if (!ops[operation].apply)
        return ops[operation].op;
    ct_bench_check(MPI_Op_create(ops[operation].apply, ct_operations[operation].commutes, &op),
                   "MPI_Op_create");
    return op;
}

void ct_bench_op_free(enum ct_operation operation, MPI_Op *op)
{
    if (ops[operation].apply)
        MPI_Op_free(op);
}
