/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_SWEEP_JOBS_H
#define CT_MEASURE_SWEEP_SWEEP_JOBS_H

#include "measure/pace.h"
#include "measure/sweep/sweep_conditions.h"
#include "measure/sweep/sweep_journal.h"
#include "measure/sweep/sweep_worker.h"

/* The jobs of a sweep: which worker measures which batch of cells, on which nodes, and for how long. */
struct ct_sweep_jobs {
    struct ct_sweep_conditions *conditions;
    struct ct_sweep_grid *grid;
    struct ct_sweep_journal *journal;
    const struct ct_watch *watch;
    struct ct_pace pace;
    size_t to_come; /* slots that later rounds will want, approximately */
    bool grows;     /* other cells of the grid may be wanted later */
    bool is_alone;  /* no job runs beside another */
    bool over;      /* the budget is used up */
    /* The following are set here. */
    struct ct_sweep_worker *workers;
    size_t worker_count;
    size_t cells_all;  /* that are done or wanted, for progress */
    double weight_all; /* and their work */
    bool *is_begun;    /* by batch */
};

/* Makes the workers; files of jobs go into the folder. CT_OK or CT_E_MEMORY. */
int ct_sweep_jobs_open(struct ct_sweep_jobs *jobs, const char *folder);
void ct_sweep_jobs_close(struct ct_sweep_jobs *jobs);

/* Measures all wanted cells, or until the budget is used up. CT_OK, or an error with a line in
 * `error`. */
int ct_sweep_jobs_run(struct ct_sweep_jobs *jobs, struct ct_error *error);

/* CT_E_STOPPED, with a line in `error` that says how to continue. */
int ct_sweep_jobs_stopped(const struct ct_sweep_jobs *jobs, struct ct_error *error);

#endif
