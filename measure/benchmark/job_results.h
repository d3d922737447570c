/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BENCHMARK_JOB_RESULTS_H
#define CT_MEASURE_BENCHMARK_JOB_RESULTS_H

#include "base/text.h"
#include "measure/benchmark/bench.h"

/* Rank 0 appends the text to the results file. All ranks free it. */
void ct_bench_report(const struct ct_bench *bench, struct ct_text *text);

#endif
