/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_TUNE_STEPS_H
#define CT_CLI_TUNE_STEPS_H

#include "cli/tune_runs.h"
#include "cli/tune_step.h"

#include <stdbool.h>
#include <stddef.h>

/* The steps of a tuning, in order. A step whose result is in the folder is not run again. */

/* Their numbers. Each mode of calls has a step of measuring: CT_TUNE_MEASURE + MODE. */
enum {
    CT_TUNE_PROFILE,
    CT_TUNE_MEASURE,
    CT_TUNE_LEARN = CT_TUNE_MEASURE + CT_MODES,
    CT_TUNE_SCORE,
    CT_TUNE_BUILD,
    CT_TUNE_VALIDATE,
    CT_TUNE_REPORT,
    CT_TUNE_TRY,
    CT_TUNE_STEPS
};
extern const struct ct_tune_step ct_tune_steps[CT_TUNE_STEPS];

struct ct_tuning {
    /* what was asked for */
    const char *folder;
    const char *application; /* a command line for the shell; NULL: tune for a grid of sizes */
    unsigned modes;          /* a bit 1 << MODE for each */
    bool verbose;
    bool simulated;
    /* how far it is */
    size_t rounds;   /* of learning again so far; their steps are shown in the log alone */
    bool settles;    /* learn native where the last validation found the library slower */
    double budget;   /* seconds for measuring that the user gave; 0: as long as it takes */
    double measured; /* seconds of measuring so far, without measuring again */
    double kept;     /* seconds left for measuring again, and for what follows from it */
    double least;    /* so many must be left to begin another round */
    struct ct_tune_call calls[CT_TUNE_STEPS];
};

/* Its runs, which are valid as long as it is. */
struct ct_tune_runs ct_tuning_runs(const struct ct_tuning *tuning);

/* Is that file in the folder? */
bool ct_tune_has(const char *folder, const char *file);

/* Have all modes been measured, and is there what the steps from `first` to before `last` make? */
bool ct_tuning_is_complete(const struct ct_tuning *tuning, size_t first, size_t last);

/* Removes what was made of the run. CT_OK, CT_E_SYSTEM, CT_E_MEMORY. */
int ct_tuning_forget(const struct ct_tuning *tuning, struct ct_error *error);

/* The same if the run has changed since the table was learned. CT_OK; CT_E_INPUT, CT_E_SYSTEM with a line;
 * CT_E_MEMORY. */
int ct_tuning_forget_old(const struct ct_tuning *tuning, struct ct_error *error);

/* Joins the runs of several modes, shown like a step. CT_OK, or an error code with a line. */
int ct_tuning_join_runs(const struct ct_tuning *tuning, struct ct_error *error);

/* Runs a step whose options are set. What it prints goes to the log, unless it is wanted on the terminal.
 * CT_OK, or an error code with a line. */
int ct_tuning_run_step(const struct ct_tuning *tuning, const struct ct_tune_call *call,
                       struct ct_error *error);

/* Sets the options of the steps from `first` to before `last` and runs them, but for those whose result is
 * there. In later rounds their time is taken from what is kept. CT_OK, or an error code with a line. */
int ct_tuning_run_steps(struct ct_tuning *tuning, size_t first, size_t last, struct ct_error *error);

#endif
