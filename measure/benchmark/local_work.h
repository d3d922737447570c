/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BENCHMARK_LOCAL_WORK_H
#define CT_MEASURE_BENCHMARK_LOCAL_WORK_H

#include "measure/benchmark/bench.h"
#include "measure/benchmark/point_rows.h"

/* Times reductions by every operation on every type, and copies, of several sizes on this rank alone, and
 * writes their rows. */
void ct_measure_local_work(const struct ct_bench *bench, const struct ct_point_rows *rows);

#endif
