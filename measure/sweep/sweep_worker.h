/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_SWEEP_WORKER_H
#define CT_MEASURE_SWEEP_SWEEP_WORKER_H

#include "measure/sweep/sweep_journal.h"
#include "measure/sweep/watched_job.h"

/* Starts, follows and ends the jobs that measure one batch after another, one at a time, and finds out which
 * method a job failed in. Results go into the journal as they come in, a cell at a time. */
struct ct_sweep_worker {
    struct ct_sweep_journal *journal;   /* with conditions and grid */
    const struct ct_sweep_batch *batch; /* NULL: nothing to do */
    struct ct_watched_job job;
    char *hosts;    /* file of the hosts of jobs that run side by side */
    double startup; /* seconds that the last job took to come up; 0 before the first */
    bool started;   /* the program has reported its start */
    bool finished;  /* and its end */
    struct ct_link_cells link_cells;
    size_t blanks; /* failures in a row that cannot be attributed to a method */
};

/* `folder`: for files of jobs; `number` tells workers apart. CT_OK or CT_E_MEMORY. */
int ct_sweep_worker_open(struct ct_sweep_journal *journal, const char *folder, size_t number,
                         struct ct_sweep_worker *ret_worker);
/* Ends the job, too. */
void ct_sweep_worker_close(struct ct_sweep_worker *worker);

/* Starts a job that measures what is left of the worker's batch within `budget` seconds (0: no limit). CT_OK;
 * CT_E_INPUT, CT_E_SYSTEM with a line in `error`; CT_E_MEMORY. */
int ct_sweep_worker_start(struct ct_sweep_worker *worker, double budget, struct ct_error *error);

/* Takes the results so far and checks whether the job still runs. If it crashed or hangs, its method is
 * blamed; a second failure in a row that no method can be blamed for is an error. `lost` seconds passed since
 * the last look. CT_OK, or an error as above. */
int ct_sweep_worker_follow(struct ct_sweep_worker *worker, double lost, struct ct_error *error,
                           bool *ret_ended);

/* Tells the ranks that the supervisor is alive; `time` is any number that changes. */
void ct_sweep_worker_say_alive(const struct ct_sweep_worker *worker, double time);

#endif
