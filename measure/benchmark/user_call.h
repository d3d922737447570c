/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BENCHMARK_USER_CALL_H
#define CT_MEASURE_BENCHMARK_USER_CALL_H

#include "library/execute/operands.h"

/* One call as an application makes it: by the MPI function, which the library takes over. Returns its MPI
 * error code. */
int ct_bench_user_call(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm);

#endif
