/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BENCHMARK_CALL_BUFFERS_H
#define CT_MEASURE_BENCHMARK_CALL_BUFFERS_H

#include "library/execute/operands.h"
#include "measure/job.h"

/* Memory and arguments of the calls of a cell. */
struct ct_bench_call {
    enum ct_collective collective;
    int rank;
    int size;
    size_t mean;             /* elements of the mean block, or of the whole */
    enum ct_data_type asked; /* of the job */
    enum ct_data_type type;  /* of the cell: as ct_data_type_of() says */
    enum ct_operation operation;
    size_t sent;                          /* bytes that this rank sends, in a sparse collective */
    const struct ct_neighbors *neighbors; /* of a sparse collective, with lengths in bytes; else NULL */
    struct ct_operands operands;
    void *send; /* this and what follows: owned */
    void *recv;
    MPI_Datatype made[CT_DATA_TYPES];
    MPI_Op op;
    MPI_Op charged_op; /* the same, for native calls */
    int *counts[2];    /* of blocks that vary, by CT_BUFFER_SEND and CT_BUFFER_RECV */
    int *places[2];
    MPI_Datatype *types;
};

/* Allocates for the largest message of the job. */
void ct_bench_call_make(struct ct_bench_call *call, const struct ct_job *job);
void ct_bench_call_free(struct ct_bench_call *call);
/* Sets the arguments for a cell of a dense collective, as `rank`. */
void ct_bench_call_set(struct ct_bench_call *call, const struct ct_job_cell *cell, int rank);
/* The arguments as they are, or for a call that is native. */
struct ct_operands ct_bench_call_operands(const struct ct_bench_call *call, bool native);
/* Fills in this rank's input and wipes its result. */
void ct_bench_call_fill(struct ct_bench_call *call);
/* Writes this rank's input again as it is, a byte of each cache line, as applications write what they send. A
 * message that its sender has not written since the last call is still in the receiver's cache, and a copy
 * out of the sender's memory then takes half its time. */
void ct_bench_call_write(const struct ct_bench_call *call);
/* The same call, filled in, with memory of its own, which free_beside() frees. It is valid as long as `call`
 * is set like this. */
void ct_bench_call_make_beside(const struct ct_bench_call *call, struct ct_bench_call *ret_beside);
void ct_bench_call_free_beside(struct ct_bench_call *beside);
/* Is the result what the collective's definition says? */
bool ct_bench_call_right(const struct ct_bench_call *call);

#endif
