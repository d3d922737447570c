/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BENCHMARK_TURNS_H
#define CT_MEASURE_BENCHMARK_TURNS_H

#include "measure/benchmark/bench.h"
#include "measure/benchmark/call_buffers.h"

/* Measures a cell that this rank takes part in; rank 0 appends its lines to the results. `idle`: this rank
 * took no part in the cell before and may have to wait long. `last`: the next cell, if any, is one of other
 * ranks. */
void ct_bench_measure(struct ct_bench *bench, const struct ct_job_cell *cell, struct ct_bench_call *call,
                      bool idle, bool last);

#endif
