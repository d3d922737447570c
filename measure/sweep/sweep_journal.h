/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_SWEEP_JOURNAL_H
#define CT_MEASURE_SWEEP_SWEEP_JOURNAL_H

#include "base/progress.h"
#include "measure/sweep/making_conditions.h"
#include "measure/sweep/sweep_grid.h"
#include "measure/sweep/sweep_links.h"
#include "samples/samples_csv_write.h"

/* What a sweep records: the run with its rows, commit rows and state, and the notices for the user. */

struct ct_sweep_journal {
    const struct ct_watch *watch;
    struct ct_sweep_conditions *conditions; /* its description is completed when jobs report */
    struct ct_sweep_grid *grid;
    char *folder; /* of the run, without slashes at its end */
    bool begun;   /* the run exists */
    struct ct_sample_writer writer;
    struct ct_sweep_links links;
    int *node_of; /* by rank of the largest job so far: equal where ranks share a node */
    size_t rank_count;
    size_t samples; /* good ones added */
    size_t failed;  /* methods that crashed, hung or were wrong in a cell, added */
};

/* `run` is the run to be resumed: its cells are marked as done, and a cell that was in flight is dropped; or
 * NULL. CT_OK; CT_E_INPUT, CT_E_SYSTEM with a line in `error`; CT_E_MEMORY. Close it also on failure. */
int ct_sweep_journal_open(const char *folder, const struct ct_run *run, const struct ct_watch *watch,
                          struct ct_sweep_conditions *conditions, struct ct_sweep_grid *grid,
                          struct ct_error *error, struct ct_sweep_journal *journal);
/* Writes the sweep's state and closes the files. CT_OK; CT_E_INPUT, CT_E_SYSTEM; CT_E_MEMORY. */
int ct_sweep_journal_close(struct ct_sweep_journal *journal, struct ct_error *error);

/* A job is up, and measures the time "global" or "local". Makes the run when the first one is: a launcher
 * that fails leaves nothing behind. CT_E_INPUT if the run has the other time. */
int ct_sweep_journal_begin(struct ct_sweep_journal *journal, const char *time, struct ct_error *error);

/* Takes the node labels of a job's ranks, which become the journal's. Refuses more ranks on a node than the
 * user asked for with CT_E_SYSTEM. */
int ct_sweep_journal_take_nodes(struct ct_sweep_journal *journal, int *node_of, size_t rank_count,
                                struct ct_error *error);

/* A row: a sample of a method (index in the description) in a cell. Errors as above. */
int ct_sweep_journal_add(struct ct_sweep_journal *journal, const struct ct_sweep_cell *cell, size_t method,
                         const struct ct_sample *sample, struct ct_error *error);
/* Adds rows for the methods that failed in the cell, and the commit row. `sample` says which cell it is. */
int ct_sweep_journal_close_cell(struct ct_sweep_journal *journal, struct ct_sweep_cell *cell,
                                struct ct_sample *sample, struct ct_error *error);
/* Closes the cells of a batch in which all methods have failed or been given up. *ret_left: is any wanted
 * cell of the batch left to measure? */
int ct_sweep_journal_close_exhausted(struct ct_sweep_journal *journal, const struct ct_sweep_batch *batch,
                                     struct ct_error *error, bool *ret_left);

#endif
