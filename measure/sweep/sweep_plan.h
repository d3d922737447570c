/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_SWEEP_PLAN_H
#define CT_MEASURE_SWEEP_SWEEP_PLAN_H

#include "measure/sweep/sweep_grid.h"
#include "measure/sweep/sweep_request.h"

/* What a sweep would do with one number of ranks on each node. */
struct ct_sweep_plan_part {
    size_t ppn;
    size_t most_nodes;
    size_t cells;
    size_t slots;
};

/* Parts beyond these are counted as the last. */
enum { CT_SWEEP_PLAN_PARTS = 16 };

/* What a sweep would do. */
struct ct_sweep_plan {
    size_t cells;    /* to be measured; guided: from which some are chosen */
    size_t launches; /* that measure them */
    size_t slots;    /* methods in them, in all launches */
    size_t jobs;
    size_t ranks;     /* of the largest job */
    size_t nodes;     /* of jobs that run side by side; 0: they do not */
    double at_a_time; /* jobs that run at a time, on average */
    struct ct_sweep_plan_part
        parts[CT_SWEEP_PLAN_PARTS]; /* where there are several numbers of ranks on a node */
    size_t part_count;
    bool is_guided;
    double seconds; /* that it takes at most, without compiling and the starts of jobs; 0: not known, since it
                       is simulated */
};

/* Finds it out; nothing is compiled, started or written. Errors as of ct_sweep(). */
int ct_sweep_plan_make(const struct ct_sweep_request *request, struct ct_error *error,
                       struct ct_sweep_plan *ret_plan);

#endif
