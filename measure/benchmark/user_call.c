/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/benchmark.h"

#define CT_MPI(name) MPI_##name

int ct_bench_user_call(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm)
{
#include "library/mpi_calls.def"
}
