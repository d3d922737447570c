/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BENCHMARK_COMMON_CLOCK_H
#define CT_MEASURE_BENCHMARK_COMMON_CLOCK_H

#include "measure/benchmark/bench.h"

/* Makes the common clock where the job wants one and the ranks do not share one. Collective over all ranks.
 */
void ct_bench_make_clocks(struct ct_bench *bench);
void ct_bench_free_clocks(struct ct_bench *bench);

/* How well the common clock has held. */
struct ct_bench_skew {
    double seconds; /* the most that any rank was off */
    double bound;   /* how wrong that number can be */
    int jumped;     /* the rank whose clock jumped furthest; -1: none did */
};

/* Checks and corrects the common clock, and makes the group's clock again if one jumped; the result is the
 * same on all ranks of the group, which all call it. If ranks share a clock, there is nothing to check. */
struct ct_bench_skew ct_bench_check_clocks(struct ct_bench *bench, const struct ct_bench_group *group);

/* Reports a jump, after which the cell is measured again; `before` is how often it was already. False if
 * there was none; ends the job if there were too many. */
bool ct_bench_tell_jump(const struct ct_bench *bench, const struct ct_bench_skew *skew, size_t before);

#endif
