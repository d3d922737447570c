/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BENCHMARK_JOB_FILES_H
#define CT_MEASURE_BENCHMARK_JOB_FILES_H

#include "measure/benchmark/bench.h"

/* The beginning and the end of programs that are given a job: the files that they share with the supervisor,
 * as measure/job.h describes them. */

/* The mode of the job's calls, from the arguments of a program: the job file and, unless it is blocking, the
 * mode. Sets COLLTUNE_NONBLOCKING where the mode needs it, which the library wants to know before MPI_Init.
 * CT_MODES where the arguments are wrong. */
enum ct_call_mode ct_bench_mode(int argc, char **argv);

/* The beginning of a program with these arguments, after MPI_Init: reads the job, makes groups and clocks,
 * and reports the start. `mode` is what ct_bench_mode() has returned; ends the job where it is not that of
 * the job. False, with nothing left to free, if the launcher gave too few ranks. Collective over all ranks.
 */
bool ct_bench_begin(struct ct_bench *bench, char **argv, enum ct_call_mode mode);
/* All ranks wait for each other, asleep; reports the end and frees everything. Collective over all ranks. */
void ct_bench_end(struct ct_bench *bench);

#endif
