/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_RUN_READING_H
#define CT_CLI_RUN_READING_H

#include "cli/command.h"
#include "samples/run.h"

/* Reads a complete run for a command, which shows a bar meanwhile: millions of samples take seconds. Errors
 * and what the caller frees as of ct_run_read(). */
int ct_run_read_shown(const struct ct_command *command, const char *folder, struct ct_error *error,
                      struct ct_run *ret_run);

#endif
