/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_RUN_FOLDER_H
#define CT_SAMPLES_RUN_FOLDER_H

#include "base/progress.h"
#include "samples/run.h"

/* A run on disk: a folder with run.xml, which describes machine and conditions, and samples.csv, which holds
 * one timed repetition per line. runs/FORMAT.md describes both formats; run.rng is the schema of run.xml. */

/* Is there a run, as far as the names of files tell? CT_OK; CT_E_INPUT with a line in `error`; CT_E_MEMORY.
 */
int ct_run_check(const char *folder, struct ct_error *error);

/* Reads a run. `resuming` allows a torn end, that is rows without a commit row or half a line: it is left out
 * and counted in `dropped`. Otherwise that is CT_E_INPUT like any other flaw, with file, line and what was
 * expected. CT_E_SYSTEM, CT_E_MEMORY. Caller frees with ct_run_free(). */
int ct_run_read(const char *folder, bool resuming, struct ct_error *error, struct ct_run *ret_run);
/* The same; `watch` is told how far it is read. */
int ct_run_read_watched(const char *folder, bool resuming, const struct ct_watch *watch,
                        struct ct_error *error, struct ct_run *ret_run);

/* Makes the folder with run.xml and a samples.csv that holds only the header line; whole or not at all.
 * Strings of the description may be NULL. CT_E_INPUT if the folder exists, or if ct_run_read() would refuse
 * the description; CT_E_SYSTEM, CT_E_MEMORY. */
int ct_run_create(const char *folder, const struct ct_run_description *description, struct ct_error *error);

/* The same with all of the run's samples, and with a commit row after each of its cells, which are sorted as
 * ct_run_read() leaves them. Samples of a cell keep their order. CT_E_INPUT also if a sample lies in none of
 * the cells, or if a reader would refuse it on its own. */
int ct_run_write(const char *folder, const struct ct_run *run, struct ct_error *error);

/* Replaces the sweep's state in run.xml of an existing run, whole or not at all. CT_OK; CT_E_INPUT or
 * CT_E_SYSTEM with a line in `error`; CT_E_MEMORY. */
int ct_run_set_sweep(const char *folder, const struct ct_sweep_state *state, struct ct_error *error);

#endif
