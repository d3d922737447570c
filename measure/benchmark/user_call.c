/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/user_call.h"

#define CT_SMALL(name, lower) MPI_##name
#define CT_LARGE(name, lower) MPI_##name##_c
#define CT_MORE

int ct_bench_user_call(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm)
{
#include "library/mpi/mpi_calls.def"
}
