/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_TUNE_STEP_H
#define CT_CLI_TUNE_STEP_H

#include "cli/command.h"

/* A command that tune runs: tune offers its options as its own, and passes on what was given. */

enum { CT_TUNE_WORDS_MAX = 4, CT_TUNE_VALUES_MAX = 2, CT_TUNE_ADDED_MAX = 8 };

struct ct_tune_step {
    const struct ct_command *command;
    const char *heading; /* in the help, over the options that come from here; NULL: the command's own */
    const char *const *withheld; /* options that are not offered, because tune sets them, or a step
                                    before has the same name for something else; ended by NULL */
    bool own_options;            /* offers only those that the command does not share with others */
    const char *makes;           /* below the folder; NULL: nothing that says it is done */
    const char *words[CT_TUNE_WORDS_MAX + 1]; /* arguments, below the folder */
    struct {
        const char *name;
        const char *value;
    } values[CT_TUNE_VALUES_MAX]; /* options that are set to paths below the folder */
};

/* A step as it is run. Begins as all zeroes. */
struct ct_tune_call {
    const struct ct_tune_step *step;
    void *settings;                    /* of the command */
    const struct ct_binding *bindings; /* its part of tune's */
    size_t binding_count;
    char *words[CT_TUNE_WORDS_MAX + 1];
    char *values[CT_TUNE_VALUES_MAX];
    struct ct_tune_added {
        const char *name;
        char *value; /* NULL: a flag */
    } added[CT_TUNE_ADDED_MAX];
    size_t added_count;
    struct ct_given *given; /* those of tune's options that it takes */
    size_t given_count;
};

/* Makes the command's settings, and binds its options. `step` must outlive the call. CT_OK, CT_E_MEMORY. The
 * caller ends the call with ct_tune_step_end(), also after a failure. */
int ct_tune_step_begin(const struct ct_tune_step *step, struct ct_bindings *bindings,
                       struct ct_tune_call *call);
void ct_tune_step_end(struct ct_tune_call *call);

/* Sets arguments and paths for this folder, takes what was given to the caller, and checks it all. CT_OK,
 * CT_E_MEMORY, or what the command's check says. */
int ct_tune_step_prepare(struct ct_tune_call *call, const char *folder, const struct ct_arguments *arguments,
                         struct ct_error *error);

/* Adds an argument behind those below the folder. CT_OK, CT_E_MEMORY. */
int ct_tune_step_add_word(struct ct_tune_call *call, const char *word);

/* Sets an option that the step's table sets to a path below the folder to another path. `path` moves there;
 * NULL means that there was no memory. CT_OK, CT_E_MEMORY. */
int ct_tune_step_replace(struct ct_tune_call *call, const char *name, char *path, struct ct_error *error);

/* Sets an option to a value of the caller's own. `value` moves there; NULL means that there was no memory.
 * CT_OK, CT_E_MEMORY, CT_E_INPUT, CT_E_LIMIT. */
int ct_tune_step_add(struct ct_tune_call *call, const char *name, char *value, struct ct_error *error);
/* A time; whole seconds above ten. */
int ct_tune_step_add_seconds(struct ct_tune_call *call, const char *name, double seconds,
                             struct ct_error *error);
int ct_tune_step_add_flag(struct ct_tune_call *call, const char *name, struct ct_error *error);

/* Gives the options that were added their defaults, so that others can be added. */
void ct_tune_step_clear(struct ct_tune_call *call);

/* Prints the step to standard error as it could be typed. */
void ct_tune_step_show(const struct ct_tune_call *call);

/* Prints a blank and the word (ct_print_word()) to standard error. */
void ct_tune_show_word(const char *word);

/* Runs it as it is set. CT_OK, or an error code with a line. */
int ct_tune_step_run(const struct ct_tune_call *call, struct ct_error *error);

#endif
