/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_SWEEP_H
#define CT_MEASURE_SWEEP_SWEEP_H

#include "measure/sweep/sweep_journal.h"
#include "measure/sweep/sweep_request.h"

/* A sweep measures methods over a grid of communicator and message sizes into a run (samples/run.h).
 *
 * It starts the benchmark program under the launcher, or under the simulator, and supervises it. A method
 * that crashes the job, or does not come back in time, loses its cell: the cell's row says so, and the job is
 * started again with the rest. A method that has failed in three cells is given up: the remaining cells are
 * measured without it and have no rows for it.
 *
 * The modules: sweep_conditions (the request and what it leaves open), sweep_grid (cells and their order),
 * node_pool (the nodes of jobs that run side by side), sweep_worker (jobs), sweep_journal (the run),
 * sweep_guide (the rounds of a guided sweep), sweep_again (cells that are measured again), sweep_alone (do
 * jobs side by side disturb each other), sweep_plan (what a sweep would do). */

struct ct_sweep_summary {
    size_t cells;   /* in the run now; of those to measure again: done */
    size_t samples; /* good ones added */
    size_t failed;  /* methods that crashed, hung or were wrong in a cell, added */
    /* of the whole run: */
    size_t late;       /* repetitions lost because a rank came late to their start */
    size_t clocks;     /* that the common clock was made of; 0: none was made */
    double skew;       /* largest error of the common clock that was seen, in seconds */
    double skew_bound; /* and its uncertainty */
};

/* CT_OK; CT_E_INPUT, CT_E_SYSTEM with a line in `error`; CT_E_STOPPED, the run can be resumed. The run's
 * folder is made when the first job is up. */
int ct_sweep(const struct ct_sweep_request *request, const struct ct_watch *watch, struct ct_error *error,
             struct ct_sweep_summary *ret_summary);

#endif
