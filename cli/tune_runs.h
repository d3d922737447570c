/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_TUNE_RUNS_H
#define CT_CLI_TUNE_RUNS_H

#include "measure/sweep/sweep_grid.h"
#include "plan/call_mode.h"
#include "report/validation.h"

/* The runs of a tuning. Calls of one mode are measured into FOLDER/run. Calls of several modes are measured
 * into FOLDER/run.MODE each, and FOLDER/run holds them all as one run. */

struct ct_tune_runs {
    const char *folder;
    unsigned modes; /* a bit 1 << MODE for each, of at least one */
};

bool ct_tune_runs_has(const struct ct_tune_runs *runs, enum ct_call_mode mode);

/* The folder that calls of the mode are measured into. The caller frees it; NULL if there is no memory. */
char *ct_tune_runs_path(const struct ct_tune_runs *runs, enum ct_call_mode mode);

/* Gives the runs that are there already their names: a run of one mode, which is continued with further
 * modes, becomes that of its mode. CT_OK; CT_E_INPUT with a line where the folder holds runs of several
 * modes, and one is asked for; CT_E_SYSTEM, CT_E_MEMORY. */
int ct_tune_runs_begin(const struct ct_tune_runs *runs, struct ct_error *error);

/* Is there a run of each mode? */
bool ct_tune_runs_are_there(const struct ct_tune_runs *runs);

/* Makes FOLDER/run again from the runs of several modes; does nothing where there is one mode, or a run is
 * missing. CT_OK; CT_E_INPUT, CT_E_SYSTEM with a line; CT_E_MEMORY. */
int ct_tune_runs_join(const struct ct_tune_runs *runs, struct ct_error *error);
/* Prints to standard error the command that joins the runs, if there are several. */
void ct_tune_runs_show(const struct ct_tune_runs *runs);

/* How many cells the sweeps of all modes have, and have measured: *ret_counts has these two numbers alone.
 * `simulated`: times are exact. CT_OK; CT_E_INPUT, CT_E_SYSTEM with a line; CT_E_MEMORY. */
int ct_tune_runs_cells(const struct ct_tune_runs *runs, bool simulated, struct ct_error *error,
                       struct ct_sweep_grid *ret_counts);

/* By mode, how many cells of its run should be measured again because of a validation of these modes
 * (cli/doubtful.h). Errors likewise. */
int ct_tune_runs_doubtful(const struct ct_tune_runs *runs, const struct ct_validation *validation,
                          bool simulated, struct ct_error *error, size_t ret_again[CT_MODES]);

/* Reads the run that decisions are learned from. CT_OK, or an error code with a line. Caller frees. */
int ct_tune_runs_read(const char *folder, struct ct_error *error, struct ct_run *ret_run);

#endif
