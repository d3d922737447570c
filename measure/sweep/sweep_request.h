/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_SWEEP_REQUEST_H
#define CT_MEASURE_SWEEP_SWEEP_REQUEST_H

#include "algorithms/method.h"
#include "measure/backend/job_place.h"
#include "plan/cell_key.h"
#include "plan/overlap.h"

#include <stdbool.h>
#include <stddef.h>

/* What a user asks of a sweep. */

/* The usual message sizes. */
#define CT_SWEEP_MSG_SIZES "8-4M*2,24-3M*2"

/* The usual number of tests while a rank computes, also as users write it. */
#define CT_SWEEP_TESTS          8
#define CT_SWEEP_TEXT_OF(value) #value
#define CT_SWEEP_SPELL(value)   CT_SWEEP_TEXT_OF(value)
#define CT_SWEEP_TESTS_TEXT     CT_SWEEP_SPELL(CT_SWEEP_TESTS)

enum ct_sweep_cells {
    CT_SWEEP_CELLS_USUAL, /* guided if the budget is too small for all cells */
    CT_SWEEP_CELLS_GUIDED,
    CT_SWEEP_CELLS_EXHAUSTIVE
};

/* What a validation found at a point. */
struct ct_sweep_point {
    enum ct_collective collective;
    struct ct_cell_key key;  /* comm_size, msg_bytes and mode: that of the run */
    struct ct_method method; /* that the tuned library chose */
    double tuned;            /* seconds: medians */
    double native;
    struct ct_overlap tuned_overlap; /* medians; all 0 where calls are blocking */
    struct ct_overlap native_overlap;
    bool again; /* measure this cell again */
};

/* NULL and 0 stand for the default. */
struct ct_sweep_request {
    const char *folder;
    struct ct_place_request place;
    const char *collectives; /* names */
    const char *ppn;         /* list of ranks on each node; place.ppn is not set */
    const char *nodes;       /* list of numbers of nodes, instead of comm_sizes */
    const char *comm_sizes;  /* lists of sizes */
    const char *msg_sizes;
    const char *patterns; /* of sparse collectives: texts of plan/pattern.h */
    const char *methods;  /* see measure/sweep/method_list.h */
    const char *sync;     /* how repetitions start: a name of measure/sync.def */
    int mode;             /* enum ct_call_mode, as `has_mode` says; else that of the run to be resumed, or
                             blocking */
    bool has_mode;
    double compute; /* seconds of computation beside a call that is not blocking */
    size_t tests;   /* calls of MPI_Test meanwhile */
    bool has_tests;
    int datatype; /* enum ct_data_type, as `has_datatype` says; else that of the run to be resumed, or byte */
    bool has_datatype;
    int operation; /* enum ct_operation, likewise; usually the sum */
    bool has_operation;
    const char *roots;   /* list; those below a communicator's size are measured there */
    const char *program; /* benchmark program that is compiled already */
    bool side_by_side; /* jobs run side by side, each on nodes of its own; wants place.hostfile and one ppn */
    const char *switches; /* with side_by_side: file that tells which nodes are close */
    bool oversubscribe;   /* start more than 16 ranks on each CPU of this machine */
    size_t launches;
    double budget;    /* seconds for the whole sweep (or for the points), which are kept; by default 10
                         minutes, which an exhaustive sweep may exceed */
    double precision; /* fraction: relative error of the median to reach */
    double timeout;   /* seconds without a sign of life after which a method hangs */
    size_t most_repetitions;
    size_t seed;
    bool has_seed;
    enum ct_sweep_cells cells;
    const char
        *prior; /* guided: a run whose measured or predicted times say which methods not to try first */
    const char *profile_cells; /* measure these cells alone (measure/sweep/profile_cells.h); the lists above
                                  hold their collectives and sizes */
    bool no_racing;            /* slow methods get as many repetitions as fast ones */
    const struct ct_sweep_point *points; /* of a validation: with `resume`, measure those that want it again
                                            in a job launch of their own, and nothing else */
    size_t point_count;
    bool resume; /* continue the run; options given again must be as they were */
};

#endif
