/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BENCHMARK_OPERAND_TYPES_H
#define CT_MEASURE_BENCHMARK_OPERAND_TYPES_H

#include "measure/data_type.h"
#include "measure/operation.h"

#include <mpi.h>

/* The MPI datatype; ct_bench_type_free() frees it. */
MPI_Datatype ct_bench_type_make(enum ct_data_type type);
void ct_bench_type_free(enum ct_data_type type, MPI_Datatype *made);
/* The MPI operation; ct_bench_op_free() frees it. */
MPI_Op ct_bench_op_make(enum ct_operation operation, enum ct_data_type type);
void ct_bench_op_free(enum ct_operation operation, MPI_Op *op);

#endif
