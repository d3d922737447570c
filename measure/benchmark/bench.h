/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BENCHMARK_BENCH_H
#define CT_MEASURE_BENCHMARK_BENCH_H

#include "algorithms/method.h"
#include "library/mpi/wait_policy.h"
#include "measure/clock.h"
#include "measure/job.h"
#include "measure/window.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The benchmark program, which needs only MPI and libc. One start of it measures the cells of a job on
 * communicators of the first p ranks. It is linked with the tuned library, so that all methods, native too,
 * are timed on the way that applications take: a call of the MPI function while the method is in force.
 * Native collectives serve to set up; starting repetitions and agreeing on times goes through our own plans.
 */

/* The first `size` ranks. */
struct ct_bench_group {
    size_t size;
    MPI_Comm comm; /* carries the channel's messages and the calls that are measured, which never meet */
    struct ct_channel *channel;
    enum ct_wait_policy policy;
    size_t nodes; /* that these ranks are on */
    size_t ppn;   /* of them on the fullest node */
};

/* The clock that a rank reads. */
struct ct_bench_clock {
    double (*read)(void *context); /* seconds */
    void *context;
    uint64_t identity; /* equal where ranks read one clock */
};

/* The last check of the links between nodes; see links.h. */
struct ct_bench_links {
    size_t ranks;   /* of the group that was checked; 0: none was */
    double at;      /* by ct_bench_now() */
    double seconds; /* that it took to pass the blocks around */
};

/* The tree of ranks that make one clock of several; see common_clock.h. */
struct ct_bench_clocks;

struct ct_bench {
    struct ct_job job;
    int rank;
    int size;
    struct ct_bench_clock clock;
    double epoch; /* subtracted from the clock, the same on all ranks */
    double begun; /* when measuring began, by ct_bench_now() */
    bool common_clock;
    struct ct_clock_model model;    /* from this rank's clock to the common one; all 0 where they are one */
    struct ct_bench_clocks *clocks; /* NULL where all ranks share one, or the job needs no common one */
    size_t clock_count;             /* clocks that the common one is made of */
    struct ct_window window;        /* of starts at a time agreed on */
    struct ct_bench_group
        *groups; /* of the job's communicator sizes that this rank is in, falling; all ranks first */
    size_t group_count;
    struct ct_method barrier;
    struct ct_method agreement;
    struct ct_method fan_in;
    struct ct_method fan_out;
    struct ct_method around; /* passes blocks from each rank to the next one */
    struct ct_bench_links links;
    int *node_of;               /* by rank of the job */
    int yield_from;             /* ranks yield while they wait where a node has so many of them; 0: nowhere */
    struct ct_job_state *state; /* rank 0: shared with the supervisor; else its own */
    bool state_remote;          /* the supervisor may be on another host: the state needs writing out */
    int results;                /* rank 0: file descriptor */
};

/* Are calls in flight beside a computation? (docs/overlap.md) */
static inline bool ct_bench_overlaps(const struct ct_bench *bench)
{
    return bench->job.mode != CT_MODE_BLOCKING;
}

#endif
