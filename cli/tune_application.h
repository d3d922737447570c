/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_TUNE_APPLICATION_H
#define CT_CLI_TUNE_APPLICATION_H

#include "cli/tune_step.h"

/* What `colltune tune` does for one application, `application` being a command line for the shell. */

/* Refuses options that say what to measure: the application says it. CT_OK; CT_E_INPUT with a line. */
int ct_tune_application_check(const struct ct_arguments *arguments, struct ct_error *error);

/* Adds the application to the arguments of a step. CT_OK, CT_E_MEMORY. */
int ct_tune_application_add(struct ct_tune_call *call, const char *application);

/* Notes in the folder which application it is for. CT_OK; CT_E_INPUT with a line where it is for another one;
 * CT_E_SYSTEM, CT_E_MEMORY. */
int ct_tune_application_note(const char *folder, const char *application, struct ct_error *error);

/* Runs the step that compares native with tuned runs of the application. CT_OK, or an error code with a line.
 */
int ct_tune_application_try(const struct ct_tune_call *call, struct ct_error *error);

#endif
