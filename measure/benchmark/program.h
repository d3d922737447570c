/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BENCHMARK_PROGRAM_H
#define CT_MEASURE_BENCHMARK_PROGRAM_H

#include "measure/benchmark/bench.h"

/* What all MPI programs of measure/benchmark share: clock, errors and memory. */

/* This machine's monotonic clock; in the simulator its time. */
struct ct_bench_clock ct_bench_usual_clock(void);

/* Seconds, on the common clock where there is one. */
double ct_bench_now(const struct ct_bench *bench);

/* Measured seconds as they are reported: a nanosecond at least, since a clock may not have moved. */
static inline double ct_bench_positive(double seconds)
{
    return seconds > 1e-9 ? seconds : 1e-9;
}

/* Zeroed memory of at least one element, and for buffers zeroed whole pages; end the job if there is none.
 * Caller frees. */
void *ct_bench_allocate(size_t count, size_t size);
void *ct_bench_allocate_pages(size_t bytes);

/* Prints to standard error and ends the job. */
void ct_bench_abort(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* Ends the job where an MPI function failed. */
void ct_bench_check(int code, const char *what);

#endif
