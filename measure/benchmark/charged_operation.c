/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/charged_operation.h"
#include "library/mpi/backend_mpi.h"
#include "measure/benchmark/program.h"

#if CT_SIMULATED

/* What is charged. MPI hands a function no context. */
static MPI_Op inner = MPI_OP_NULL;

static void combine(void *in, void *inout, int *count, MPI_Datatype *type)
{
    int bytes;
    PMPI_Type_size(*type, &bytes);
    PMPI_Reduce_local(in, inout, *count, *type, inner);
    ct_charge_reduce((size_t)*count * (size_t)bytes);
}

MPI_Op ct_bench_charged_op_make(MPI_Op op, bool commutes)
{
    MPI_Op charged;
    inner = op;
    ct_bench_check(MPI_Op_create(combine, commutes, &charged), "MPI_Op_create");
    return charged;
}

void ct_bench_charged_op_free(MPI_Op *charged)
{
    MPI_Op_free(charged);
}

#else

MPI_Op ct_bench_charged_op_make(MPI_Op op, bool commutes)
{
    (void)commutes;
    return op;
}

void ct_bench_charged_op_free(MPI_Op *charged)
{
    *charged = MPI_OP_NULL;
}

#endif
