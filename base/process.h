/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_BASE_PROCESS_H
#define CT_BASE_PROCESS_H

#include "base/error.h"
#include "base/text.h"

#include <sys/types.h>

/* A child process and all processes that it starts: a process group of its own, so that all can be ended. */
struct ct_process {
    pid_t id;
};

struct ct_process_options {
    const char *output;             /* file to which standard output and error are appended; NULL: ours */
    const char *folder;             /* working folder; NULL: ours */
    const char *const *environment; /* NAME=VALUE to add, NULL at the end; or NULL */
};

/* Starts argv[0] (looked up in PATH); argv ends with NULL. Standard input is /dev/null.
 * CT_OK, or CT_E_SYSTEM with a line in `error` if it cannot be started. */
int ct_process_start(const char *const *argv, const struct ct_process_options *options,
                     struct ct_error *error, struct ct_process *ret_process);

/* Sets *ret_ended if the process has ended, and *ret_exit to its exit code, or 128 + the signal. Does not
 * wait. */
int ct_process_poll(struct ct_process *process, int *ret_ended, int *ret_exit);

/* Waits for the end of the process. CT_OK; CT_E_STOPPED if a signal interrupts, and the process still runs.
 */
int ct_process_wait(struct ct_process *process, int *ret_exit);

/* Ends the process and its group by SIGTERM and, after `grace` seconds, SIGKILL; then collects it. */
void ct_process_end(struct ct_process *process, double grace);

/* Runs a command to its end and appends its standard output and error to `output` (may be NULL). CT_OK for
 * any exit code, which goes to *ret_exit; CT_E_SYSTEM, CT_E_MEMORY. */
int ct_command_run(const char *const *argv, struct ct_text *output, struct ct_error *error, int *ret_exit);

/* Seconds on a clock that never jumps. */
double ct_monotonic_now(void);
/* Seconds of processor time that this thread has used. */
double ct_thread_seconds(void);

/* The path of the program of that name in PATH (or at that path), heap-allocated; NULL if there is none. */
char *ct_program_find(const char *name);

#endif
