/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_TUNE_RESULT_H
#define CT_CLI_TUNE_RESULT_H

#include "cli/tune_runs.h"

#include <stdbool.h>

/* What tuning tells its user at the end. */

/* Prints how to load the library into a command. */
void ct_tune_tell_use(const struct ct_tune_runs *runs, const char *command);
/* Prints what was gained, where the report is, and how to load the library. CT_OK, or an error code with a
 * line. */
int ct_tune_tell(const struct ct_tune_runs *runs, bool simulated, struct ct_error *error);

#endif
