/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_TERMINAL_H
#define CT_CLI_TERMINAL_H

#include "base/error.h"
#include "base/progress.h"

#include <signal.h>
#include <stdbool.h>

/* The terminal: signals that stop the work, the bar of progress, and where output goes. */

struct ct_command;

/* From now on SIGINT, SIGTERM and SIGHUP only set the flag returned. */
const volatile sig_atomic_t *ct_catch_stop(void);

/* Progress on a terminal, nothing elsewhere: a bar with what is done and left and the time left on standard
 * error, redrawn at most ten times a second and shown only after two seconds. */
struct ct_bar {
    const struct ct_command *command;
    struct ct_progress now; /* as reported last */
    double begun, drawn;
    double first; /* share that was done when it was begun */
    bool shown;
};

/* A watch for long work: it draws the bar, prints notices as ct_tell() does, and is stopped by the signals of
 * ct_catch_stop(). */
struct ct_watch ct_bar_watch(struct ct_bar *bar, const struct ct_command *command);
/* The same for work that the signals end at once, as they do without ct_catch_stop(). */
struct ct_watch ct_bar_show(struct ct_bar *bar, const struct ct_command *command);
/* Wipes the bar. */
void ct_bar_end(struct ct_bar *bar);

/* From ct_output_divert() to ct_output_restore() standard output and error are appended to a file; bars of
 * progress still appear on the terminal. CT_OK or CT_E_SYSTEM with a line in `error`. */
int ct_output_divert(const char *path, struct ct_error *error);
void ct_output_restore(void);

#endif
