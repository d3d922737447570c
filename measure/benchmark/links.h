/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BENCHMARK_LINKS_H
#define CT_MEASURE_BENCHMARK_LINKS_H

#include "measure/benchmark/bench.h"

/* A link that grows slow in the middle of a sweep changes all times alike, and no cell shows it. Therefore
 * the ranks now and then pass blocks around, and the supervisor compares the times. */

/* All ranks of a group that spans nodes pass blocks around, unless they have just done so; rank 0 reports
 * how long it takes. `last`: no cell on this group follows, so they do it in any case. */
void ct_bench_check_links(struct ct_bench *bench, const struct ct_bench_group *group, bool last);

#endif
