/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BENCHMARK_WATCH_H
#define CT_MEASURE_BENCHMARK_WATCH_H

#include "measure/benchmark/bench.h"

/* Starts a thread that ends this process when the supervisor is gone. */
void ct_bench_watch(const struct ct_bench *bench);
/* Checks it once, if there can be no thread. */
void ct_bench_watch_once(const struct ct_bench *bench);

#endif
