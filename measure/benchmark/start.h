/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BENCHMARK_START_H
#define CT_MEASURE_BENCHMARK_START_H

#include "measure/benchmark/bench.h"

/* How repetitions start, and how long they take. */

/* All ranks of the group start together, in two steps. When rank 0 leaves the first one, all ranks have left
 * the call before; no rank leaves the second one before rank 0 has entered it. So what rank 0 does in between
 * happens between the calls for all ranks. Returns a number for the second step. */
double ct_bench_gather(const struct ct_bench *bench, const struct ct_bench_group *group);
/* After a barrier of our own, or at an agreed time. Returns true if this rank was too late for that time. */
bool ct_bench_release(const struct ct_bench *bench, const struct ct_bench_group *group, double gathered);
/* Can ct_bench_release() return true? */
bool ct_bench_can_be_late(const struct ct_bench *bench);
/* All ranks of the group come together for a cell, asleep until then if they were `idle`, since they may have
 * to wait long. */
void ct_bench_meet(const struct ct_bench *bench, const struct ct_bench_group *group, bool idle);
/* After a call. In the simulator a rank that has left it early sleeps, at no cost, so that the messages of
 * the next synchronization do not disturb the other ranks. */
void ct_bench_rest(void);

/* What a rank contributes to the time of a call that it made from `begin` to `end`, by its ct_bench_now():
 * two numbers, whose maxima over the ranks ct_bench_seconds() takes. The time is from the first begin to the
 * last end on a common clock; otherwise the slowest rank's. */
void ct_bench_span(const struct ct_bench *bench, double begin, double end, double *ret_end,
                   double *ret_minus_begin);
double ct_bench_seconds(double end, double minus_begin);

/* Tells the supervisor which call is next, by cell and method (CT_JOB_NONE: none). Only rank 0 calls it,
 * after all ranks have left the previous call and before any can enter the next, so that a crash or a hang is
 * attributed to the right one. */
void ct_bench_tell(const struct ct_bench *bench, uint64_t cell, uint64_t method);

#endif
