/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BENCHMARK_CHARGED_OPERATION_H
#define CT_MEASURE_BENCHMARK_CHARGED_OPERATION_H

#include <mpi.h>
#include <stdbool.h>

/* The simulator's own collectives reduce in no time, ours at the platform's rate. So that the two can be
 * compared, native calls get an operation that is charged as ours are. */

/* An operation that does what `op` does, which lives as long, and is charged. Where time is real it is `op`
 * itself, and freeing does nothing. There is one at a time. */
MPI_Op ct_bench_charged_op_make(MPI_Op op, bool commutes);
void ct_bench_charged_op_free(MPI_Op *charged);

#endif
