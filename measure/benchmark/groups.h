/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BENCHMARK_GROUPS_H
#define CT_MEASURE_BENCHMARK_GROUPS_H

#include "library/execute/operands.h"
#include "measure/benchmark/bench.h"

/* The ranks: their communicators, nodes and speeds. */

/* The methods that start repetitions, agree on times and check links. */
void ct_bench_find_methods(struct ct_bench *bench);

/* Makes the groups of all communicator sizes of the job, and finds clock and nodes. Collective over all
 * ranks. */
void ct_bench_make_groups(struct ct_bench *bench);
void ct_bench_free_groups(struct ct_bench *bench);
const struct ct_bench_group *ct_bench_find_group(const struct ct_bench *bench, size_t size);

/* All ranks do the same work; rank 0 gets the ratio of the slowest rank's time, that of *ret_rank, to the
 * median. All ranks call it. */
double ct_bench_slowest(const struct ct_bench *bench, int *ret_rank);

/* One call of a plan that serves to measure others, on the group's own channel. */
void ct_bench_run(const struct ct_bench_group *group, const struct ct_method *method,
                  const struct ct_operands *operands);

#endif
