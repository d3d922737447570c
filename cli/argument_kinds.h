/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_ARGUMENT_KINDS_H
#define CT_CLI_ARGUMENT_KINDS_H

#include "cli/command.h"

/* Do the arguments lie where the usage wants them? CT_E_INPUT with a line in `error` if a run and an XML file
 * (a table, a model) are swapped: it says what each is, and the order that is expected. The same if an
 * argument is the folder of `colltune tune` instead of the run, the table or the library in it: the line
 * names that. CT_OK; CT_E_MEMORY. */
int ct_argument_kinds_check(const struct ct_command *command, const struct ct_arguments *arguments,
                            struct ct_error *error);

#endif
