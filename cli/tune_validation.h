/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_TUNE_VALIDATION_H
#define CT_CLI_TUNE_VALIDATION_H

#include "cli/tune_runs.h"
#include "cli/tune_step.h"

#include <stdbool.h>

/* The validation of a library that is being tuned: which points it takes, and what follows from it. It is the
 * file validation.csv in the folder of the tuning. */

/* The last validation while what it asked for is measured again, in that folder. */
extern const char ct_tune_earlier_validation[];

/* Less than so many seconds are no round of measuring or of validation. */
enum { CT_TUNE_ROUND_SECONDS = 2 };

struct ct_tune_validating {
    const char *folder;
    bool simulated;
    bool is_again;  /* takes the points of the last validation, and those that have not changed over */
    double seconds; /* that are left for it; INFINITY: its part of the sweep's time alone limits it */
};

/* Sets the options of a step of validation. It takes measured sizes, since others say nothing of what was
 * measured, and as many points as its part of the sweep's time allows: *measured seconds, which are set to
 * what the samples took if that is more. CT_OK, or an error code with a line. */
int ct_tune_validation_limit(const struct ct_tune_validating *validating, struct ct_tune_call *call,
                             double *measured, struct ct_error *error);

/* By mode the cells that the last validation asks to measure again; *ret_all: all of them. */
int ct_tune_validation_doubtful(const struct ct_tune_runs *runs, bool simulated, struct ct_error *error,
                                size_t ret_again[CT_MODES], size_t *ret_all);
/* The points that are slower than native by a method of ours. Decisions by pattern do not follow cells. */
int ct_tune_validation_slower(const char *folder, struct ct_error *error, size_t *ret_count);

/* Renames the validation, of which a further one takes over what has not changed. */
int ct_tune_validation_set_aside(const char *folder, struct ct_error *error);
int ct_tune_validation_remove_earlier(const char *folder, struct ct_error *error);

#endif
