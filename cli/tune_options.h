/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_TUNE_OPTIONS_H
#define CT_CLI_TUNE_OPTIONS_H

#include "cli/command.h"

/* The options of `colltune tune` are those of the commands that it runs, and are handed on to them. */

/* One step: what it leaves behind, and the command that makes it. */
struct ct_tune_step {
    const struct ct_command *command;
    const char *heading; /* in the help, over the options that come from here; NULL: they have their own */
    const char *keeps;   /* options that are not handed on, as tune gives them or they mean something else
                            elsewhere: names with a blank before and behind each */
    const char *makes; /* below the folder; a step whose product is there is passed over; NULL: always done */
    const char *const words[8];
};

/* True where the step's command has an option of that name that is handed on. */
bool ct_tune_step_takes(const struct ct_tune_step *step, const char *name);

/* argp's table: those of `first`, which {0} ends, then those of the steps. An option that several steps take
 * stands there once, as the first has it; so does a letter. CT_OK or CT_E_MEMORY. Caller frees with free().
 */
int ct_tune_options_make(const struct argp_option *first, const struct ct_tune_step *steps, size_t step_count,
                         struct argp_option **ret_options);

/* The option of that key in such a table; NULL where there is none. */
const struct argp_option *ct_tune_option_find(const struct argp_option *options, int key);

#endif
