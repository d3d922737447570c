/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_COMMAND_H
#define CT_CLI_COMMAND_H

#include "base/error.h"
#include "models/model.h"
#include "plan/collective.h"

#include <argp.h>
#include <signal.h>
#include <stdbool.h>

/* A command of `colltune`: one file command_NAME.c, one entry in main.c. This folder alone prints to the user
 * and exits. Results go to standard output or files, talk to standard error. */

enum ct_exit { CT_EXIT_OK = 0, CT_EXIT_NO = 1, CT_EXIT_USAGE = 2 };

struct ct_command {
    const char *name;
    const char *text;                  /* one line for `colltune --help` */
    int (*run)(int argc, char **argv); /* argv[0] is "colltune NAME"; returns an enum ct_exit */
    const struct argp_option *options; /* ended by {0} */
};

extern const struct ct_command ct_command_list, ct_command_explain, ct_command_verify, ct_command_measure,
    ct_command_map, ct_command_learn, ct_command_score, ct_command_generate, ct_command_build,
    ct_command_validate, ct_command_report, ct_command_tune, ct_command_import, ct_command_fit,
    ct_command_predict, ct_command_supplement, ct_command_c45, ct_command_export_c45, ct_command_import_c45;

/* Prints "colltune NAME: TEXT" to standard error and returns the exit code that belongs to `status`: usage
 * for CT_E_INPUT, else "no". */
int ct_command_fail(const char *command, int status, const struct ct_error *error);

/* The end of a command's work: as above where it failed, or where what it wrote to standard output did not
 * get there; else CT_EXIT_OK. */
int ct_command_end(const char *command, int status, struct ct_error *error);

/* Wrong usage found while parsing: prints one line with a hint at --help and exits with CT_EXIT_USAGE. */
void ct_usage(const struct argp_state *state, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));

/* The argument of a command that takes so many at most; one more is wrong usage. */
char *ct_argument_of(const struct argp_state *state, char *argument, unsigned most);

/* The collective of that name; any other word is wrong usage. */
enum ct_collective ct_known_collective(const struct argp_state *state, const char *word);

/* The communication model of that name, of which the first `length` characters count; any other word is wrong
 * usage. */
enum ct_communication_model ct_known_model(const struct argp_state *state, const char *word, size_t length);

/* Which of the formats text and csv is meant; any other is wrong usage. */
bool ct_format_is_csv(const struct argp_state *state, const char *word);

/* An option's whole number of at least `least`; any other word is wrong usage. */
size_t ct_count_of(const struct argp_state *state, const char *option, const char *word, size_t least);

/* An option's seconds, more than 0, written as "90", "90s", "10m", "1.5h"; any other word is wrong usage. */
double ct_seconds_of(const struct argp_state *state, const char *option, const char *word);

/* A margin of equivalence, given in percent, as a fraction; else wrong usage. */
double ct_margin_of(const struct argp_state *state, const char *word);

/* From now on SIGINT, SIGTERM and SIGHUP only set the flag returned. */
const volatile sig_atomic_t *ct_catch_stop(void);

/* Progress on a terminal, nothing elsewhere: a bar with time left on standard error, redrawn at most ten
 * times a second and shown only after two seconds. */
struct ct_progress {
    const char *label;
    double begun;
    double drawn;
    bool shown;
};

void ct_progress_begin(struct ct_progress *progress, const char *label);
/* `done` in 0..1; `note` (may be NULL) stands behind the bar. */
void ct_progress_show(struct ct_progress *progress, double done, const char *note);
/* The same, as what works calls it: `bar` is a struct ct_progress. */
void ct_progress_take(void *bar, double done, const char *note);
/* Wipes the bar. */
void ct_progress_end(struct ct_progress *progress);

#endif
