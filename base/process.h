/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_BASE_PROCESS_H
#define CT_BASE_PROCESS_H

#include "base/error.h"
#include "base/text.h"

#include <sys/types.h>

/* A child process with all it starts: its own process group, so that it can be ended whole. */
struct ct_process {
    pid_t id;
};

struct ct_process_options {
    const char *output;             /* file for standard output and error, appended to; NULL keeps ours */
    const char *folder;             /* working folder; NULL keeps ours */
    const char *const *environment; /* NAME=VALUE to add, NULL at the end; or NULL */
};

/* Starts argv[0] (looked up in PATH); argv ends with NULL. Standard input is /dev/null.
 * CT_OK, or CT_E_SYSTEM with a line in `error` where it cannot be started. */
int ct_process_start(const char *const *argv, const struct ct_process_options *options,
                     struct ct_error *error, struct ct_process *ret_process);

/* Has it ended? *ret_ended says; where it has, *ret_exit is its exit code, or 128 + the signal. Does not
 * wait. */
int ct_process_poll(struct ct_process *process, int *ret_ended, int *ret_exit);

/* Waits for its end. Interrupted by a signal: CT_E_STOPPED, and the process still runs. */
int ct_process_wait(struct ct_process *process, int *ret_exit);

/* Ends it and its group: SIGTERM, up to `grace` seconds, then SIGKILL; and collects it. */
void ct_process_end(struct ct_process *process, double grace);

/* Runs a command to its end; *output (may be NULL) gets what it wrote to standard output and error.
 * CT_OK whatever the exit code, which goes to *ret_exit. */
int ct_command_run(const char *const *argv, struct ct_text *output, struct ct_error *error, int *ret_exit);

/* Is there a program of that name in PATH (or at that path)? Its path, heap-allocated; NULL where there is
 * none. */
char *ct_program_find(const char *name);

#endif
