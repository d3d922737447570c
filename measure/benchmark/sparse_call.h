/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BENCHMARK_SPARSE_CALL_H
#define CT_MEASURE_BENCHMARK_SPARSE_CALL_H

#include "measure/benchmark/bench.h"
#include "measure/benchmark/call_buffers.h"
#include "plan/neighbors.h"

/* Calls of sparse collectives. */

/* Arrays of a v or w form. */
struct ct_bench_arrays {
    int *counts;
    int *places;
    MPI_Aint *wide_places;
    MPI_Datatype *types;
};

/* A cell's communicator with its topology, and its calls. */
struct ct_bench_sparse {
    MPI_Comm comm;
    struct ct_channel *channel; /* the library's on it; NULL where the library passes calls on it on */
    struct ct_neighbors neighbors;
    int *ends;
    size_t *lengths;
    struct ct_bench_arrays arrays[2]; /* by CT_BUFFER_SEND and CT_BUFFER_RECV */
    struct ct_bench_call call;
};

/* Makes it, after a method was put in force, so that the library describes such calls. The result must stay
 * where it is. All ranks of the group call it. */
void ct_bench_sparse_open(const struct ct_bench *bench, const struct ct_bench_group *group,
                          const struct ct_job_cell *cell, struct ct_bench_sparse *ret_sparse);
void ct_bench_sparse_close(struct ct_bench_sparse *sparse);
/* Times the set-up of the routes of a method, the least of several. They are kept for its calls. `method` is
 * its number in the job. All ranks of the group call it and get the same seconds. */
double ct_bench_time_set_up(const struct ct_bench *bench, const struct ct_bench_group *group,
                            const struct ct_job_cell *cell, size_t method, struct ct_bench_sparse *sparse);
/* As ct_bench_user_call(), in the simulator, too. */
int ct_bench_sparse_call(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm);

#endif
