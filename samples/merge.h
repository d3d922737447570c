/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_MERGE_H
#define CT_SAMPLES_MERGE_H

#include "samples/run.h"

/* Several runs as one. The job launches of each run are numbered after those of the runs before it, so that a
 * cell that several runs measured is one of several job launches. */

/* Joins runs in memory: samples, methods, words and cells belong to the joined run; folder and description
 * are those of the first run and stay its own. `left_out` is the index of a run to leave out, `count` for
 * none; at least one stays. Backend, launcher, time, sync and the properties machine.*, mpi.*, platform.*,
 * simulator.* and env.* must be equal in all, and what is computed beside calls in those whose calls are not
 * blocking. CT_OK; CT_E_INPUT with a line in `error` where they are not; CT_E_MEMORY, CT_E_LIMIT. Caller
 * frees with ct_run_join_free(). */
int ct_run_join(const struct ct_run *runs, size_t count, size_t left_out, struct ct_error *error,
                struct ct_run *ret_joined);
void ct_run_join_free(struct ct_run *joined);

/* Reads the runs, joins them, and writes them as one to a new folder. Properties that ct_run_join() does not
 * compare are kept if all runs agree, otherwise as `run.N.NAME`, with N counting the runs from 1. CT_OK;
 * CT_E_INPUT as it says, and if the folder exists; CT_E_SYSTEM; CT_E_MEMORY. */
int ct_run_merge(const char *folder, const char *const *runs, size_t count, struct ct_error *error,
                 size_t *ret_cells, size_t *ret_samples);

#endif
